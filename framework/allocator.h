// Allocator, BlockMemoryPool, UnboundedAllocator: large pieces of memory.
#ifndef SYNCLINE_FRAMEWORK_ALLOCATOR_H_
#define SYNCLINE_FRAMEWORK_ALLOCATOR_H_

#include "framework/memory/allocator.h"
#include "framework/memory/allocator_registry.h"
#include "framework/memory/block_memory_pool.h"
#include "framework/memory/unbounded_allocator.h"

#endif  // SYNCLINE_FRAMEWORK_ALLOCATOR_H_
