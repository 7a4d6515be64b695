// Merges several streams: at each timestamp it sends the packet of the first
// stream that has one.
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_MERGE_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_MERGE_H_

#include "framework/api2/builder.h"

namespace syncline {
namespace api2 {
namespace builder {

// If both have a packet, the packet of `a` is sent.
template <typename T>
Stream<T> Merge(Stream<T> a, Stream<T> b, Graph& graph) {
  auto& node = graph.AddNode("MergeCalculator");
  a >> node.In(0);
  b >> node.In(1);
  return node.Out("").template Cast<T>();
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_MERGE_H_
