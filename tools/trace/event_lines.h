// The events of a trace as lines of text, for people and for other programs.
//
// Thread rule: pure functions.
// Tested by reports_test.

#ifndef SYNCLINE_TOOLS_TRACE_EVENT_LINES_H_
#define SYNCLINE_TOOLS_TRACE_EVENT_LINES_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"

namespace syncline {

// "PROCESS_BEGIN", ...; "KIND_77" for a kind that is not known.
std::string TraceKindName(TraceKind kind);

// One line, with the line end: the time in microseconds since the first clock
// point, the thread, the kind, and what it is about:
//
//   12.345 us  thread 1 (worker)  PROCESS_BEGIN node "a" at 20
//
// REQUIRES: CheckTrace() is OK.
std::string EventLine(const Trace& trace, int thread, const TraceEvent& event);

// All events in the order of time, in pieces of many lines. Returns the first
// error of `write`.
absl::Status WriteEventLines(
    const Trace& trace,
    absl::FunctionRef<absl::Status(absl::string_view piece)> write);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_EVENT_LINES_H_
