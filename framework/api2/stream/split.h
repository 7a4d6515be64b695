// Splits a collection into several streams.
//
//   Stream<std::vector<Detection>> faces = ...;
//   std::vector<Stream<Detection>> first_two = Split(faces, {0, 1}, graph);
//
// Collections are vectors and list messages: see collections.h. If a packet has
// no element at an index, the run ends with an error.
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_SPLIT_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_SPLIT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/core/split_vector_calculator.pb.h"
#include "framework/api2/builder.h"
#include "framework/api2/stream/collections.h"

namespace syncline {
namespace api2 {
namespace builder {

namespace builder_internal {

// A node that splits `items` into ranges, each given as the index of its first
// element and the index after its last one.
template <typename T>
GenericNode& AddSplit(Stream<T> items,
                      const std::vector<std::pair<int, int>>& ranges,
                      Graph& graph) {
  static_assert(IsCollection<T>, "there is no calculator that splits this");
  // One calculator of the family has a name of its own.
  const std::string name = std::is_same_v<T, std::vector<std::uint64_t>>
                               ? "Uint64tVector"
                               : std::string(Collection<T>::kName);
  GenericNode& node = graph.AddNode(absl::StrCat("Split", name, "Calculator"));
  auto& options = node.GetOptions<SplitVectorCalculatorOptions>();
  for (const auto& [begin, end] : ranges) {
    auto* const range = options.add_ranges();
    range->set_begin(begin);
    range->set_end(end);
  }
  items >> node.In("");
  return node;
}

inline std::vector<std::pair<int, int>> RangesOf(
    const std::vector<int>& indices) {
  std::vector<std::pair<int, int>> ranges;
  for (const int index : indices) ranges.emplace_back(index, index + 1);
  return ranges;
}

template <typename T>
std::vector<Stream<T>> OutputsOf(GenericNode& node, std::size_t count) {
  std::vector<Stream<T>> outputs;
  for (std::size_t i = 0; i < count; ++i) {
    outputs.push_back(node.Out(static_cast<int>(i)).Cast<T>());
  }
  return outputs;
}

}  // namespace builder_internal

// A stream for the element at each index.
template <typename T>
auto Split(Stream<T> items, const std::vector<int>& indices, Graph& graph) {
  using Element = typename builder_internal::Collection<T>::Element;
  GenericNode& node = builder_internal::AddSplit(
      items, builder_internal::RangesOf(indices), graph);
  node.GetOptions<SplitVectorCalculatorOptions>().set_element_only(true);
  return builder_internal::OutputsOf<Element>(node, indices.size());
}

// A stream for each range, which goes from its first index to the one before
// its second.
template <typename T>
std::vector<Stream<T>> SplitToRanges(
    Stream<T> items, const std::vector<std::pair<int, int>>& ranges,
    Graph& graph) {
  return builder_internal::OutputsOf<T>(
      builder_internal::AddSplit(items, ranges, graph), ranges.size());
}

// The elements at these indices, in this order, in one collection. Indices may
// not repeat.
template <typename T>
Stream<T> SplitAndCombine(Stream<T> items, const std::vector<int>& indices,
                          Graph& graph) {
  GenericNode& node = builder_internal::AddSplit(
      items, builder_internal::RangesOf(indices), graph);
  node.GetOptions<SplitVectorCalculatorOptions>().set_combine_outputs(true);
  return node.Out("").template Cast<T>();
}

// The elements of these ranges, in this order, in one collection. Ranges may
// not overlap.
template <typename T>
Stream<T> SplitAndCombineRanges(Stream<T> items,
                                const std::vector<std::pair<int, int>>& ranges,
                                Graph& graph) {
  GenericNode& node = builder_internal::AddSplit(items, ranges, graph);
  node.GetOptions<SplitVectorCalculatorOptions>().set_combine_outputs(true);
  return node.Out("").template Cast<T>();
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_SPLIT_H_
