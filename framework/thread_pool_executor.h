// ThreadPoolExecutor: a fixed number of threads that run the calls of graphs.
#ifndef SYNCLINE_FRAMEWORK_THREAD_POOL_EXECUTOR_H_
#define SYNCLINE_FRAMEWORK_THREAD_POOL_EXECUTOR_H_

#include "framework/scheduler/thread_pool_executor.h"

#endif  // SYNCLINE_FRAMEWORK_THREAD_POOL_EXECUTOR_H_
