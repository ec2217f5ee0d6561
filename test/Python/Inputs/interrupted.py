"""Runs that a signal, a child or the end of the interpreter comes into."""
import os
import signal
import subprocess
import sys
import threading

import pruner

MODULE = """
func.func @main(%a: tensor<32x48xf32>, %b: tensor<48x32xf32>,
                %i: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<32x48xf32>, tensor<48x32xf32>)
                     outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
"""


def tune(trials, progress=None):
    return pruner.Module.parse(MODULE).tune(
        trials=trials, batch=1, threads=1, model="none", strategy="random", finals=False,
        network=False, progress=progress)


def interrupt():
    """Ctrl-C without a callback of the caller's own, at any time."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # It may be ignored.
    timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        tune(100000)
        print("not interrupted")
    except KeyboardInterrupt:
        print("interrupted")


def handler():
    """The same with a handler that raises something else."""
    def stop(number, frame):
        raise TimeoutError(number)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        tune(100000)
        print("not stopped")
    except TimeoutError as error:
        print("stopped by", signal.Signals(error.args[0]).name)


def daemon():
    """The interpreter ends while another thread tunes."""
    started = threading.Event()
    threading.Thread(target=tune, args=(100000, lambda now: started.set()),
                     daemon=True).start()
    started.wait()
    print("ends", flush=True)


def child():
    """A callback forks, and the child leaves by an exception."""
    codes = []

    def fork(now):
        number = os.fork()
        if number == 0:
            sys.exit(7)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]))

    print("to the end:", bool(tune(2, fork)), set(codes))


if len(sys.argv) > 1:
    globals()[sys.argv[1]]()
else:
    for case in ("interrupt", "handler", "daemon", "child"):
        done = subprocess.run([sys.executable, __file__, case], capture_output=True,
                              text=True, timeout=100)
        print(f"{case}: {done.stdout.strip()}, status {done.returncode} {done.stderr}")
