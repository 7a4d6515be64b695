// kMemoryManagerService: the MemoryManager that the application gives to a
// graph.
#ifndef SYNCLINE_FRAMEWORK_MEMORY_MANAGER_SERVICE_H_
#define SYNCLINE_FRAMEWORK_MEMORY_MANAGER_SERVICE_H_

#include "framework/calculator/memory_manager.h"

#endif  // SYNCLINE_FRAMEWORK_MEMORY_MANAGER_SERVICE_H_
