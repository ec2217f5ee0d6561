-- A database of the second schema with the rows of the attached database
-- `present`. It had nine columns fewer, and a table for the
-- state of runs. Needs pruner_row_hash (lib/Record/Sqlite.h).

PRAGMA application_id = 0x50524e52;
PRAGMA user_version = 2;
CREATE TABLE tasks (
  key      TEXT PRIMARY KEY,
  name     TEXT,
  text     TEXT,
  flops    REAL,
  bytes    REAL,
  row_hash TEXT);
CREATE TABLE records (
  id               INTEGER PRIMARY KEY,
  measurement      TEXT UNIQUE,
  identity         TEXT,
  task_key         TEXT REFERENCES tasks(key),
  schedule         TEXT,
  target           TEXT,
  machine_key      TEXT,
  pipeline_options TEXT,
  toolchain        TEXT,
  run_id           TEXT,
  trial            INTEGER,
  strategy         TEXT,
  seed             INTEGER,
  round            INTEGER,
  status           TEXT,
  reason           TEXT,
  times            TEXT,
  median           REAL,
  verified         INTEGER,
  score            REAL,
  psa_latency      REAL,
  build_seconds    REAL,
  run_seconds      REAL,
  facts            TEXT,
  timestamp        TEXT,
  host             TEXT,
  pruner_version   TEXT,
  generator        TEXT,
  verification     TEXT,
  row_hash         TEXT);
CREATE INDEX records_by_task ON records (task_key, target, machine_key);
CREATE INDEX records_by_identity ON records (identity, status);
CREATE INDEX records_by_run ON records (run_id);
CREATE INDEX records_best ON records (task_key, target, machine_key, median)
  WHERE status = 'ok' AND verified = 1;
CREATE TABLE state (
  run_key  TEXT PRIMARY KEY,
  text     TEXT,
  row_hash TEXT);

INSERT INTO main.tasks SELECT key, name, text, flops, bytes, row_hash
  FROM present.tasks;
INSERT INTO main.state VALUES ('run', 'text', pruner_row_hash('run', 'text'));
INSERT INTO main.records SELECT
  id, measurement, identity, task_key, schedule, target, machine_key,
  pipeline_options, toolchain, run_id, trial, strategy, seed, round, status,
  reason, times, median, verified, score, psa_latency, build_seconds,
  run_seconds, facts, timestamp, host, pruner_version, generator, verification,
  pruner_row_hash(
  id, measurement, identity, task_key, schedule, target, machine_key,
  pipeline_options, toolchain, run_id, trial, strategy, seed, round, status,
  reason, times, median, verified, score, psa_latency, build_seconds,
  run_seconds, facts, timestamp, host, pruner_version, generator, verification)
  FROM present.records;
