#include "tools/progress_line.h"

#include <unistd.h>

#include <cstdint>
#include <iostream>
#include <system_error>
#include <thread>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"

namespace syncline {
namespace {

constexpr absl::Duration kBetweenLines = absl::Milliseconds(500);
constexpr char kEraseLine[] = "\r\033[K";

}  // namespace

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

ProgressLine::ProgressLine(CalculatorGraph* graph) : graph_(graph) {
  if (isatty(STDERR_FILENO) == 0) return;
  try {
    writer_ = std::thread([this] { Write(); });
  } catch (const std::system_error&) {
    // The run can do without the line, and will say itself what it lacks.
  }
}

ProgressLine::~ProgressLine() {
  if (!writer_.joinable()) return;
  {
    MutexLock lock(&mutex_);
    ended_ = true;
  }
  ended_cv_.Signal();
  writer_.join();
}

void ProgressLine::Write() {
  const absl::Time start = absl::Now();
  bool is_written = false;
  while (true) {
    {
      MutexLock lock(&mutex_);
      while (!ended_ && !ended_cv_.WaitWithTimeout(&mutex_, kBetweenLines)) {
      }
      if (ended_) break;
    }
    const std::int64_t seconds = absl::ToInt64Seconds(absl::Now() - start);
    std::cerr << kEraseLine
              << absl::StrCat(seconds, " s, ", PacketsSent(graph_),
                              " packets sent")
              << std::flush;
    is_written = true;
  }
  if (is_written) std::cerr << kEraseLine << std::flush;
}

}  // namespace syncline
