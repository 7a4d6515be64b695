// What undefined behaviour sanitizer is told in every binary of --config=ubsan
// and --config=asan.
//
// The function is found by name by its run time before main().
// Thread rule: called once, before there are threads.

extern "C" __attribute__((visibility("default"), used)) const char*
__ubsan_default_options() {
  return "print_stacktrace=1";
}
