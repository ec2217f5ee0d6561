"""Makes a database of the first schema (version1.sql) from a current one:
version1.py PRESENT OLD."""

import os
import sqlite3
import sys

present, old = sys.argv[1:]
script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "version1.sql")
database = sqlite3.connect(old)
database.execute("ATTACH ? AS present", (present,))
with open(script) as file:
    database.executescript(file.read())
