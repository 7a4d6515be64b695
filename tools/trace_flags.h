// The flags of run_graph that ask for traces: --trace and --flight_recorder.
//
// Thread rule: one thread.
// Tested by run_graph_trace_test.

#ifndef SYNCLINE_TOOLS_TRACE_FLAGS_H_
#define SYNCLINE_TOOLS_TRACE_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace syncline {

// For CheckFlags; and the part of --help.
std::vector<std::string> TraceFlagNames();
extern const char kTraceFlagsHelp[];

// What of a run is to be noted.
struct TraceRequest {
  enum class Form { kTrace, kPerfetto, kGraphProfile };

  // Empty: no trace is written.
  std::string trace;
  // By the end of that name.
  Form form = Form::kTrace;
  // Empty: the last events are not kept.
  std::string flight_recorder;
};

// INVALID_ARGUMENT names a flag that makes no sense.
absl::StatusOr<TraceRequest> ReadTraceFlags();

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_FLAGS_H_
