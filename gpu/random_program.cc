#include "gpu/random_program.h"

#include <algorithm>
#include <utility>

#include "gpu/test_kernels.h"

namespace syncline::gpu {
namespace {

using Kind = RandomOp::Kind;

// Sets of pieces of work, waits among them. A program has fewer than these.
constexpr std::size_t kMostWorks = 512;
using WorkSet = std::bitset<kMostWorks>;

// What has to have ended before what, as sets of all that came before.
class OrderOracle {
 public:
  OrderOracle(std::size_t num_streams, std::size_t num_buffers)
      : streams_(num_streams), buffers_(num_buffers) {}

  // Whether all accesses of an operation that is no wait are ordered.
  bool IsOrdered(const RandomOp& op) const {
    const WorkSet known = Known(op);
    for (const std::size_t read : op.reads) {
      if (!Covers(known, buffers_[read].write)) return false;
    }
    if (op.kind == Kind::kHostRead) {
      return Covers(known, buffers_[op.buffer].write);
    }
    // Memory that is handed out again brings its waits along.
    if (op.kind == Kind::kRecycle) return true;
    return Covers(known, buffers_[op.buffer].write) &&
           Covers(known, buffers_[op.buffer].reads);
  }

  void Do(const RandomOp& op) {
    switch (op.kind) {
      case Kind::kWaitForPoint:
        return Wait(op.stream, op.other, streams_[op.other].last);
      case Kind::kWaitToRead:
        return WaitForAll(op.stream, buffers_[op.buffer].write);
      case Kind::kWaitToWrite:
        return WaitForUses(op.stream, op.buffer);
      case Kind::kHostForPoint:
        return HostWait(op.other, streams_[op.other].last);
      case Kind::kHostForBuffer:
        return HostWaitForUses(op.buffer);
      case Kind::kHostRead:
      case Kind::kHostWrite:
        return;
      case Kind::kRecycle:
        WaitForUses(op.stream, op.buffer);
        buffers_[op.buffer] = {};
        // Handed out as of the newest work of the stream.
        if (streams_[op.stream].last != 0) {
          buffers_[op.buffer].write.set(streams_[op.stream].last);
        }
        return;
      case Kind::kMix:
      case Kind::kCopy:
      case Kind::kFill:
        return Work(op);
    }
  }

 private:
  struct StreamState {
    WorkSet known;          // with its own
    std::size_t last = 0;   // its newest work; 0: none
    std::size_t event = 0;  // the newest work that an event covers
    WorkSet event_knows;
  };
  struct BufferState {
    WorkSet write;
    WorkSet reads;
  };

  static bool Covers(const WorkSet& known, const WorkSet& what) {
    return (what & ~known).none();
  }
  WorkSet Known(const RandomOp& op) const {
    return op.IsHostAccess() ? host_ : streams_[op.stream].known | host_;
  }

  std::size_t Add(std::size_t stream) {
    StreamState& state = streams_[stream];
    owner_.resize(++num_works_ + 1);
    owner_[num_works_] = stream;
    state.known |= host_;
    state.known.set(num_works_);
    state.last = num_works_;
    return num_works_;
  }

  void Work(const RandomOp& op) {
    const std::size_t work = Add(op.stream);
    for (const std::size_t read : op.reads) buffers_[read].reads.set(work);
    buffers_[op.buffer] = {};
    buffers_[op.buffer].write.set(work);
  }

  // What an event of `stream` that covers `work` knows.
  const WorkSet& Event(std::size_t stream, std::size_t work) {
    StreamState& state = streams_[stream];
    if (state.event < work) {
      state.event = state.last;
      state.event_knows = state.known;
    }
    return state.event_knows;
  }

  void Wait(std::size_t waiter, std::size_t stream, std::size_t work) {
    if (waiter == stream || work == 0) return;
    if (streams_[waiter].known.test(work) || host_.test(work)) return;
    const WorkSet event = Event(stream, work);
    Add(waiter);
    streams_[waiter].known |= event;
  }
  void HostWait(std::size_t stream, std::size_t work) {
    if (work == 0 || host_.test(work)) return;
    host_ |= Event(stream, work);
  }
  void WaitForAll(std::size_t waiter, const WorkSet& works) {
    for (std::size_t work = 1; work <= num_works_; ++work) {
      if (works.test(work)) Wait(waiter, owner_[work], work);
    }
  }
  // A buffer notes the newest read of each stream.
  void WaitForUses(std::size_t waiter, std::size_t buffer) {
    WaitForAll(waiter, buffers_[buffer].write);
    WaitForAll(waiter, NewestReads(buffer));
  }
  void HostWaitForUses(std::size_t buffer) {
    const WorkSet uses = buffers_[buffer].write | NewestReads(buffer);
    for (std::size_t work = 1; work <= num_works_; ++work) {
      if (uses.test(work)) HostWait(owner_[work], work);
    }
  }
  WorkSet NewestReads(std::size_t buffer) const {
    WorkSet newest;
    std::vector<bool> has_one(streams_.size());
    for (std::size_t work = num_works_; work > 0; --work) {
      if (!buffers_[buffer].reads.test(work) || has_one[owner_[work]]) continue;
      has_one[owner_[work]] = true;
      newest.set(work);
    }
    return newest;
  }

