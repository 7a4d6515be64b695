#include "gpu/pooled_uses.h"

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace syncline::gpu {

void PooledUses::Add(const std::byte* data, std::size_t size,
                     const std::vector<AccessNote>& notes) {
  Take(data, size);
  if (!notes.empty()) pieces_[data] = {data + size, notes};
}

std::vector<AccessNote> PooledUses::Take(const std::byte* data,
                                         std::size_t size) {
  std::vector<AccessNote> notes;
  if (pieces_.empty()) return notes;
  const std::byte* const end = data + size;
  auto at = pieces_.lower_bound(data);
  // The one before may reach into it.
  if (at != pieces_.begin() && std::prev(at)->second.end > data) --at;
  while (at != pieces_.end() && at->first < end) {
    const std::byte* const begin = at->first;
    Piece piece = std::move(at->second);
    at = pieces_.erase(at);
    notes.insert(notes.end(), piece.notes.begin(), piece.notes.end());
    if (begin < data) pieces_[begin] = {data, piece.notes};
    if (piece.end > end) pieces_[end] = {piece.end, std::move(piece.notes)};
  }
  return notes;
}

}  // namespace syncline::gpu
