"""replace.py EXECUTABLE ARGUMENT...: runs a copy of the executable, puts another
file in its place after its first line, as a build does, and prints the rest."""
import os
import shutil
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as root:
    # The libraries that the executable links are next to it.
    source = shutil.which(sys.argv[1])
    os.mkdir(f"{root}/bin")
    os.symlink(os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(source))), "lib"),
               f"{root}/lib")
    copy = shutil.copy(source, f"{root}/bin")
    process = subprocess.Popen([copy, *sys.argv[2:]], stderr=subprocess.PIPE, text=True)
    print(process.stderr.readline(), end="")
    shutil.copy(source, f"{root}/other")
    os.replace(f"{root}/other", copy)
    print(process.stderr.read(), end="")
    print("exit code", process.wait())
