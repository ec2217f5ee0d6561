"""pruner.progress without a tuning run."""
import io
import os

from pruner.progress import Progress, TerminalBar, observer

os.environ["COLUMNS"] = "200"
print("no terminal:", observer("auto") is None)
print("silence:", observer(None) is None)
print("own:", observer(print) is print)
try:
    observer("bar")
except TypeError as error:
    print("refused:", error)
stream = io.StringIO()
bar = TerminalBar(stream)
for now in (Progress("trials", 0, 8, 0, "", None), Progress("trials", 2, 8, 0, "task_a", 1.5e-3),
            Progress("trials", 8, 8, 1, "task_b", None), Progress("finals", 0, 2, 1, "", None)):
    bar(now)
    print(repr(stream.getvalue()))
    stream.seek(0)
    stream.truncate()
bar.close()
print(repr(stream.getvalue()))
