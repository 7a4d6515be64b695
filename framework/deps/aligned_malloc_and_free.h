// Aligned memory. Defined in port/aligned_malloc_and_free.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_ALIGNED_MALLOC_AND_FREE_H_
#define SYNCLINE_FRAMEWORK_DEPS_ALIGNED_MALLOC_AND_FREE_H_

#include "framework/port/aligned_malloc_and_free.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_ALIGNED_MALLOC_AND_FREE_H_
