#include "testing/gpu/random_device_graph.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gpu/cuda_stream_pool.pb.h"
#include "gpu/test_kernels.h"

namespace syncline::gpu {
namespace {

using Rule = RandomDeviceGraph::StreamRule;

// One to three different nodes of those before `end`.
std::vector<std::size_t> ChooseInputs(std::size_t end,
                                      std::mt19937_64* random) {
  std::vector<std::size_t> inputs;
  const std::size_t wanted = 1 + (*random)() % 3;
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t input = (*random)() % end;
    if (std::count(inputs.begin(), inputs.end(), input) == 0) {
      inputs.push_back(input);
    }
  }
  return inputs;
}

}  // namespace

RandomDeviceGraph RandomDeviceGraph::Make(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  RandomDeviceGraph graph;
  graph.num_devices = random() % 4 == 0 ? 2 : 1;
  graph.num_packets = 1 + static_cast<std::int64_t>(random() % 3);
  graph.pool_size = 1 + static_cast<int>(random() % 3);
  const std::size_t num_layers = 2 + random() % 3;
  for (std::size_t layer = 0; layer < num_layers; ++layer) {
    const std::size_t end = graph.nodes.size();
    const std::size_t width = 1 + random() % 3;
    for (std::size_t i = 0; i < width; ++i) {
      Node node;
      if (layer > 0) node.inputs = ChooseInputs(end, &random);
      node.rule = static_cast<Rule>(random() % 3);
      node.device = static_cast<int>(random()) & (graph.num_devices - 1);
      node.pool = static_cast<int>(random() % 2);
      // Others may get one stream for the first port and another one, which
      // waits for it, for the second.
      node.asks_port_by_port = random() % 2 == 0 && node.rule == Rule::kOwn;
      node.drops = random() % 5 == 0;
      node.seed = static_cast<std::uint32_t>(random());
      for (const std::size_t input : node.inputs) {
        graph.nodes[input].has_readers = true;
      }
      graph.nodes.push_back(std::move(node));
    }
  }
  return graph;
}

CalculatorGraphConfig RandomDeviceGraph::Config() const {
  CalculatorGraphConfig config;
  config.add_input_stream("in");
  config.add_input_side_packet("open");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    CalculatorGraphConfig::Node& made = *config.add_node();
    made.set_calculator("DeviceFunctionCalculator");
    made.set_name(absl::StrCat("node", i));
    if (node.inputs.empty()) made.add_input_stream("in");
    for (const std::size_t input : node.inputs) {
      made.add_input_stream(absl::StrCat("s", input));
    }
    made.add_output_stream(absl::StrCat("s", i));
    const std::string side_packet = absl::StrCat("node", i, "_process");
    made.add_input_side_packet(absl::StrCat("PROCESS:", side_packet));
    made.add_input_side_packet("OPEN:open");
    config.add_input_side_packet(side_packet);
    CudaStreamPoolOptions& pool =
        *made.mutable_options()->MutableExtension(CudaStreamPoolOptions::ext);
    pool.set_dev_id(node.device);
    if (node.rule != Rule::kShared) continue;
    pool.set_name(absl::StrCat("pool", node.pool, "_", node.device));
    pool.set_max_size(static_cast<std::uint32_t>(pool_size));
  }
  return config;
}

bool RandomDeviceGraph::Sends(std::size_t node, std::int64_t time) const {
  return !nodes[node].drops ||
         (time + static_cast<std::int64_t>(node)) % 3 != 0;
}

absl::optional<std::uint32_t> RandomDeviceGraph::Value(
    std::size_t node, std::int64_t time) const {
  if (!Sends(node, time)) return absl::nullopt;
  std::uint32_t value = nodes[node].seed + static_cast<std::uint32_t>(time);
  bool is_called = nodes[node].inputs.empty();
  for (const std::size_t input : nodes[node].inputs) {
    const absl::optional<std::uint32_t> read = Value(input, time);
    if (!read.has_value()) continue;
    is_called = true;
    value = MixInto(value, *read);
  }
  if (!is_called) return absl::nullopt;
  // What the new buffer was filled with.
  return MixInto(value, 0);
}

}  // namespace syncline::gpu
