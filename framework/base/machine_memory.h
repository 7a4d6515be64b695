// How much memory this process may have: that of the machine, or less where its
// cgroup or the limit of its address space (`ulimit -v`) says so.
//
// Thread rule: free functions, any thread.
// Tested by machine_memory_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_MACHINE_MEMORY_H_
#define SYNCLINE_FRAMEWORK_BASE_MACHINE_MEMORY_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace syncline {

struct MachineMemory {
  std::int64_t bytes = 0;
  // What sets this limit, for error texts: "this machine", "the cgroup
  // \"/a/b\"" ...
  std::string source;
};

// The least of the three. Looks at the files of the kernel each time.
MachineMemory FindMachineMemory();

// The same for the cgroup of this process alone, with the files of /proc and
// /sys below `root`. `bytes` is 0 where nothing limits it.
MachineMemory FindCgroupMemory(absl::string_view root);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_MACHINE_MEMORY_H_
