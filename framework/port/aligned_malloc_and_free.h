// Aligned memory. The text is in deps/aligned_malloc_and_free.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_ALIGNED_MALLOC_AND_FREE_H_
#define SYNCLINE_FRAMEWORK_PORT_ALIGNED_MALLOC_AND_FREE_H_

#include "framework/deps/aligned_malloc_and_free.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_ALIGNED_MALLOC_AND_FREE_H_