  std::vector<StreamState> streams_;
  std::vector<BufferState> buffers_;
  WorkSet host_;
  std::vector<std::size_t> owner_;  // by work, from 1
  std::size_t num_works_ = 0;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  RandomProgram Make() {
    program_.num_devices = 1 + Below(3);
    const std::size_t num_streams = 1 + Below(5);
    for (std::size_t i = 0; i < num_streams; ++i) {
      program_.stream_device.push_back(Below(program_.num_devices));
    }
    constexpr MemoryStorageType kKinds[] = {
        MemoryStorageType::kDevice, MemoryStorageType::kDevice,
        MemoryStorageType::kHost, MemoryStorageType::kManaged};
    const std::size_t num_buffers = 2 + Below(5);
    for (std::size_t i = 0; i < num_buffers; ++i) {
      program_.buffers.push_back(
          {kKinds[Below(4)], Below(program_.num_devices)});
    }
    OrderOracle oracle(num_streams, num_buffers);
    const std::size_t num_accesses = 4 + Below(24);
    for (std::size_t i = 0; i < num_accesses; ++i) AddAccess(&oracle);
    return std::move(program_);
  }

 private:
  std::size_t Below(std::size_t limit) { return random_() % limit; }
  bool MayUse(std::size_t stream, std::size_t buffer) const {
    return program_.buffers[buffer].kind != MemoryStorageType::kDevice ||
           program_.buffers[buffer].device == program_.stream_device[stream];
  }

  RandomOp AnyOp() {
    RandomOp op;
    op.stream = Below(program_.stream_device.size());
    op.buffer = Below(program_.buffers.size());
    op.seed = static_cast<std::uint32_t>(random_());
    const std::size_t choice = Below(12);
    if (choice == 0) {
      op.kind = Kind::kRecycle;
    } else if (choice == 1) {
      op.kind = Below(2) == 0 ? Kind::kHostRead : Kind::kHostWrite;
    } else if (choice == 2) {
      op.kind = Kind::kFill;
    } else if (choice < 6) {
      op.kind = Kind::kCopy;
      op.reads.push_back(Below(program_.buffers.size()));
    } else {
      op.kind = Kind::kMix;
      for (std::size_t i = Below(3); i > 0; --i) {
        op.reads.push_back(Below(program_.buffers.size()));
      }
    }
    return op;
  }

  bool IsPossible(const RandomOp& op) const {
    if (op.IsHostAccess()) {
      return program_.buffers[op.buffer].kind != MemoryStorageType::kDevice;
    }
    if (op.kind == Kind::kCopy) return op.reads[0] != op.buffer;
    return MayUse(op.stream, op.buffer) &&
           std::all_of(op.reads.begin(), op.reads.end(), [&](std::size_t read) {
             return MayUse(op.stream, read) && read != op.buffer;
           });
  }

  // With the waits that it needs before it, and some that it does not.
  void AddAccess(OrderOracle* oracle) {
    RandomOp op = AnyOp();
    while (!IsPossible(op)) op = AnyOp();
    if (Below(6) == 0) Add(AnyWait(op), oracle);
    while (!oracle->IsOrdered(op)) Add(AnyWait(op), oracle);
    Add(std::move(op), oracle);
  }

  RandomOp AnyWait(const RandomOp& op) {
    RandomOp wait;
    wait.stream = op.stream;
    wait.other = Below(program_.stream_device.size());
    wait.buffer = op.buffer;
    wait.kind = Kind::kWaitForPoint;
    const std::size_t choice = Below(8);
    if (op.IsHostAccess() || choice == 0) {
      wait.kind = Below(2) == 0 ? Kind::kHostForPoint : Kind::kHostForBuffer;
    } else if (choice < 4) {
      wait.kind = Kind::kWaitToWrite;
    } else if (choice < 6 && !op.reads.empty()) {
      wait.kind = Kind::kWaitToRead;
      wait.buffer = op.reads[Below(op.reads.size())];
    }
    return wait;
  }

  void Add(RandomOp op, OrderOracle* oracle) {
    oracle->Do(op);
    program_.ops.push_back(std::move(op));
  }

  std::mt19937_64 random_;
  RandomProgram program_;
};

}  // namespace

RandomProgram RandomProgram::Make(std::uint64_t seed) {
  return Generator(seed).Make();
}

bool RandomProgram::HasEdges() const {
  constexpr std::size_t kNobody = ~std::size_t{0};
  std::vector<std::size_t> writer(buffers.size(), kNobody);
  for (const RandomOp& op : ops) {
    if (op.IsWait() || op.IsHostAccess()) continue;
    for (const std::size_t read : op.reads) {
      if (writer[read] != kNobody && writer[read] != op.stream) return true;
    }
    writer[op.buffer] = op.stream;
  }
  return false;
}

RandomProgram::Contents RandomProgram::Interpret() const {
  Contents contents(buffers.size());
  for (const RandomOp& op : ops) {
    auto& out = contents[op.buffer];
    switch (op.kind) {
      case Kind::kMix:
        for (std::size_t i = 0; i < kElements; ++i) {
          std::uint32_t mixed = op.seed;
          for (const std::size_t read : op.reads) {
            mixed = MixInto(mixed, contents[read][i]);
          }
          out[i] = MixInto(mixed, out[i]);
        }
        break;
      case Kind::kCopy:
        out = contents[op.reads[0]];
        break;
      case Kind::kFill:
        out.fill((op.seed & 0xffu) * 0x01010101u);
        break;
      case Kind::kHostWrite:
        out.fill(op.seed);
        break;
      default:
        break;
    }
  }
  return contents;
}

absl::optional<std::size_t> RandomProgram::FirstUnordered() const {
  OrderOracle oracle(stream_device.size(), buffers.size());
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (!ops[i].IsWait() && !oracle.IsOrdered(ops[i])) return i;
    oracle.Do(ops[i]);
  }
  return absl::nullopt;
}

std::vector<std::size_t> RandomProgram::Waits() const {
  std::vector<std::size_t> waits;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].IsWait()) waits.push_back(i);
  }
  return waits;
}

}  // namespace syncline::gpu
