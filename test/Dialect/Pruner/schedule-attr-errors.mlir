// RUN: pruner-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{'gpu_tile' is not a sketch; expected 'cpu_tile', 'cpu_map', 'cpu_row', 'simt_tile', 'simt_map', 'simt_row' or 'cpu_chain'}}
func.func private @sketch() attributes {pruner.schedule = #pruner.schedule<gpu_tile>}

// -----

// expected-error @below {{'vectors' is not a knob; expected 'tiles', 'stages', 'vector', 'vector_dim', 'unroll', 'pad', 'order', 'split', 'prefetch', 'raster', 'stream', 'pipeline' or 'instruction'}}
func.func private @knob() attributes {pruner.schedule = #pruner.schedule<cpu_map, vectors = 8>}

// -----

// expected-error @below {{'vector' is given twice}}
func.func private @twice() attributes {pruner.schedule = #pruner.schedule<cpu_map, vector = 8, vector = 4>}

// -----

// expected-error @below {{'middle' is not a stage level; expected 'none', 'inner', 'outer' or 'ahead'}}
func.func private @stage() attributes {pruner.schedule = #pruner.schedule<cpu_tile, stages = [none, middle]>}

// -----

// expected-error @below {{expected '['}}
func.func private @tiles() attributes {pruner.schedule = #pruner.schedule<cpu_map, tiles = [4, 8]>}

// -----

// expected-error @below {{expected integer value}}
func.func private @number() attributes {pruner.schedule = #pruner.schedule<cpu_map, unroll = many>}

// -----

// expected-error @below {{integer value too large}}
func.func private @large() attributes {pruner.schedule = #pruner.schedule<cpu_map, unroll = 99999999999999999999>}

// -----

// expected-error @below {{expected '>'}}
func.func private @unfinished() attributes {pruner.schedule = #pruner.schedule<cpu_map tiles = []>}

// -----

// expected-error @below {{'func.func' op 'pruner.schedule' must be a #pruner.schedule attribute}}
func.func private @schedule_kind() attributes {pruner.schedule = "fast"}

// -----

// expected-error @below {{'builtin.module' op 'pruner.schedule' is only allowed on a function}}
module attributes {pruner.schedule = #pruner.schedule<cpu_map>} {
}
