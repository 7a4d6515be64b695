// The cores of this process, from made-up files and the real ones.

#include "framework/base/usable_cores.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "framework/base/cgroup_test_files.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class UsableCoresTest : public CgroupFilesTest {};

TEST_F(UsableCoresTest, TheLeastQuotaOfACgroupAndThoseAboveItCounts) {
  Write("/proc/self/cgroup", "0::/a/b/c\n");
  EXPECT_EQ(FindCgroupCores(root_).count, 0);
  Write("/sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
  EXPECT_EQ(FindCgroupCores(root_).count, 0);
  Write("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
  EXPECT_EQ(FindCgroupCores(root_).count, 3);
  EXPECT_EQ(FindCgroupCores(root_).source, "the cgroup \"/a\"");
  Write("/sys/fs/cgroup/a/b/cpu.max", "150000 100000\n");
  EXPECT_EQ(FindCgroupCores(root_).count, 2) << "one and a half";
  EXPECT_EQ(FindCgroupCores(root_).source, "the cgroup \"/a/b\"");
  Write("/sys/fs/cgroup/a/b/cpu.max", "1000 100000\n");
  EXPECT_EQ(FindCgroupCores(root_).count, 1);
}

TEST_F(UsableCoresTest, TheFirstVersionOfCgroupsCountsToo) {
  Write("/proc/self/cgroup", "7:cpuset:/x\n4:cpu,cpuacct:/a\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "-1\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(FindCgroupCores(root_).count, 0);
  Write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "400000\n");
  EXPECT_EQ(FindCgroupCores(root_).count, 4);
}

TEST_F(UsableCoresTest, WhatIsNoQuotaIsNoLimit) {
  Write("/proc/self/cgroup", "nonsense\n0::/\n:::\n");
  for (const char* const text : {"", "a lot", "100000", "100000 0", "0 100000",
                                 "-5 100000", "99999999999999999999 100000"}) {
    Write("/sys/fs/cgroup/cpu.max", text);
    EXPECT_EQ(FindCgroupCores(root_).count, 0) << text;
  }
  Write("/sys/fs/cgroup/cpu.max", "9000000000000000000 1\n");
  EXPECT_GT(FindCgroupCores(root_).count, 100000);
}

TEST_F(UsableCoresTest, TheAffinityOfTheProcessCountsNotThatOfAThread) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(getpid(), sizeof(all), &all), 0);
  int core = 0;
  while (!CPU_ISSET(core, &all)) ++core;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  const int before = FindUsableCores().count;
  UsableCores pinned;
  std::thread([&] {
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    pinned = FindUsableCores();
  }).join();
  EXPECT_EQ(pinned.count, before);
  ASSERT_EQ(sched_setaffinity(getpid(), sizeof(one), &one), 0);
  EXPECT_EQ(FindUsableCores().count, 1);
  ASSERT_EQ(sched_setaffinity(getpid(), sizeof(all), &all), 0);
  EXPECT_EQ(FindUsableCores().count, before);
  EXPECT_GE(NumUsableCores(), 1);
  EXPECT_LE(NumUsableCores(),
            std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

}  // namespace
}  // namespace syncline
