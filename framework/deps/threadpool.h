// A pool of threads. Defined in port/threadpool.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_THREADPOOL_H_
#define SYNCLINE_FRAMEWORK_DEPS_THREADPOOL_H_

#include "framework/port/threadpool.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_THREADPOOL_H_
