// The memory of this process, from made-up files and the real ones.

#include "framework/base/machine_memory.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "framework/base/cgroup_test_files.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class MachineMemoryTest : public CgroupFilesTest {};

TEST_F(MachineMemoryTest, TheLeastOfACgroupAndThoseAboveItCounts) {
  Write("/proc/self/cgroup", "0::/a/b/c\n");
  EXPECT_EQ(FindCgroupMemory(root_).bytes, 0);
  Write("/sys/fs/cgroup/a/b/c/memory.max", "max\n");
  EXPECT_EQ(FindCgroupMemory(root_).bytes, 0);
  Write("/sys/fs/cgroup/a/memory.max", "3000000\n");
  EXPECT_EQ(FindCgroupMemory(root_).bytes, 3000000);
  EXPECT_EQ(FindCgroupMemory(root_).source, "the cgroup \"/a\"");
  Write("/sys/fs/cgroup/a/b/memory.max", "2000000\n");
  EXPECT_EQ(FindCgroupMemory(root_).bytes, 2000000);
  EXPECT_EQ(FindCgroupMemory(root_).source, "the cgroup \"/a/b\"");
}

TEST_F(MachineMemoryTest, TheFirstVersionOfCgroupsCountsToo) {
  Write("/proc/self/cgroup", "7:cpu:/x\n4:memory:/a\n");
  Write("/sys/fs/cgroup/memory/a/memory.limit_in_bytes",
        "9223372036854771712\n");
  EXPECT_EQ(FindCgroupMemory(root_).bytes, 0);
  Write("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "5000\n");
  EXPECT_EQ(FindCgroupMemory(root_).bytes, 5000);
}

TEST_F(MachineMemoryTest, WhatIsNoNumberIsNoLimit) {
  Write("/proc/self/cgroup", "nonsense\n0::/\n:::\n");
  Write("/sys/fs/cgroup/memory.max", "a lot\n");
  EXPECT_EQ(FindCgroupMemory(root_).bytes, 0);
}

TEST_F(MachineMemoryTest, AProcessHasSome) {
  const MachineMemory memory = FindMachineMemory();
  EXPECT_GT(memory.bytes, 1 << 20);
  EXPECT_FALSE(memory.source.empty());
}

TEST_F(MachineMemoryTest, TheLimitOfTheAddressSpaceCounts) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "A sanitizer needs terabytes of the address space.";
#endif
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit = {size_t{1} << 28, size_t{1} << 28};
    setrlimit(RLIMIT_AS, &limit);
    _exit(FindMachineMemory().bytes <= (1 << 28) ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace syncline
