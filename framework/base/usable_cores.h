// How many cores this process may use: those that its affinity names, or fewer
// where its cgroup has a quota of processor time.
//
// Thread rule: free functions, any thread.
// Tested by usable_cores_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_USABLE_CORES_H_
#define SYNCLINE_FRAMEWORK_BASE_USABLE_CORES_H_

#include <string>

#include "absl/strings/string_view.h"

namespace syncline {

struct UsableCores {
  int count = 1;
  // What sets this limit, for logs: "this machine", "the affinity of the
  // process", "the cgroup \"/a/b\"".
  std::string source;
};

// Looks at the kernel's files each time.
UsableCores FindUsableCores();

// As it was when this was first called.
int NumUsableCores();

// The least quota of the cgroup of this process and of those above it, in whole
// cores, rounded up, with the files of /proc and /sys below `root`. `count` is
// 0 where there is none.
UsableCores FindCgroupCores(absl::string_view root);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_USABLE_CORES_H_
