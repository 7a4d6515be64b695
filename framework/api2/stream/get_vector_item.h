// Sends one element of a vector.
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_GET_VECTOR_ITEM_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_GET_VECTOR_ITEM_H_

#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/core/get_vector_item_calculator.pb.h"
#include "framework/api2/builder.h"
#include "framework/api2/stream/collections.h"

namespace syncline {
namespace api2 {
namespace builder {

namespace builder_internal {

template <typename T>
GenericNode& AddGetItem(Stream<std::vector<T>> items, Graph& graph) {
  static_assert(IsCollection<std::vector<T>>,
                "there is no calculator that gets an item of this");
  GenericNode& node = graph.AddNode(
      absl::StrCat("Get", Collection<std::vector<T>>::kName, "ItemCalculator"));
  items >> node.In("VECTOR");
  return node;
}

}  // namespace builder_internal

// The element at `index`. If a packet has no such element, the run ends with an
// error.
template <typename T>
Stream<T> GetItem(Stream<std::vector<T>> items, int index, Graph& graph) {
  GenericNode& node = builder_internal::AddGetItem(items, graph);
  node.GetOptions<GetVectorItemCalculatorOptions>().set_item_index(index);
  return node.Out("ITEM").template Cast<T>();
}

// The element at the index that a packet at the same timestamp gives.
template <typename T>
Stream<T> GetItem(Stream<std::vector<T>> items, Stream<int> index,
                  Graph& graph) {
  GenericNode& node = builder_internal::AddGetItem(items, graph);
  index >> node.In("INDEX");
  return node.Out("ITEM").template Cast<T>();
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_GET_VECTOR_ITEM_H_
