#include "benchmarks/device/graph_texts.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"

namespace syncline {
namespace {

// $0 and $1: the blocks of the pools, of $2 bytes.
constexpr char kTransferGraph[] = R"pb(
  input_stream: "host"
  input_side_packet: "rounds"
  output_stream: "arrived"
  allocator {
    name: "device"
    type: "BlockMemoryPool"
    options {
      [syncline.BlockMemoryPoolOptions.ext] {
        storage_type: DEVICE
        num_blocks: $0
        block_size: $2
      }
    }
  }
  allocator {
    name: "pinned"
    type: "BlockMemoryPool"
    options {
      [syncline.BlockMemoryPoolOptions.ext] {
        storage_type: HOST
        num_blocks: $1
        block_size: $2
      }
    }
  }
  node {
    calculator: "TensorCopierCalculator"
    name: "upload"
    input_stream: "host"
    output_stream: "up"
    options {
      [syncline.TensorCopierCalculatorOptions.ext] { mode: DEVICE }
      [syncline.GpuMemoryOptions.ext] { allocator: "device" }
      [syncline.CudaStreamPoolOptions.ext] { stream_flags: 1 max_size: 1 }
    }
  }
  node {
    calculator: "MapRoundsCalculator"
    name: "kernel"
    input_side_packet: "ROUNDS:rounds"
    input_stream: "up"
    output_stream: "mixed"
    options {
      [syncline.GpuMemoryOptions.ext] { allocator: "device" }
      [syncline.CudaStreamPoolOptions.ext] { stream_flags: 1 max_size: 1 }
    }
  }
  node {
    calculator: "TensorCopierCalculator"
    name: "download"
    input_stream: "mixed"
    output_stream: "down"
    options {
      [syncline.TensorCopierCalculatorOptions.ext] { mode: HOST }
      [syncline.GpuMemoryOptions.ext] { host_allocator: "pinned" }
      [syncline.CudaStreamPoolOptions.ext] { stream_flags: 1 max_size: 1 }
    }
  }
  node {
    calculator: "PassThroughCalculator"
    name: "wait"
    input_stream: "down"
    output_stream: "arrived"
    condition { type: "CudaStreamCondition" }
  }
)pb";

}  // namespace

// Enough for all packets that are under way: each has an input and an output on
// the device, and one that has arrived is still held.
std::string TransferGraphText(const TransferWorkload& work) {
  return absl::Substitute(
      kTransferGraph, 3 * work.in_flight, work.in_flight + 3,
      work.numbers * static_cast<std::int64_t>(sizeof(std::uint32_t)));
}

std::string ChainGraphText(const ChainWorkload& work, bool has_given_streams) {
  const std::vector<int>& streams = work.stream_of_kernel;
  std::string text = absl::StrCat(
      "input_stream: 'numbers' input_side_packet: 'work' num_threads: 1 "
      "output_stream: 'k",
      streams.size() - 1, "'\n");
  if (has_given_streams) {
    absl::StrAppend(&text, "input_side_packet: 's0' input_side_packet: 's1'\n");
  }
  for (std::size_t k = 0; k < streams.size(); ++k) {
    absl::StrAppend(&text, "node { calculator: '",
                    k == 0 ? "BeginRoundsCalculator" : "GoOnRoundsCalculator",
                    "' input_side_packet: 'WORK:work' input_stream: '",
                    k == 0 ? "numbers" : absl::StrCat("k", k - 1),
                    "' output_stream: 'k", k, "' ");
    if (has_given_streams) {
      absl::StrAppend(&text, "input_side_packet: 'STREAM:s", streams[k], "' ");
    } else if (k == 0 || streams[k] != streams[k - 1]) {
      absl::StrAppend(&text,
                      "options { [syncline.CudaStreamPoolOptions.ext] { "
                      "stream_flags: 1 max_size: 1 } } ");
    }
    absl::StrAppend(&text, "}\n");
  }
  return text;
}

}  // namespace syncline
