"""Times on the device, by events around launches."""

from pruner_tools.turns import calls_of

from . import cuda

# The shortest time that is divided by: that of a launch which does nothing is 0.
LEAST_SECONDS = 1e-7


class Timing:
    """Events around launches on one stream, a sample of at least `sample` seconds. With
    PyTorch the launches are replayed as a graph."""

    def __init__(self, driver, torch, sample):
        self.driver, self.torch, self.sample = driver, torch, sample
        self.stream = driver.stream() if not torch else None
        self.start, self.end = driver.event(), driver.event()

    def current(self):
        if not self.torch:
            return self.stream
        return cuda.c_void_p(self.torch.cuda.current_stream().cuda_stream)

    def events(self, work, repeats=1):
        """Return the seconds that `work` takes on the device, the mean of `repeats`."""
        stream = self.current()
        self.driver.record(self.start, stream)
        for _ in range(repeats):
            work()
        self.driver.record(self.end, stream)
        return self.driver.elapsed(self.start, self.end) / repeats

    def prepare(self, call, sets, sample=None):
        """Return a function that runs a sample, of at least `sample` seconds if given, and
        returns seconds per launch."""
        sample = sample or self.sample
        for n in range(3):
            call(sets[n % len(sets)])
        self.driver.synchronize()
        once = max(LEAST_SECONDS, self.events(lambda: call(sets[0])))
        launches = min(2000, max(len(sets), calls_of(sample, once, filled=True)))
        launches = -(-launches // len(sets)) * len(sets)

        def loop():
            for n in range(launches):
                call(sets[n % len(sets)])

        work = loop
        if self.torch:
            work = self._graph(loop) or loop
        seconds = max(LEAST_SECONDS, self.events(work))
        repeats = calls_of(sample, seconds, 1000, filled=True)
        return lambda: self.events(work, repeats) / launches

    def _graph(self, loop):
        torch = self.torch
        try:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                loop()
            graph.replay()
            torch.cuda.synchronize()
            return graph.replay
        except Exception:  # Calls that cannot be captured are launched one by one.
            torch.cuda.synchronize()
            return None
