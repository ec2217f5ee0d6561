/* Reads the profile of a network of two inputs and two results of 400 x 400
 * floats at most, called 300 times: more than the medians are of. */
#include "net.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const size_t bytes = 400 * 400 * sizeof(float);
  const void *inputs[PRUNER_NUM_INPUTS];
  void *outputs[PRUNER_NUM_OUTPUTS];
  pruner_times times, whole;
  double parts = 0;
  int ordered = 1;
  for (int n = 0; n < 2; ++n) {
    inputs[n] = aligned_alloc(PRUNER_ALIGNMENT, bytes);
    outputs[n] = aligned_alloc(PRUNER_ALIGNMENT, bytes);
    for (int i = 0; i < 400 * 400; ++i)
      ((float *)inputs[n])[i] = (float)(i % 7);
  }
  printf("no profile: %d\n", pruner_profile_read(0, &times));
  pruner_run(inputs, outputs);
  printf("on: %d\n", pruner_profile(1));
  printf("no such call: %d %d\n", pruner_profile_read(-1, &times),
         pruner_profile_read(PRUNER_NUM_CALLS + 2, &times));
  for (int n = 0; n < 300; ++n)
    if (pruner_run(inputs, outputs) != PRUNER_OK)
      return 1;
  for (int64_t n = 0; n <= PRUNER_NUM_CALLS; ++n) {
    pruner_profile_read(n, &times);
    parts += times.total;
    ordered &= 0 < times.least && times.least <= times.median &&
               times.median <= times.total;
  }
  pruner_profile_read(PRUNER_NUM_CALLS + 1, &whole);
  printf("calls: %lld between and %lld runs\n", (long long)times.calls,
         (long long)whole.calls);
  printf("parts of the whole: %d\n",
         parts <= whole.total && parts > 0.8 * whole.total);
  printf("least, median: %d\n", ordered);

  pruner_profile(0);
  pruner_run(inputs, outputs);
  pruner_profile_read(PRUNER_NUM_CALLS + 1, &whole);
  pruner_profile(1);
  pruner_profile_read(PRUNER_NUM_CALLS + 1, &times);
  printf("off: %lld, on again: %lld\n", (long long)whole.calls,
         (long long)times.calls);
  for (int n = 0; n < 2; ++n) {
    free((void *)inputs[n]);
    free(outputs[n]);
  }
  return 0;
}
