// The attributes that the dialect allows on functions and their arguments.
// RUN: pruner-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{'builtin.module' op 'pruner.task' is only allowed on a function}}
module attributes {pruner.task = {key = "k"}} {
}

// -----

// expected-error @below {{'func.func' op 'pruner.task' must be a dictionary}}
func.func private @task_kind() attributes {pruner.task = "k"}

// -----

// expected-error @below {{'func.func' op 'pruner.task' needs a string 'key'}}
func.func private @task_without_key() attributes {pruner.task = {weight = 1 : i64}}

// -----

// expected-error @below {{'func.func' op 'pruner.task' needs a string 'key'}}
func.func private @task_key_kind() attributes {pruner.task = {key = 1 : i64}}

// -----

// expected-error @below {{'func.func' op 'pruner.task': 'weight' must be an integer}}
func.func private @task_weight() attributes {pruner.task = {key = "k", weight = 1.0 : f64}}

// -----

// expected-error @below {{'func.func' op 'pruner.task': 'flops' must be an integer}}
func.func private @task_flops() attributes {pruner.task = {key = "k", flops = "many"}}

// -----

// expected-error @below {{'func.func' op 'pruner.task': 'bytes' must be an integer}}
func.func private @task_bytes() attributes {pruner.task = {key = "k", bytes = unit}}

// -----

// expected-error @below {{'func.func' op 'pruner.work' must be a dictionary}}
func.func private @work_kind() attributes {pruner.work = 2 : i64}

// -----

// expected-error @below {{'func.func' op 'pruner.work': 'flops' must be an integer}}
func.func private @work_flops() attributes {pruner.work = {flops = 1.0 : f64}}

// -----

// expected-error @below {{'func.func' op 'pruner.seconds' must be a positive float}}
func.func private @seconds_kind() attributes {pruner.seconds = 1 : i64}

// -----

// expected-error @below {{'func.func' op 'pruner.seconds' must be a positive float}}
func.func private @seconds_zero() attributes {pruner.seconds = 0.0 : f64}

// -----

// expected-error @below {{'builtin.module' op 'pruner.seconds' is only allowed on a function}}
module attributes {pruner.seconds = 1.0 : f64} {
}

// -----

// expected-error @below {{'func.func' op 'pruner.constant' of argument #0 must be a unit attribute}}
func.func @constant(%m: tensor<4x8xf32> {pruner.constant = 1}) {
  return
}

// -----

// expected-error @below {{'func.func' op 'pruner.pack' must be a unit attribute}}
func.func @pack(%m: tensor<4x8xf32>) attributes {pruner.pack = 1} {
  return
}

// -----

// expected-error @below {{'builtin.module' op 'pruner.pack' is only allowed on a function}}
module attributes {pruner.pack} {
}

// -----

// expected-error @below {{'func.func' op 'pruner.schedules' must be a dictionary that maps each target to a dictionary with 'schedule', a #pruner.schedule attribute, and optionally 'seconds', a positive float}}
func.func private @schedules_list() attributes {pruner.schedules = []}

// -----

// expected-error @below {{'func.func' op 'pruner.schedules' must be a dictionary that maps each target to a dictionary with 'schedule', a #pruner.schedule attribute, and optionally 'seconds', a positive float}}
func.func private @schedules_none() attributes {pruner.schedules = {cpu = {seconds = 1.0 : f64}}}

// -----

// expected-error @below {{'func.func' op 'pruner.schedules' must be a dictionary that maps each target to a dictionary with 'schedule', a #pruner.schedule attribute, and optionally 'seconds', a positive float}}
func.func private @schedules_more() attributes {pruner.schedules = {cpu = {
  schedule = #pruner.schedule<cpu_map, tiles = [[1]], stages = [], vector = 1, unroll = 1>, note = "fast"}}}

// -----

// expected-error @below {{'func.func' op 'pruner.schedules' must be a dictionary that maps each target to a dictionary with 'schedule', a #pruner.schedule attribute, and optionally 'seconds', a positive float}}
func.func private @schedules_time() attributes {pruner.schedules = {cpu = {
  schedule = #pruner.schedule<cpu_map, tiles = [[1]], stages = [], vector = 1, unroll = 1>, seconds = -1.0 : f64}}}

// -----

// expected-error @below {{'builtin.module' op 'pruner.schedules' is only allowed on a function}}
module attributes {pruner.schedules = {}} {
}

// -----

// expected-error @below {{'func.func' op 'pruner.task': 'weight' must be a signless integer of at most 64 bits, but has type 'i128'}}
func.func private @wide() attributes {pruner.task = {key = "a", weight = 1 : i128}}

// -----

// expected-error @below {{'func.func' op 'pruner.task': 'bytes' must be a signless integer of at most 64 bits, but has type 'ui64'}}
func.func private @sign() attributes {pruner.task = {key = "a", bytes = 1 : ui64}}
