// Reads a trace for the reports, whatever form its file has.
//
// Thread rule: free functions.
// Tested by trace_tool_test.

#ifndef SYNCLINE_TOOLS_TRACE_READ_TRACE_H_
#define SYNCLINE_TOOLS_TRACE_READ_TRACE_H_

#include <string>

#include "absl/status/statusor.h"
#include "framework/trace/trace.h"

namespace syncline {

// A trace file, or a file of GraphProfile messages: its content decides. The
// numbers in it are checked (CheckTrace). INVALID_ARGUMENT for what is neither;
// of Perfetto's form it says what to read instead.
absl::StatusOr<Trace> ReadAnyTrace(const std::string& path);

// A line for what the trace does not have: that its file was cut off, and that
// events are lost. Empty if it is whole.
std::string MissingText(const std::string& path, const Trace& trace);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_READ_TRACE_H_
