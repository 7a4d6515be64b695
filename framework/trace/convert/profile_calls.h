// ProfileCalls: the calls of a run as events of a GraphProfile, their times in
// the histograms of their nodes, and which call sends what comes next on each
// thread.
//
// Thread rule: for one thread at a time.
// Tested by graph_profile_builder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_CALLS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_CALLS_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "framework/trace/convert/ended_calls.h"
#include "framework/trace/convert/graph_profile_options.h"
#include "framework/trace/convert/node_profiles.h"
#include "framework/trace/convert/profile_records.h"
#include "framework/trace/trace_event.h"

namespace syncline {

// A call that has begun.
struct ProfileCall {
  TraceKind begin_kind = TraceKind::kNone;
  std::int32_t node = 0;
  std::int64_t timestamp = 0;
  std::int64_t begin_us = 0;
  bool begin_is_known = true;
  // The least of the packets that it took.
  absl::optional<std::int64_t> origin_us;
  // Paired: the call. Instant: the next start.
  ProfileRecordPtr record;
  bool has_start = false;
};

// What is known of a thread of the trace.
struct ProfileThread {
  int number = -1;  // in the profile; -1: no event yet
  std::vector<ProfileCall> open;
  // The call whose results follow, if it is known, and from when their data is.
  ProfileRecordPtr sender;
  std::int64_t sender_origin_us = 0;
};

class ProfileCalls {
 public:
  // All outlive this.
  ProfileCalls(int num_nodes, const GraphProfileOptions& options,
               ProfileRecords* records, NodeProfiles* profiles)
      : options_(options),
        records_(*records),
        profiles_(*profiles),
        ended_(num_nodes) {}

  void Begin(const TraceEvent& event, std::int64_t us, ProfileThread* thread);
  void End(const TraceEvent& event, std::int64_t us, ProfileThread* thread);
  // At kResults.
  void FindSender(const TraceEvent& event, std::int64_t us,
                  ProfileThread* thread);
  // The calls of the thread will not end, as far as the trace tells.
  void GiveUp(ProfileThread* thread);

  ProfileRecordPtr NewRecord(const ProfileCall& call,
                             const ProfileThread& thread);
  // After a part has taken records.
  void ReleaseTaken() { ended_.ReleaseTaken(); }

 private:
  void GiveUpCall(const ProfileCall& call);
  void Count(const ProfileCall& call, std::int64_t end_us);
  void NoteEnd(const ProfileCall& call, std::int64_t us, ProfileThread* thread);

  const GraphProfileOptions& options_;
  ProfileRecords& records_;
  NodeProfiles& profiles_;
  EndedCalls ended_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_CALLS_H_
