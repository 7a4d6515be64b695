// Changes the settings of executors in a config.
//
// Thread rule: pure functions of their arguments.
// Tested by executor_util_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_EXECUTOR_UTIL_H_
#define SYNCLINE_FRAMEWORK_TOOL_EXECUTOR_UTIL_H_

#include "framework/config/calculator.pb.h"

namespace syncline {
namespace tool {

// Raises the stack size of the threads of the default executor to at least
// `min_stack_size` bytes. A config without a default executor gets one, which
// takes over num_threads. A default executor that is no thread pool is not
// changed.
void EnsureMinimumDefaultExecutorStackSize(int min_stack_size,
                                           CalculatorGraphConfig* config);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_EXECUTOR_UTIL_H_
