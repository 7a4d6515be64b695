// Gives a part of the graph the result of a later part for the packet before.
//
//   auto [previous, set_loop] = GetLoopbackData<Rect>(frames, graph);
//   Stream<Rect> rects = Track(frames, previous, graph);
//   set_loop(rects);
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_LOOPBACK_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_LOOPBACK_H_

#include <functional>
#include <utility>

#include "framework/api2/builder.h"

namespace syncline {
namespace api2 {
namespace builder {

// The stream has, for each packet of `tick`, the packet of the loop at the tick
// before. The returned function says which stream is the loop. Call it once,
// while the graph exists.
template <typename DataT, typename TickT>
std::pair<Stream<DataT>, std::function<void(Stream<DataT>)>> GetLoopbackData(
    Stream<TickT> tick, Graph& graph) {
  auto& node = graph.AddNode("PreviousLoopbackCalculator");
  tick >> node.In("MAIN");
  Destination<> loop = node.In("LOOP").AsBackEdge();
  return {node.Out("PREV_LOOP").template Cast<DataT>(),
          [loop](Stream<DataT> data) { data >> loop; }};
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_LOOPBACK_H_
