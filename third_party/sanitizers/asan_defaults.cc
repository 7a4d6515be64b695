// What address sanitizer is told in every binary of --config=asan and fuzz.
//
// The functions are found by name by its run time before main().
// Thread rule: called once, before there are threads.

extern "C" __attribute__((visibility("default"), used)) const char*
__asan_default_options() {
  // A plug-in has the generated code once more, which is no mistake.
  return "detect_leaks=1:detect_stack_use_after_return=1:"
         "check_initialization_order=1:detect_odr_violation=0";
}

// A test that knows of more replaces it.
extern "C" __attribute__((visibility("default"), used, weak)) const char*
__lsan_default_suppressions() {
  // libvorbis keeps what it has read of a file that is cut off in its head.
  return "leak:libvorbis.so\n";
}
