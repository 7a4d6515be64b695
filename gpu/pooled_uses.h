// PooledUses: who used memory last that a pool has got back, until the pool
// hands it out again.
//
// Idea: a pool keeps the work that is pending on its blocks, and a block that
// it hands out without a word of that would be a race that no buffer knows of:
// the buffer is new. So the checker remembers it by address.
//
// Thread rule: one thread at a time.
// Tested by pooled_uses_test.

#ifndef SYNCLINE_GPU_POOLED_USES_H_
#define SYNCLINE_GPU_POOLED_USES_H_

#include <cstddef>
#include <map>
#include <vector>

#include "gpu/access_history.h"

namespace syncline::gpu {

class PooledUses {
 public:
  // Memory came back with these last uses.
  void Add(const std::byte* data, std::size_t size,
           const std::vector<AccessNote>& notes);
  // The uses of a piece, which may be a part of what came back, or several.
  // They are forgotten for that piece.
  std::vector<AccessNote> Take(const std::byte* data, std::size_t size);

  bool empty() const { return pieces_.empty(); }

 private:
  struct Piece {
    const std::byte* end = nullptr;
    std::vector<AccessNote> notes;
  };

  std::map<const std::byte*, Piece> pieces_;  // by their beginnings
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_POOLED_USES_H_
