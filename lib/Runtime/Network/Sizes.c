//===- Sizes.c - networks with a dimension of several sizes ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A network consists of several functions, each for one size, and possibly one
// for all sizes. A call is passed to the function of its size, padded or in
// pieces, as the plan from the compiler states.
#include "Network.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/// Constants from the compiler, in this order: the number of functions; whether
/// calls may be split into pieces; the smallest and the largest size; the
/// number of intervals of the plan; bytes for padded tensors; the number of the
/// function for all sizes, or -1. Then for each function its size and whether
/// its last input is the size of the call; for each interval its first and last
/// size and the number of its function; for each input, then each output, the
/// bytes of an element, the rank and the extents, -1 for the size.
extern const int64_t pruner_network_sizes[];
enum {
  FUNCTIONS,
  INDEPENDENT,
  LEAST,
  GREATEST,
  INTERVALS,
  SCRATCH,
  ANY,
  TABLES
};

/// The name of the size, for messages.
extern const char pruner_network_size_name[];

typedef void (*Function)(const void *const *inputs, void *const *outputs,
                         void *workspace);
extern const Function pruner_network_functions[];

/// Memory for tensors that are padded or cut, kept for the next call.
static _Atomic(void *) spare;

__attribute__((destructor)) static void free_spare(void) {
  free(atomic_exchange(&spare, NULL));
}

static const int64_t *function_table(int64_t number) {
  return pruner_network_sizes + TABLES + 2 * number;
}

static const int64_t *interval(int64_t number) {
  return function_table(pruner_network_sizes[FUNCTIONS]) + 3 * number;
}

/// Extents of a tensor for one size.
typedef struct {
  int64_t bytes, rank;
  const int64_t *extents;
} Shape;

static int64_t extent(const Shape *shape, int64_t dim, int64_t size) {
  return shape->extents[dim] < 0 ? size : shape->extents[dim];
}

static int has_size(const Shape *shape) {
  for (int64_t dim = 0; dim < shape->rank; ++dim)
    if (shape->extents[dim] < 0)
      return 1;
  return 0;
}

static int64_t bytes_behind(const Shape *shape, int64_t dim, int64_t size) {
  int64_t bytes = shape->bytes;
  for (; dim < shape->rank; ++dim)
    bytes *= extent(shape, dim, size);
  return bytes;
}

/// Copies `count` elements of the dynamic dimensions, starting at `first`, from
/// a tensor of size `from_size` to one of size `to_size`. With `clear`, fills
/// the rest with zeros.
static void copy_part(const Shape *shape, int64_t dim, const char *from,
                      int64_t from_size, int64_t first, char *to,
                      int64_t to_size, int64_t to_first, int64_t count,
                      int clear) {
  if (dim == shape->rank) {
    memcpy(to, from, (size_t)shape->bytes);
    return;
  }
  int64_t from_step = bytes_behind(shape, dim + 1, from_size);
  int64_t to_step = bytes_behind(shape, dim + 1, to_size);
  int64_t extents = shape->extents[dim];
  if (extents < 0) {
    from += first * from_step;
    to += to_first * to_step;
  }
  int64_t trips = extents < 0 ? count : extents;
  Shape inner = {shape->bytes, shape->rank - dim - 1, shape->extents + dim + 1};
  if (!has_size(&inner))
    memcpy(to, from, (size_t)(trips * from_step));
  else
    for (int64_t n = 0; n < trips; ++n)
      copy_part(shape, dim + 1, from + n * from_step, from_size, first,
                to + n * to_step, to_size, to_first, count, clear);
  if (clear && extents < 0)
    memset(to + trips * to_step, 0, (size_t)((to_size - trips) * to_step));
}

typedef struct {
  int64_t size;
  const void *const *inputs;
  void *const *outputs;
  const void **own_inputs;
  void **own_outputs;
  Shape *shapes;
  char *scratch;
} Call;

/// The tensor of a piece: a pointer into the whole tensor if the function can
/// use it directly, or else memory in `scratch`.
static char *place_of(const Shape *shape, char *whole, int64_t size,
                      int64_t first, int64_t count, int64_t made_for,
                      char **scratch) {
  if (!has_size(shape) || (count == size && made_for == size))
    return whole;
  if (count == made_for && shape->rank > 0 && shape->extents[0] < 0) {
    char *part = whole + first * bytes_behind(shape, 1, size);
    Shape inner = {shape->bytes, shape->rank - 1, shape->extents + 1};
    if (!has_size(&inner) && (uintptr_t)part % ALIGNMENT == 0)
      return part;
  }
  char *room = *scratch;
  *scratch += (bytes_behind(shape, 0, made_for) + ALIGNMENT - 1) / ALIGNMENT *
              ALIGNMENT;
  return room;
}

