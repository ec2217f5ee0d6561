#map = affine_map<(d0, d1) -> (-(-(d0) + (d1) * 2) mod 3, (d0) floordiv (4) - (d1) ceildiv 5)>
#set = affine_set<(d0)[s0] : (-(d0) + (s0) * 2 - 1 >= 0, (d0) mod (2) == 0)>
func.func private @f() attributes {m = #map, s = #set}
