"""Runs a command that may make no file larger than a number of bytes.

  small_files.py BYTES COMMAND...
"""

import os
import resource
import sys

size = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
os.execvp(sys.argv[2], sys.argv[2:])
