// A libFuzzer binary for the plan compiler: bytes that are a graph are changed
// as a graph, others as bytes.
//
//   testing/fuzz/run.sh 600        # seconds; collects every graph of the tree
//
// A finding is a file; `compile_fuzzer FILE` runs it again.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/graph_source.h"
#include "google/protobuf/stubs/logging.h"
#include "testing/fuzz/compile_target.h"
#include "testing/fuzz/graph_mutator.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace syncline {
namespace {

absl::string_view View(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

absl::StatusOr<GraphSource> Read(absl::string_view bytes) {
  absl::StatusOr<GraphSource> source = ReadGraphText(bytes);
  return source.ok() ? std::move(source) : ReadGraphBinary(bytes);
}

// Mostly as text, which is what the reader has most code for. 0: no room.
size_t Write(const CalculatorGraphConfig& config, unsigned seed, uint8_t* data,
             size_t max_size) {
  const google::protobuf::LogSilencer quiet;
  const std::string bytes =
      seed % 4 == 0 ? config.SerializeAsString() : GraphText(config);
  if (bytes.size() > max_size) return 0;
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace
}  // namespace syncline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const syncline::CompileFacts facts =
      syncline::CompileBytes(syncline::View(data, size));
  if (!facts.broken.empty()) {
    std::fprintf(stderr, "%s\n", facts.broken.c_str());
    std::abort();
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned seed) {
  if (seed % 8 != 0) {
    auto source = syncline::Read(syncline::View(data, size));
    if (source.ok()) {
      syncline::GraphMutator(seed).Mutate(&source->config);
      const size_t written =
          syncline::Write(source->config, seed / 8, data, max_size);
      if (written > 0) return written;
    }
  }
  return LLVMFuzzerMutate(data, size, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                            const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_out_size,
                                            unsigned seed) {
  auto first = syncline::Read(syncline::View(data1, size1));
  const auto second = syncline::Read(syncline::View(data2, size2));
  if (!first.ok() || !second.ok()) return 0;
  syncline::GraphMutator(seed).CrossOver(second->config, &first->config);
  return syncline::Write(first->config, seed, out, max_out_size);
}
