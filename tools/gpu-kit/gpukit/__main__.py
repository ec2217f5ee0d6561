"""Tests, times and tunes Pruner's GPU kernels on this machine, and calibrates its model
(docs/guides/GpuKit.md)."""

import argparse
import sys

from . import bench, calibrate, dataset, everything, kit, tests, tune

COMMANDS = {"calibrate": calibrate, "tests": tests, "bench": bench, "tune": tune,
            "dataset": dataset, "all": everything}
EXIT_CODES = ("exit codes: 0 success, 1 failure, 2 usage, "
              "3 no usable GPU")


def parser():
    """Return the command line; a command is a module with `add_options` and `run`."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--output", default="gpu-results", metavar="FOLDER",
                        help="results (%(default)s)")
    common.add_argument("--python", metavar="FILE",
                        help="the Python with PyTorch (this one)")
    whole = argparse.ArgumentParser(prog="pruner-gpu-kit", description=__doc__,
                                    epilog=EXIT_CODES)
    commands = whole.add_subparsers(
        dest="command", metavar="COMMAND", required=True,
        help="one of these; COMMAND --help lists its options")
    for name, module in COMMANDS.items():
        summary = " ".join(module.__doc__.split("\n\n")[0].split())
        command = commands.add_parser(name, parents=[common], help=summary,
                                      description=summary, epilog=EXIT_CODES)
        module.add_options(command)
        command.set_defaults(run=module.run)
    return whole


def main(arguments):
    """Run a command and convert its outcome to an exit code."""
    options = parser().parse_args(arguments)
    try:
        return options.run(options)
    except kit.NoGpu as reason:
        kit.say("no GPU: %s" % reason)
        return kit.NO_GPU
    except kit.Failed as reason:
        kit.say("error: %s" % reason)
        return kit.WRONG
    except BrokenPipeError:
        return kit.WRONG


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
