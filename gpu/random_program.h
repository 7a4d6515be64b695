// Random programs of device work, for random_work_test: several devices,
// streams and buffers, every access ordered by waits that are part of the
// program.
//
// What is expected of a program is found by means other than those of the
// code under test: an interpreter that does one operation after the other gives
// the contents, and sets of operations give the order (no clocks).
//
// Thread rule: one thread at a time.

#ifndef SYNCLINE_GPU_RANDOM_PROGRAM_H_
#define SYNCLINE_GPU_RANDOM_PROGRAM_H_

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "framework/memory/allocator.h"

namespace syncline::gpu {

// One operation of the host.
struct RandomOp {
  enum class Kind {
    kMix,        // kernel: reads `reads`, writes `buffer`
    kCopy,       // reads[0] to `buffer`, also between devices
    kFill,       // `buffer`
    kRecycle,    // the memory of `buffer` goes back and is handed out again,
                 // for `stream`
    kHostRead,   // a view of `buffer`
    kHostWrite,  // the same, to write `seed` everywhere
    // Waits:
    kWaitForPoint,   // `stream` for all work of `other` until now
    kWaitToRead,     // `stream` for the last write of `buffer`
    kWaitToWrite,    // `stream` for all uses of `buffer`
    kHostForPoint,   // the host for all work of `other` until now
    kHostForBuffer,  // the host for all uses of `buffer`
  };
  bool IsWait() const { return kind >= Kind::kWaitForPoint; }
  bool IsHostAccess() const {
    return kind == Kind::kHostRead || kind == Kind::kHostWrite;
  }

  Kind kind = Kind::kFill;
  std::size_t stream = 0;
  std::size_t other = 0;
  std::size_t buffer = 0;
  std::vector<std::size_t> reads;
  std::uint32_t seed = 0;
};

struct RandomProgram {
  static constexpr std::size_t kElements = 4;  // of each buffer, uint32
  using Contents = std::vector<std::array<std::uint32_t, kElements>>;

  struct Buffer {
    MemoryStorageType kind = MemoryStorageType::kDevice;
    std::size_t device = 0;
  };

  // A program in which nothing is missing.
  static RandomProgram Make(std::uint64_t seed);

  // Whether there is an access to what another stream used before.
  bool HasEdges() const;
  // The contents of the buffers at the end.
  Contents Interpret() const;
  // The first operation with an access that is not ordered.
  absl::optional<std::size_t> FirstUnordered() const;
  std::vector<std::size_t> Waits() const;

  std::size_t num_devices = 1;
  std::vector<std::size_t> stream_device;
  std::vector<Buffer> buffers;
  std::vector<RandomOp> ops;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_RANDOM_PROGRAM_H_
