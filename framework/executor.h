// Executor: where the calls of calculators run.
#ifndef SYNCLINE_FRAMEWORK_EXECUTOR_H_
#define SYNCLINE_FRAMEWORK_EXECUTOR_H_

#include "framework/scheduler/executor.h"

#endif  // SYNCLINE_FRAMEWORK_EXECUTOR_H_
