// What address sanitizer is told in every binary of --config=asan and fuzz.
//
// The function is found by name by its run time before main().
// Thread rule: called once, before there are threads.

extern "C" __attribute__((visibility("default"), used)) const char*
__asan_default_options() {
  return "detect_leaks=1:detect_stack_use_after_return=1:"
         "check_initialization_order=1";
}
