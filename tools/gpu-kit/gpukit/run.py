"""Runs the kit: `python <folder>/gpukit/run.py`. With `-m gpukit` Python would search
the current directory for modules first."""

import os
import sys

PATH = os.path.abspath(__file__)


def main():
    # Replaces the folder of this file in the search path by the folder of the kit,
    # because modules here have common names.
    own, folder = os.path.dirname(PATH), os.path.dirname(os.path.dirname(PATH))
    sys.path[:] = [folder] + [place for place in sys.path
                              if os.path.realpath(place) != os.path.realpath(own)]
    from gpukit.__main__ import main as run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
