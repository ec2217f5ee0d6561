"""Runs the kit: `python <folder>/gpukit/run.py`. With `-m gpukit` Python would look
for modules in the current directory first."""

import os
import sys

PATH = os.path.abspath(__file__)


def main():
    # The folder of the kit takes the place of the one of this file, which has modules
    # with names that others have as well.
    own, folder = os.path.dirname(PATH), os.path.dirname(os.path.dirname(PATH))
    sys.path[:] = [folder] + [place for place in sys.path
                              if os.path.realpath(place) != os.path.realpath(own)]
    from gpukit.__main__ import main as run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
