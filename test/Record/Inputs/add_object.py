"""Inserts a foreign object into the schema of a database, without checks of SQLite:
add_object.py DB TYPE NAME SQL."""

import sqlite3
import sys

path, kind, name, sql = sys.argv[1:]
database = sqlite3.connect(path)
database.execute("PRAGMA writable_schema = ON")
database.execute("INSERT INTO sqlite_schema VALUES (?, ?, 'records', 0, ?)",
                 (kind, name, sql))
version, = database.execute("PRAGMA schema_version").fetchone()
database.execute(f"PRAGMA schema_version = {version + 1}")
database.commit()
