// MemoryManager: keeps blocks of host memory for later use.
//
// Calculators that need a large scratch buffer for every packet ask for the
// same sizes again and again. A manager keeps blocks that are given back, up to
// a limit, and gives them to the next requests without asking the system.
//
//   if (cc->Service(kMemoryManagerService).IsAvailable()) {
//     std::shared_ptr<void> block =
//         cc->Service(kMemoryManagerService).GetObject().Allocate(bytes);
//
// The application gives the manager to a graph; several graphs may share one.
//
// Thread rule: every function may run on any thread. Blocks may outlive the
// manager.
// Tested by memory_manager_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_MEMORY_MANAGER_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_MEMORY_MANAGER_H_

#include <cstddef>
#include <memory>

#include "framework/calculator/service.h"

namespace syncline {

class MemoryManager {
 public:
  static constexpr std::size_t kDefaultMaxKeptBytes = 256 << 20;

  // At most `max_kept_bytes` lie unused.
  explicit MemoryManager(std::size_t max_kept_bytes = kDefaultMaxKeptBytes);
  ~MemoryManager();
  MemoryManager(const MemoryManager&) = delete;
  MemoryManager& operator=(const MemoryManager&) = delete;

  // At least `bytes` bytes, aligned to 64, contents undefined. The block comes
  // back when the last copy of the pointer dies. Throws std::bad_alloc, which
  // ends the call of a calculator with RESOURCE_EXHAUSTED.
  std::shared_ptr<void> Allocate(std::size_t bytes);

  // The bytes of the blocks that nobody uses.
  std::size_t kept_bytes() const;

 private:
  class Pool;

  const std::shared_ptr<Pool> pool_;
};

inline constexpr GraphService<MemoryManager> kMemoryManagerService(
    "kMemoryManagerService", GraphServiceBase::kDisallowDefaultInitialization);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_MEMORY_MANAGER_H_
