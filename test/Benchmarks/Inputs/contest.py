"""Times a schedule that can be built and one that cannot, and tries a missing worker.
"""

import sys

from pruner_tools.contest import Task, distances_of, hold_contest

TEXT = """func.func @double(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}"""

print(distances_of("1536K-0 64M 0"))
schedules = [f"#pruner.schedule<cpu_map, tiles = [[1, {tile}]], stages = [none], vector = 4>"
             for tile in (8, 0)]
times = hold_contest(sys.argv[1], Task("double", TEXT, "cpu", 1, "0 0"), schedules, 3)
assert list(times) == schedules[:1] and all(times[schedules[0]]), times
print(len(times), "schedule,", len(times[schedules[0]]), "turns")
print(hold_contest("/bin/false", Task("double", TEXT, "cpu", 1, "0 0"), schedules, 3))
