// Joins streams of elements or collections into one stream of collections.
//
//   Stream<std::vector<Detection>> all = Concatenate(detections, graph);
//
// Single elements become a vector, and collections (collections.h) become one
// collection of the same type. A list message could be either: it counts as a
// collection, unless the result type is given as a vector of it:
//
//   Concatenate<std::vector<NormalizedLandmarkList>>(lists, graph)
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_CONCATENATE_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_CONCATENATE_H_

#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/core/concatenate_vector_calculator.pb.h"
#include "framework/api2/builder.h"
#include "framework/api2/stream/collections.h"

namespace syncline {
namespace api2 {
namespace builder {

namespace builder_internal {

// The type of the result for T, if none is given.
template <typename ResultT, typename T>
struct Concatenated {
  using type = ResultT;
};
template <typename T>
struct Concatenated<void, T> {
  using type = std::conditional_t<IsCollection<T>, T, std::vector<T>>;
};

template <typename ResultT, typename StreamsT>
Stream<ResultT> AddConcatenate(const StreamsT& streams,
                               bool only_emit_if_all_present, Graph& graph) {
  static_assert(IsCollection<ResultT>,
                "there is no calculator that concatenates this");
  GenericNode& node = graph.AddNode(
      absl::StrCat("Concatenate", Collection<ResultT>::kName, "Calculator"));
  if (only_emit_if_all_present) {
    node.GetOptions<ConcatenateVectorCalculatorOptions>()
        .set_only_emit_if_all_present(true);
  }
  int index = 0;
  for (const auto& stream : streams) stream >> node.In(index++);
  return node.Out("").template Cast<ResultT>();
}

}  // namespace builder_internal

// `streams` is a container of Stream<T>. Empty packets are left out; if all are
// empty, the result has no packet.
template <typename ResultT = void, typename StreamsT>
auto Concatenate(const StreamsT& streams, Graph& graph) {
  using T = typename StreamsT::value_type::Value;
  using Result = typename builder_internal::Concatenated<ResultT, T>::type;
  return builder_internal::AddConcatenate<Result>(
      streams, /*only_emit_if_all_present=*/false, graph);
}

// The same, but if any packet is empty, the result has no packet.
template <typename ResultT = void, typename StreamsT>
auto ConcatenateIfAllPresent(const StreamsT& streams, Graph& graph) {
  using T = typename StreamsT::value_type::Value;
  using Result = typename builder_internal::Concatenated<ResultT, T>::type;
  return builder_internal::AddConcatenate<Result>(
      streams, /*only_emit_if_all_present=*/true, graph);
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_CONCATENATE_H_
