// The limits that the kernel's control groups set for this process.
//
// Thread rule: free functions, any thread.
// Tested by machine_memory_test and usable_cores_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_CGROUP_LIMIT_H_
#define SYNCLINE_FRAMEWORK_BASE_CGROUP_LIMIT_H_

#include <cstdint>
#include <fstream>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace syncline {

// Opens a file of the kernel. Running out of memory while it is read throws,
// and is not taken for the end of the file.
std::ifstream OpenKernelFile(const std::string& path);

struct CgroupLimit {
  std::int64_t value = 0;  // 0: there is none
  std::string source;      // the cgroup "/a/b"
};

// Reads the limit in a folder of a cgroup; 0 if there is none.
using CgroupReader = absl::FunctionRef<std::int64_t(const std::string& folder)>;

// The least limit of this process's cgroup and of those above it, with the
// files of /proc and /sys below `root`. `controller` is the name by which
// version 1 of cgroups knows what is limited, as "memory".
CgroupLimit FindCgroupLimit(absl::string_view root,
                            absl::string_view controller,
                            CgroupReader version_2, CgroupReader version_1);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_CGROUP_LIMIT_H_
