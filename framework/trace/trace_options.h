// What a program says when it asks a graph for a trace.
//
// Thread rule: values.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_OPTIONS_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_OPTIONS_H_

#include <cstddef>
#include <string>

namespace syncline {

struct TraceOptions {
  // A thread can be ahead of the file by so many events, of 24 bytes each; more
  // are lost, and counted. A call that takes one packet and sends one is two of
  // them; in the file it is four events (trace_packing.h).
  std::size_t events_per_thread = std::size_t{1} << 18;
  // The events have the time of the graph's clock. Else the time of the
  // machine, which costs some nanoseconds to read, 10 to 20 in a virtual one.
  bool in_graph_time = false;
};

struct FlightRecorderOptions {
  // So many events are kept of each thread, at 24 bytes each; two of a call
  // that takes one packet and sends one.
  std::size_t events_per_thread = std::size_t{1} << 16;
  // The events are written here when a run ends with an error, and when the
  // process dies by a signal such as SIGSEGV. "": only WriteFlightRecorder()
  // writes them.
  std::string path;
  // If not, `path` is only for signals.
  bool writes_after_errors = true;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_OPTIONS_H_
