// MemoryManager: blocks of host memory that are used again.
#ifndef SYNCLINE_FRAMEWORK_MEMORY_MANAGER_H_
#define SYNCLINE_FRAMEWORK_MEMORY_MANAGER_H_

#include "framework/calculator/memory_manager.h"

#endif  // SYNCLINE_FRAMEWORK_MEMORY_MANAGER_H_