static void run_piece(const Call *call, int64_t number, int64_t made_for,
                      int64_t first, int64_t count, void *workspace) {
  int64_t num_inputs = pruner_network_facts[0];
  int64_t num_outputs = pruner_network_facts[1];
  char *scratch = call->scratch;
  for (int64_t n = 0; n < num_inputs; ++n) {
    const Shape *shape = &call->shapes[n];
    char *whole = (char *)call->inputs[n];
    char *place =
        place_of(shape, whole, call->size, first, count, made_for, &scratch);
    if (place >= call->scratch && place < scratch)
      copy_part(shape, 0, whole, call->size, first, place, made_for, 0, count,
                /*clear=*/1);
    call->own_inputs[n] = place;
  }
  _Alignas(ALIGNMENT) int64_t size = count;
  call->own_inputs[num_inputs] = &size;
  for (int64_t n = 0; n < num_outputs; ++n)
    call->own_outputs[n] =
        place_of(&call->shapes[num_inputs + n], call->outputs[n], call->size,
                 first, count, made_for, &scratch);
  pruner_network_functions[number](call->own_inputs, call->own_outputs,
                                   workspace);
  for (int64_t n = 0; n < num_outputs; ++n) {
    char *place = call->own_outputs[n];
    if (place >= call->scratch && place < scratch)
      copy_part(&call->shapes[num_inputs + n], 0, place, made_for, 0,
                call->outputs[n], call->size, first, count, /*clear=*/0);
  }
}

/// The number of the function for a call, or for the rest of one; -1 for none.
static int64_t choose(int64_t size) {
  const int64_t *plan = pruner_network_sizes;
  if (plan[INDEPENDENT] && size > plan[GREATEST])
    size = plan[GREATEST];
  for (int64_t n = 0; n < plan[INTERVALS]; ++n)
    if (interval(n)[0] <= size && size <= interval(n)[1])
      return interval(n)[2];
  return -1;
}

static void run(void *given, void *workspace) {
  const Call *call = given;
  for (int64_t first = 0; first < call->size;) {
    int64_t rest = call->size - first;
    int64_t number = choose(rest);
    if (number < 0) {
      // The function for all sizes needs no padding.
      run_piece(call, pruner_network_sizes[ANY], rest, first, rest, workspace);
      return;
    }
    int64_t made_for = function_table(number)[0];
    int64_t count = rest < made_for ? rest : made_for;
    run_piece(call, number, made_for, first, count, workspace);
    first += count;
  }
}

/// Bytes for the tensors that are padded or cut in a call.
static int64_t scratch_bytes(const Call *call, int64_t tensors) {
  const int64_t *plan = pruner_network_sizes;
  if (!plan[INDEPENDENT] || choose(call->size) >= 0)
    return plan[SCRATCH];
  int64_t bytes = 0;
  for (int64_t n = 0; n < tensors; ++n)
    bytes += bytes_behind(&call->shapes[n], 0, call->size) + ALIGNMENT;
  return bytes > plan[SCRATCH] ? bytes : plan[SCRATCH];
}

PRUNER_EXPORT int pruner_run_sized(int64_t size, const void *const *inputs,
                                   void *const *outputs) {
  int status = pruner_network_check(inputs, outputs);
  if (status != OK)
    return status;
  const int64_t *plan = pruner_network_sizes;
  if (size < 1)
    return pruner_network_set_error(
        BAD_ARGUMENT, "'%s' of a call must be at least 1, but it is %lld",
        pruner_network_size_name, (long long)size);
  if (choose(size) < 0 && plan[ANY] < 0)
    return pruner_network_set_error(
        BAD_ARGUMENT,
        "'%s' of a call must be one of %lld to %lld, but it is %lld",
        pruner_network_size_name, (long long)plan[LEAST],
        (long long)plan[GREATEST], (long long)size);
  int64_t num_inputs = pruner_network_facts[0];
  int64_t tensors = num_inputs + pruner_network_facts[1];
  Call call = {.size = size, .inputs = inputs, .outputs = outputs};
  size_t pointers = (size_t)(tensors + 1);
  call.own_inputs = malloc(pointers * sizeof(void *));
  call.own_outputs = malloc(pointers * sizeof(void *));
  call.shapes = malloc(pointers * sizeof(Shape));
  if (call.shapes) {
    const int64_t *table = interval(plan[INTERVALS]);
    for (int64_t n = 0; n < tensors; ++n) {
      call.shapes[n] = (Shape){table[0], table[1], table + 2};
      table += 2 + table[1];
    }
    int64_t bytes = scratch_bytes(&call, tensors);
    call.scratch =
        bytes == plan[SCRATCH] ? atomic_exchange(&spare, NULL) : NULL;
    if (!call.scratch)
      call.scratch = aligned_alloc(ALIGNMENT, (size_t)(bytes + ALIGNMENT) /
                                                  ALIGNMENT * ALIGNMENT);
    if (call.own_inputs && call.own_outputs && call.scratch)
      status = pruner_network_call(run, &call);
    else
      status = pruner_network_set_error(NO_MEMORY, "no memory for padding");
    free(bytes == plan[SCRATCH] ? atomic_exchange(&spare, call.scratch)
                                : call.scratch);
  } else {
    status = pruner_network_set_error(NO_MEMORY, "no memory for a call");
  }
  free(call.own_inputs);
  free(call.own_outputs);
  free(call.shapes);
  return status;
}

/// The function that pruner_run calls.
void pruner_network_entry(const void *const *inputs, void *const *outputs,
                          void *workspace) {
  (void)inputs, (void)outputs, (void)workspace;
  pruner_network_fail("this network has a dynamic size: call pruner_run_sized");
}
