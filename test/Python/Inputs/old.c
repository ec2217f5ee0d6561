/* A library as they were before they could be profiled. */
int pruner_run(const void *const *inputs, void *const *outputs) {
  (void)inputs, (void)outputs;
  return 0;
}
const char *pruner_error(void) { return ""; }
void pruner_set_threads(int threads) { (void)threads; }
int pruner_threads(void) { return 1; }
const char pruner_metadata[] =
    "{\"format\": 1, \"entry\": \"main\", \"inputs\": [], \"outputs\": [], "
    "\"alignment\": 64, \"workspace_bytes\": 0, \"cpu\": \"any\", "
    "\"cpu_features\": []}";
