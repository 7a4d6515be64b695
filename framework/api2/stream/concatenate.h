// Streams of elements or collections as one stream of collections.
//
//   Stream<std::vector<Detection>> all = Concatenate(detections, graph);
//
// Of single elements the result is a vector, of collections (collections.h) a
// collection of the same type. A list message is both; it counts as a
// collection, and as an element where the result is asked for:
//
//   Concatenate<std::vector<NormalizedLandmarkList>>(lists, graph)
//
// Thread rule: as of the graph that is being built.
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

// What T becomes, if the result is not asked for.
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

// `streams` is a container of Stream<T>. Leaves out empty packets; where all
// are empty, so is the result.
template <typename ResultT = void, typename StreamsT>
auto Concatenate(const StreamsT& streams, Graph& graph) {
  using T = typename StreamsT::value_type::Value;
  using Result = typename builder_internal::Concatenated<ResultT, T>::type;
  return builder_internal::AddConcatenate<Result>(
      streams, /*only_emit_if_all_present=*/false, graph);
}

// The same, but empty where any packet is.
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
