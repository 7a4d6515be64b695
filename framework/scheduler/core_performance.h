// Which cores of this machine are the fast ones, and which the slow ones.
//
// The kernel rates cores in files: by capacity where they are built differently
// (ARM), otherwise by their highest frequency. Cores within a fifth of each
// other count as equal, since a processor that lets some of its cores run a
// little faster than the rest does not mean one of them to do all the work.
// Otherwise the middle between the slowest and the fastest divides them.
//
// Thread rule: any thread.
// Tested by core_performance_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_CORE_PERFORMANCE_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_CORE_PERFORMANCE_H_

#include <string>
#include <vector>

#include "framework/config/thread_pool_executor.pb.h"

namespace syncline {

// The numbers of the cores with this performance, in ascending order. Empty for
// NORMAL, where cores do not differ, and where the kernel does not say: then
// any core will do. `sys_cpu` is the folder with the kernel's files.
std::vector<int> CoresWithPerformance(
    ThreadPoolExecutorOptions::ProcessorPerformance performance,
    const std::string& sys_cpu = "/sys/devices/system/cpu");

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_CORE_PERFORMANCE_H_
