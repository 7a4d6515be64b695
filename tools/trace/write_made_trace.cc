// write_made_trace FILE PACKETS NODES THREADS: a trace file of any size, for
// measuring the programs that read it. With 50000 packets, 50 nodes and 8
// threads it has 2.5 million calls and more than 10 million events.
//
// Thread rule: single-threaded.
// Tested by trace_tool_test.
#include <cstdint>
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "framework/trace/trace_file.h"
#include "tools/exit_status.h"
#include "tools/output_file.h"
#include "tools/trace/made_trace.h"

int main(int argc, char** argv) {
  syncline::MadeTraceOptions options;
  if (argc != 5 || !absl::SimpleAtoi(argv[2], &options.packets) ||
      !absl::SimpleAtoi(argv[3], &options.nodes) ||
      !absl::SimpleAtoi(argv[4], &options.threads) || options.packets < 0 ||
      options.nodes < 1 || options.threads < 1) {
    return syncline::Fail("write_made_trace", syncline::kUsageIsWrong,
                          "usage: write_made_trace FILE PACKETS NODES THREADS");
  }
  const syncline::Trace trace = syncline::MakeTrace(options);
  const absl::Status written = syncline::WriteFile(
      "write_made_trace", argv[1], syncline::TraceFileContent(trace));
  if (!written.ok()) {
    return syncline::Fail("write_made_trace", syncline::kFailed,
                          written.message());
  }
  std::cout << trace.num_events() << " events\n";
  return 0;
}
