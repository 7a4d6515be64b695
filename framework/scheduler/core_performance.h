// Which cores of this machine are the fast ones, and which the slow ones.
//
// The kernel rates cores in files: by capacity where they are built differently
// (ARM), otherwise by their highest frequency. Cores within a fifth of each
// other count as equal, because where some cores run only a little faster than
// the rest, these few should not do all the work. Otherwise the middle between
// the slowest and the fastest divides them.
//
// Thread rule: any thread.
// Tested by core_performance_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_CORE_PERFORMANCE_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_CORE_PERFORMANCE_H_

#include <string>
#include <vector>

#include "framework/config/thread_pool_executor.pb.h"

namespace syncline {

// The numbers of the cores with this performance, in ascending order. Empty if
// any core will do: for NORMAL, where cores do not differ, and where the kernel
// does not rate them. `sys_cpu` is the folder with the kernel's files.
std::vector<int> CoresWithPerformance(
    ThreadPoolExecutorOptions::ProcessorPerformance performance,
    const std::string& sys_cpu = "/sys/devices/system/cpu");

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_CORE_PERFORMANCE_H_
