// HostAddresses: which buffer lies at an address of the host.
//
// Idea: pinned and managed memory has an address that the host may use, and so
// it comes back without its handle: the pixels of a frame are given to
// Stream::CopyFromHost(). The checker then has to know whose memory that is.
//
// Thread rule: one thread at a time.
// Tested by host_addresses_test.

#ifndef SYNCLINE_GPU_HOST_ADDRESSES_H_
#define SYNCLINE_GPU_HOST_ADDRESSES_H_

#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

namespace syncline::gpu {

struct BufferState;

class HostAddresses {
 public:
  // `size` bytes from `data` are `buffer`'s, in place of whose they were.
  void Add(const std::byte* data, std::size_t size,
           const std::shared_ptr<BufferState>& buffer) {
    owners_.insert_or_assign(data, Owner{data + size, buffer.get(), buffer});
  }
  // They are `buffer`'s no more; nothing if they are another one's.
  void Remove(const std::byte* data, const BufferState* buffer) {
    const auto found = owners_.find(data);
    if (found == owners_.end() || found->second.identity != buffer) return;
    owners_.erase(found);
  }
  // The buffer in which the address lies; null if there is none, or if its last
  // handle is going. The result must not die under the lock of the group.
  std::shared_ptr<BufferState> Find(const void* address) const {
    const auto* const data = static_cast<const std::byte*>(address);
    const auto after = owners_.upper_bound(data);
    if (after == owners_.begin()) return nullptr;
    const Owner& owner = std::prev(after)->second;
    return std::less<>()(data, owner.end) ? owner.buffer.lock() : nullptr;
  }

  bool empty() const { return owners_.empty(); }

 private:
  struct Owner {
    const std::byte* end = nullptr;
    const BufferState* identity = nullptr;
    std::weak_ptr<BufferState> buffer;
  };

  // By the addresses at which they begin.
  std::map<const std::byte*, Owner, std::less<>> owners_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_HOST_ADDRESSES_H_
