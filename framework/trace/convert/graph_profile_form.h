// A trace as a GraphProfile, and a GraphProfile as a trace: the form of trace
// files that MediaPipe and its visualizer have.
//
// What a GraphProfile has of each event is at the head of
// graph_profile_builder.h. A GraphProfile knows less than a trace: no bounds,
// drops and conditions. What it says of a call reads as follows:
//   - a start without an end, and an end without a start, become one call where
//     they fit together, also over several parts;
//   - a call of which only starts are told, as of one that sent nothing in the
//     instant form of MediaPipe, ends with the next event of its thread;
//   - a second end is where the call sent more packets;
//   - a node that is ready is so for the call that profile_ready.h says;
//   - an end without any start, as of all calls of sources in MediaPipe's
//   files,
//     is a call that begins where it ends, and whose begin is not known.
//
// Thread rule: pure functions.
// Tested by graph_profile_form_test, graph_profile_parts_test and
// mediapipe_files_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_GRAPH_PROFILE_FORM_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_GRAPH_PROFILE_FORM_H_

#include <cstddef>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator_profile.pb.h"
#include "framework/trace/convert/graph_profile_options.h"
#include "framework/trace/trace.h"

namespace syncline {

// A whole trace, as one part, in memory. DATA_LOSS: its numbers mean nothing.
absl::StatusOr<GraphProfile> ToGraphProfile(const Trace& trace,
                                            const GraphProfileOptions& options);

// Takes the bytes of the next part.
using WriteProfilePart =
    absl::FunctionRef<absl::Status(absl::string_view bytes)>;

struct GraphProfileParts {
  // A part has about so many events of the trace.
  std::size_t events_in_part = std::size_t{1} << 15;
  // What MediaPipe and we read of a file.
  std::size_t max_bytes = (std::size_t{1} << 31) - 1;
};

// A whole trace, as parts behind each other, of which few are in memory at a
// time. Histograms are in the last part. The first error of `write` ends it;
// RESOURCE_EXHAUSTED: the file would be larger than programs read, and ends
// with the last part that fits.
absl::Status WriteGraphProfile(const Trace& trace,
                               const GraphProfileOptions& options,
                               WriteProfilePart write,
                               const GraphProfileParts& parts = {});

// All graph_trace of the profile, one after the other. Ticks are nanoseconds,
// and both clocks are that of the profile. Histograms are not looked at.
// DATA_LOSS names the event whose numbers are out of range.
absl::StatusOr<Trace> FromGraphProfile(const GraphProfile& profile);

// A file of one or more parts, as ProfileFiles and MediaPipe write them. A file
// that ends in the middle of a part gives what is there, and is_cut_off. Other
// errors are those of the file system, and DATA_LOSS with the place of the
// damage.
absl::StatusOr<Trace> ReadGraphProfileFile(absl::string_view path);

struct GraphProfileContent {
  // The parts, merged.
  GraphProfile profile;
  bool is_cut_off = false;
};
// The same from memory, not yet a trace. `name` is for errors.
absl::StatusOr<GraphProfileContent> ParseGraphProfile(absl::string_view bytes,
                                                      absl::string_view name);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_GRAPH_PROFILE_FORM_H_
