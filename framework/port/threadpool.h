// A pool of threads. The text is in deps/threadpool.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_THREADPOOL_H_
#define SYNCLINE_FRAMEWORK_PORT_THREADPOOL_H_

#include "framework/deps/threadpool.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_THREADPOOL_H_
