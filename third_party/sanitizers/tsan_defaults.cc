// What thread sanitizer is told in every binary of --config=tsan.
//
// The two functions are found by name by its run time before main().
// Thread rule: called once, before there are threads.

extern "C" __attribute__((visibility("default"), used)) const char*
__tsan_default_options() {
  return "halt_on_error=1:second_deadlock_stack=1";
}

extern "C" __attribute__((visibility("default"), used)) const char*
__tsan_default_suppressions() {
  return
      // Abseil keeps thread identities in memory from mmap(), which counts as
      // a write by g++'s run time.
      "race:AbslInternalPerThreadSemPost\n"
      // Abseil's library counts who holds a status where that cannot be seen:
      // deleting it looks like a race with whoever held it before.
      "race:absl::*Status::Unref\n"
      // GDAL, which reads and writes images for OpenCV, takes two locks of its
      // own in both orders.
      "deadlock:CPLCreateOrAcquireMutexEx\n"
      // FFmpeg decodes videos for OpenCV on threads of its own. Of what they do
      // only calls of malloc() and memcpy() are seen, and not the atomics by
      // which they agree.
      "race:libavcodec.so\n"
      "race:libavutil.so\n"
      // glog formats local time: glibc's tzset() takes a lock that cannot be
      // seen from outside.
      "race:tzset_internal\n";
}
