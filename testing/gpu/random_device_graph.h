// RandomDeviceGraph: graphs of nodes on devices, made from a seed, with what
// comes out of them by plain arithmetic.
//
//   layer 0    takes numbers from the graph's input "in"
//   layer n    one to three buffers of nodes of earlier layers, of which some
//              may be missing; mixes them into a new buffer
//
// Nodes differ in where their stream comes from: of their own, of a shared pool
// that may be exhausted, or the stream of an input; and sometimes in the
// device. In graphs with pools they also differ in where their memory comes
// from, which is used again as soon as nobody has it, and in what they wait
// for: for memory, and for the device.
//
// Thread rule: values.

#ifndef SYNCLINE_TESTING_GPU_RANDOM_DEVICE_GRAPH_H_
#define SYNCLINE_TESTING_GPU_RANDOM_DEVICE_GRAPH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "framework/config/calculator.pb.h"

namespace syncline::gpu {

struct RandomDeviceGraph {
  enum class StreamRule { kOwn, kShared, kOfInput };
  // What gives the memory of what a node sends.
  enum class Memory { kDevice, kBlocks, kRmm, kStreamOrdered };
  struct Node {
    // Places of nodes; none for layer 0.
    std::vector<std::size_t> inputs;
    StreamRule rule = StreamRule::kOwn;
    int device = 0;
    // Of the shared pool.
    int pool = 0;
    // Asks for each port by itself, not for all at once.
    bool asks_port_by_port = false;
    // Sends nothing for every third packet.
    bool drops = false;
    std::uint32_t seed = 0;
    bool has_readers = false;

    // --- Of graphs with pools.
    Memory memory = Memory::kDevice;
    // A new buffer begins with what the host writes to pinned memory of a pool.
    bool is_pinned = false;
    // Whether it waits for the memory of its pools, which may then have fewer
    // blocks than there are packets; and for the work on its inputs.
    bool waits_for_memory = false;
    bool waits_for_device = false;
    int num_blocks = 0;
  };

  // One seed gives the same graph with pools and without, but for the pools,
  // and for two more packets.
  static RandomDeviceGraph Make(std::uint64_t seed, bool has_pools = false);

  // Of nodes "node0", "node1", ... with functions in the side packets
  // "node0_process", ..., and "open" for all.
  CalculatorGraphConfig Config() const;
  template <typename Predicate>
  bool HasNode(Predicate is_one) const {
    return std::any_of(nodes.begin(), nodes.end(), is_one);
  }
  bool Sends(std::size_t node, std::int64_t time) const;
  // The allocator of what the node sends, if it has one, and of pinned memory.
  static std::string AllocatorOf(std::size_t node);
  std::string PinnedAllocatorOf(std::size_t node) const;
  // What a new buffer of the node begins with.
  std::uint32_t FirstNumber(std::size_t node, std::int64_t time) const;
  // What the node sends at the time, if anything.
  absl::optional<std::uint32_t> Value(std::size_t node,
                                      std::int64_t time) const;

  bool has_pools = false;
  int num_devices = 1;
  std::int64_t num_packets = 0;
  // How many streams each shared pool has at most.
  int pool_size = 1;
  std::vector<Node> nodes;

 private:
  // The allocators of a node, and what it waits for of them.
  void AddMemory(std::size_t node, CalculatorGraphConfig* config,
                 CalculatorGraphConfig::Node* made) const;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_TESTING_GPU_RANDOM_DEVICE_GRAPH_H_
