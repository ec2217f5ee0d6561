"""The microkernels of the command `calibrate`. A probe is a class in a file of this
folder and an entry of `PROBES`; the order is that of a run, the most important ones first."""

from .barriers import Barriers
from .block_starts import BlockStarts
from .clock import Clock
from .code_size import CodeSize
from .copies import Copies
from .functions import Functions
from .global_stores import GlobalStores
from .issue import Issue
from .l1_loads import L1Loads
from .latencies import Latencies
from .launches import Launches
from .loads_in_flight import LoadsInFlight
from .matrix_units import MatrixUnits
from .multiply_adds import MultiplyAdds
from .overlap import Overlap
from .shared_loads import SharedLoads
from .shared_stores import SharedStores
from .shuffles import Shuffles
from .spills import Spills
from .streams import L2Bandwidth, MemoryBandwidth

PROBES = [Clock(), MultiplyAdds(), SharedLoads(), Overlap(), MemoryBandwidth(), L1Loads(),
          Issue(), Latencies(), Barriers(), Functions(), SharedStores(), Launches(),
          BlockStarts(), CodeSize(), Copies(), L2Bandwidth(), GlobalStores(), LoadsInFlight(),
          Shuffles(), Spills(), MatrixUnits()]


def all_constants():
    """Return [(probe, constant)] in order."""
    return [(probe, constant) for probe in PROBES for constant in probe.constants()]
