// Which call of a node each READY_FOR_PROCESS of a GraphProfile announces: the
// event has the node and the time, and no timestamp.
//
// A node whose calls do not overlap is made ready for one call at a time: the
// note that stands last between the begins of two calls is of the second one.
// A call without such a note did not wait, as in our runs, or its note came too
// late, as MediaPipe's sometimes do. Notes that are too many are of calls that
// are not in the file. Of calls that overlap, the one that was ready first
// begins first.
//
// Thread rule: pure functions.
// Tested by profile_ready_test and graph_profile_form_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_READY_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_READY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "framework/trace/convert/profile_steps.h"

namespace syncline {

struct ProfiledCall {
  std::int64_t begin_us = 0;
  // The begin, if the end is not known.
  std::int64_t end_us = 0;
};

// For each call of a node, the position in `ready_us` of the note that
// announces it, if there is one. REQUIRES: notes and calls are in the order of
// time, the latter in that of their begins.
std::vector<absl::optional<std::size_t>> MatchReady(
    const std::vector<std::int64_t>& ready_us,
    const std::vector<ProfiledCall>& calls);

// Gives these notes in the steps, which are by thread, the timestamps of the
// calls that they announce; one that announces none gets the greatest number,
// which no call has. A note at the very time of its call is moved to the thread
// of the call, where it comes first: of events at one time, those of threads
// with lower numbers do.
void TellWhichWereReady(int num_nodes,
                        std::vector<std::vector<ProfileStep>>* steps);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_READY_H_
