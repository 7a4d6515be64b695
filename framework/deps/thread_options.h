// ThreadOptions: the settings of the threads of a pool.
// Defined in scheduler/thread_options.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_THREAD_OPTIONS_H_
#define SYNCLINE_FRAMEWORK_DEPS_THREAD_OPTIONS_H_

#include "framework/scheduler/thread_options.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_THREAD_OPTIONS_H_
