#include "testing/gpu/random_device_graph.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/config/block_memory_pool.pb.h"
#include "framework/config/conditions.pb.h"
#include "gpu/cuda_stream_pool.pb.h"
#include "gpu/device_allocators.pb.h"
#include "gpu/test_kernels.h"
#include "testing/gpu/device_graph.h"

namespace syncline::gpu {
namespace {

using Rule = RandomDeviceGraph::StreamRule;
using Memory = RandomDeviceGraph::Memory;

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

void ChoosePools(std::int64_t num_packets, std::mt19937_64* random,
                 RandomDeviceGraph::Node* node) {
  // What nobody reads is kept to the end.
  if (node->has_readers) node->memory = static_cast<Memory>((*random)() % 4);
  node->is_pinned = (*random)() % 3 == 0;
  const bool has_pool = node->is_pinned || node->memory != Memory::kDevice;
  node->waits_for_memory = (*random)() % 2 == 0 && has_pool;
  node->waits_for_device = (*random)() % 4 == 0 && !node->inputs.empty();
  node->num_blocks = node->waits_for_memory
                         ? 1 + static_cast<int>((*random)() % 2)
                         : static_cast<int>(num_packets);
}

// --- Parts of a config

// The number of a device among those that the run gives to allocators.
void AddBlockPool(const std::string& name, int device, int num_blocks,
                  BlockMemoryPoolOptions::StorageType type,
                  CalculatorGraphConfig* config) {
  auto& allocator = *config->add_allocator();
  allocator.set_name(name);
  allocator.set_type("BlockMemoryPool");
  BlockMemoryPoolOptions& options =
      *allocator.mutable_options()->MutableExtension(
          BlockMemoryPoolOptions::ext);
  options.set_storage_type(type);
  options.set_block_size(kBufferBytes);
  options.set_num_blocks(static_cast<std::uint64_t>(num_blocks));
  options.set_dev_id(device);
}

template <typename Options>
void AddSizedAllocator(const std::string& name, const char* type,
                       const RandomDeviceGraph::Node& node,
                       CalculatorGraphConfig* config) {
  auto& allocator = *config->add_allocator();
  allocator.set_name(name);
  allocator.set_type(type);
  Options& options =
      *allocator.mutable_options()->MutableExtension(Options::ext);
  options.set_dev_id(node.device);
  const std::string max = absl::StrCat(
      static_cast<std::size_t>(node.num_blocks) * kBufferBytes, "B");
  options.set_device_memory_initial_size(absl::StrCat(kBufferBytes, "B"));
  options.set_device_memory_max_size(max);
  if constexpr (std::is_same_v<Options, RMMAllocatorOptions>) {
    options.set_host_memory_initial_size(absl::StrCat(kBufferBytes, "B"));
    options.set_host_memory_max_size(max);
  }
}

void WaitForMemoryOf(const std::string& allocator,
                     CalculatorGraphConfig::Node* node) {
  auto& condition = *node->add_condition();
  condition.set_name(absl::StrCat("memory_", allocator));
  condition.set_type("MemoryAvailableCondition");
  MemoryAvailableConditionOptions& options =
      *condition.mutable_options()->MutableExtension(
          MemoryAvailableConditionOptions::ext);
  options.set_allocator(allocator);
  options.set_min_bytes(kBufferBytes);
}

}  // namespace

RandomDeviceGraph RandomDeviceGraph::Make(std::uint64_t seed, bool has_pools) {
  std::mt19937_64 random(seed);
  RandomDeviceGraph graph;
  graph.has_pools = has_pools;
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
  if (!has_pools) return graph;
  // Enough that memory is used again.
  graph.num_packets += 2;
  std::mt19937_64 pools_random(~seed);
  for (Node& node : graph.nodes) {
    ChoosePools(graph.num_packets, &pools_random, &node);
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
    if (node.rule == Rule::kShared) {
      pool.set_name(absl::StrCat("pool", node.pool, "_", node.device));
      pool.set_max_size(static_cast<std::uint32_t>(pool_size));
    }
    AddMemory(i, &config, &made);
    if (!node.waits_for_device) continue;
    auto& condition = *made.add_condition();
    condition.set_name("device");
    condition.set_type("CudaStreamCondition");
  }
  return config;
}

void RandomDeviceGraph::AddMemory(std::size_t i, CalculatorGraphConfig* config,
                                  CalculatorGraphConfig::Node* made) const {
  const Node& node = nodes[i];
  const std::string name = AllocatorOf(i);
  switch (node.memory) {
    case Memory::kDevice:
      break;
    case Memory::kBlocks:
      AddBlockPool(name, node.device, node.num_blocks,
                   BlockMemoryPoolOptions::DEVICE, config);
      break;
    case Memory::kRmm:
      AddSizedAllocator<RMMAllocatorOptions>(name, "RMMAllocator", node,
                                             config);
      break;
    case Memory::kStreamOrdered:
      AddSizedAllocator<StreamOrderedAllocatorOptions>(
          name, "StreamOrderedAllocator", node, config);
      break;
  }
  if (node.waits_for_memory && node.memory != Memory::kDevice) {
    WaitForMemoryOf(name, made);
  }
  if (!node.is_pinned || node.memory == Memory::kRmm) return;
  AddBlockPool(PinnedAllocatorOf(i), node.device, node.num_blocks,
               BlockMemoryPoolOptions::HOST, config);
  if (node.waits_for_memory) WaitForMemoryOf(PinnedAllocatorOf(i), made);
}

std::string RandomDeviceGraph::AllocatorOf(std::size_t node) {
  return absl::StrCat("memory", node);
}

std::string RandomDeviceGraph::PinnedAllocatorOf(std::size_t node) const {
  return nodes[node].memory == Memory::kRmm ? AllocatorOf(node)
                                            : absl::StrCat("pinned", node);
}

std::uint32_t RandomDeviceGraph::FirstNumber(std::size_t node,
                                             std::int64_t time) const {
  if (!nodes[node].is_pinned) return 0;
  return MixInto(nodes[node].seed, static_cast<std::uint32_t>(time) + 1);
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
  return MixInto(value, FirstNumber(node, time));
}

}  // namespace syncline::gpu
