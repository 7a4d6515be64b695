// A trace in Perfetto's form: a .pftrace file, for ui.perfetto.dev and
// trace_processor.
//
//   process
//     threads            the calls of each thread, as they nest
//     application        an instant for each packet that it sends
//     nodes              the calls of each node. Calls that overlap are on
//                        tracks of their own: "NODE", "NODE (2)", ...
//       queue STREAM     a counter for each input: packets sent and not taken
//       throttled, condition    what the node waits for, as bars
//     device streams     the work that calls gave to a device
//
// A flow is a packet: it leads from the call, or the instant of the
// application, that sent it through the calls that took it, in the order of
// time, and ends where it was dropped or taken last. A packet that nobody took
// or dropped has no flow. Correlation ids join what belongs to one call: its
// bars on the tracks of thread, node and device.
//
// Bounds and the events kReady and kNotReady are left out: they would hide the
// rest. How long a call waited for a thread is an annotation of the call. After
// lost events a queue may be shown too long.
//
// Thread rule: a pure function.
// Tested by perfetto_form_test and perfetto_random_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_FORM_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_FORM_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/trace/trace.h"

namespace syncline {

// Hands the file to `write`, piece by piece. The first error of `write` is
// returned; DATA_LOSS: the numbers in the trace mean nothing (CheckTrace).
absl::Status WritePerfetto(
    const Trace& trace,
    absl::FunctionRef<absl::Status(absl::string_view piece)> write);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_FORM_H_
