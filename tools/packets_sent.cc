#include "tools/packets_sent.h"

#include <cstdint>

#include "absl/status/statusor.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"

namespace syncline {

std::int64_t PacketsSent(CalculatorGraph* graph) {
  const absl::StatusOr<GraphRuntimeInfo> info = graph->GetGraphRuntimeInfo();
  if (!info.ok()) return 0;
  std::int64_t packets = 0;
  for (const CalculatorRuntimeInfo& node : info->calculator_infos()) {
    for (const OutputStreamRuntimeInfo& output : node.output_stream_infos()) {
      packets += output.number_of_packets_added();
    }
  }
  return packets;
}

}  // namespace syncline
