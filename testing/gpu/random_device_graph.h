// RandomDeviceGraph: graphs of nodes on devices, made from a seed, with what
// comes out of them by plain arithmetic.
//
//   layer 0    takes numbers from the graph's input "in"
//   layer n    one to three buffers of nodes of earlier layers, of which some
//              may be missing; mixes them into a new buffer
//
// Nodes differ in where their stream comes from: of their own, of a shared pool
// that may be exhausted, or the stream of an input; and sometimes in the
// device.
//
// Thread rule: values.

#ifndef SYNCLINE_TESTING_GPU_RANDOM_DEVICE_GRAPH_H_
#define SYNCLINE_TESTING_GPU_RANDOM_DEVICE_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "framework/config/calculator.pb.h"

namespace syncline::gpu {

struct RandomDeviceGraph {
  enum class StreamRule { kOwn, kShared, kOfInput };
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
  };

  static RandomDeviceGraph Make(std::uint64_t seed);

  // Of nodes "node0", "node1", ... with functions in the side packets
  // "node0_process", ..., and "open" for all.
  CalculatorGraphConfig Config() const;
  bool Sends(std::size_t node, std::int64_t time) const;
  // What the node sends at the time, if anything.
  absl::optional<std::uint32_t> Value(std::size_t node,
                                      std::int64_t time) const;

  int num_devices = 1;
  std::int64_t num_packets = 0;
  // How many streams each shared pool has at most.
  int pool_size = 1;
  std::vector<Node> nodes;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_TESTING_GPU_RANDOM_DEVICE_GRAPH_H_
