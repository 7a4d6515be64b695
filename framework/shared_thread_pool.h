// SharedThreadPool: a pool of threads that the graphs of a process share.
#ifndef SYNCLINE_FRAMEWORK_SHARED_THREAD_POOL_H_
#define SYNCLINE_FRAMEWORK_SHARED_THREAD_POOL_H_

#include "framework/scheduler/shared_thread_pool.h"

#endif  // SYNCLINE_FRAMEWORK_SHARED_THREAD_POOL_H_
