// Which cores of this machine are the fast ones, and which the slow ones.
//
// Thread rule: any thread.
// Tested by core_performance_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_CORE_PERFORMANCE_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_CORE_PERFORMANCE_H_

#include <string>
#include <vector>

#include "framework/config/thread_pool_executor.pb.h"

namespace syncline {

// The numbers of the cores with this performance, by the highest frequency that
// the kernel gives for each. Empty for NORMAL, where cores do not differ, and
// where the kernel does not say: then any core will do. `sys_cpu` is the folder
// with the kernel's files.
std::vector<int> CoresWithPerformance(
    ThreadPoolExecutorOptions::ProcessorPerformance performance,
    const std::string& sys_cpu = "/sys/devices/system/cpu");

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_CORE_PERFORMANCE_H_
