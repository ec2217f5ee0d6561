-- A database of the first schema with the rows of the attached database
-- `present`. It had no hashes, ten columns fewer, and a table
-- for the state of runs.

PRAGMA application_id = 0x50524e52;
PRAGMA user_version = 1;
CREATE TABLE tasks (
  key   TEXT PRIMARY KEY NOT NULL,
  name  TEXT NOT NULL,
  text  TEXT NOT NULL,
  flops REAL NOT NULL,
  bytes REAL NOT NULL);
CREATE TABLE records (
  id               INTEGER PRIMARY KEY,
  measurement      TEXT NOT NULL UNIQUE,
  identity         TEXT NOT NULL,
  task_key         TEXT NOT NULL REFERENCES tasks(key),
  schedule         TEXT NOT NULL,
  target           TEXT NOT NULL,
  machine_key      TEXT NOT NULL,
  pipeline_options TEXT NOT NULL,
  toolchain        TEXT NOT NULL,
  run_id           TEXT NOT NULL,
  trial            INTEGER NOT NULL,
  strategy         TEXT NOT NULL,
  seed             INTEGER NOT NULL,
  round            INTEGER NOT NULL,
  status           TEXT NOT NULL,
  reason           TEXT NOT NULL,
  times            TEXT NOT NULL,
  median           REAL,
  verified         INTEGER NOT NULL,
  score            REAL,
  psa_latency      REAL,
  build_seconds    REAL NOT NULL,
  run_seconds      REAL NOT NULL,
  facts            TEXT NOT NULL,
  timestamp        TEXT NOT NULL,
  host             TEXT NOT NULL,
  pruner_version   TEXT NOT NULL);
CREATE INDEX records_by_task ON records (task_key, target, machine_key);
CREATE INDEX records_by_identity ON records (identity, status);
CREATE INDEX records_by_run ON records (run_id);
CREATE INDEX records_best ON records (task_key, target, machine_key, median)
  WHERE status = 'ok' AND verified = 1;
CREATE TABLE state (
  run_key TEXT PRIMARY KEY NOT NULL,
  text    TEXT NOT NULL);

INSERT INTO main.tasks SELECT key, name, text, flops, bytes FROM present.tasks;
INSERT INTO main.state VALUES ('run', 'text');
INSERT INTO main.records SELECT id, measurement, identity, task_key, schedule,
  target, machine_key, pipeline_options, toolchain, run_id, trial, strategy,
  seed, round, status, reason, times, median, verified, score, psa_latency,
  build_seconds, run_seconds, facts, timestamp, host, pruner_version
  FROM present.records;
