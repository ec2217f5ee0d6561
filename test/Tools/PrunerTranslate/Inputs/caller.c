#include "net.h"

#include <stdio.h>
#include <stdlib.h>

static void show(const void *const *inputs, void *const *outputs,
                 const char *what) {
  int status = pruner_run(inputs, outputs);
  if (status != PRUNER_OK)
    printf("%s: %d, %s\n", what, status, pruner_error());
  else
    printf("%s: %.1f\n", what, ((float *)outputs[0])[100]);
}

int main(void) {
  float *x = aligned_alloc(PRUNER_ALIGNMENT, 40 * 101 * 4 + 32);
  float *y = aligned_alloc(PRUNER_ALIGNMENT, 448);
  const void *inputs[PRUNER_NUM_INPUTS];
  void *outputs[PRUNER_NUM_OUTPUTS];
  int n;
  for (n = 0; n < 40 * 101; ++n)
    x[n] = (float)(n % 101 + 1);
  inputs[0] = x;
  outputs[0] = y;
  pruner_set_threads(1);
  show(inputs, outputs, "1 thread");
  pruner_set_threads(3);
  show(inputs, outputs, "3 threads");
  inputs[0] = x + 1;
  show(inputs, outputs, "misaligned");
  inputs[0] = x;
  outputs[0] = NULL;
  show(inputs, outputs, "null");
  free(x);
  free(y);
  return 0;
}
