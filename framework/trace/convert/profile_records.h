// ProfileRecords: the events of a GraphProfile that no part has taken yet.
//
// A record is made when something happens and may still change: a call gets
// what it sends after its end. Kept records are part of the next Take that
// reaches their time.
//
// Thread rule: for one thread at a time.
// Tested by graph_profile_builder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_RECORDS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "framework/config/calculator_profile.pb.h"
#include "framework/trace/convert/graph_profile_options.h"
#include "framework/trace/convert/profile_times.h"

namespace syncline {

// An event of the profile, before its base is known: all times and timestamps
// are absolute.
struct ProfileRecord {
  std::int64_t time_us = 0;
  // Of records with the same time, the one that was made first comes first.
  std::int64_t number = 0;
  GraphTrace::CalculatorTrace event;
  // It is in a part, and does not change any more.
  bool is_taken = false;
};
using ProfileRecordPtr = std::shared_ptr<ProfileRecord>;

class ProfileRecords {
 public:
  // The options outlive this.
  explicit ProfileRecords(const GraphProfileOptions& options)
      : options_(options) {}

  // `thread` is its number in the profile.
  ProfileRecordPtr New(GraphTrace::EventType type, std::int32_t node,
                       int thread);
  // An event with only a start_time.
  ProfileRecordPtr NewInstant(GraphTrace::EventType type, std::int32_t node,
                              std::int64_t us, int thread);

  // Whether events of this type are part of the profile.
  bool Has(GraphTrace::EventType type) const {
    return options_.has_events && options_.disabled_types.count(type) == 0;
  }
  // Makes it part of the profile, unless its type is left out.
  void Keep(const ProfileRecordPtr& record);

  // Moves what is not younger than that into the part, in the order of time.
  // What is older than the newest GraphProfileOptions::most_events is left out.
  void Take(std::int64_t until_us, const ProfileTimes& times, GraphTrace* part);
  // Events that were left out so far, as MediaPipe counts them.
  std::int64_t num_left_out() const { return num_left_out_; }

 private:
  void LeaveOutOldest();
  void SortByTime();

  const GraphProfileOptions& options_;
  std::int64_t num_records_ = 0;
  std::int64_t num_left_out_ = 0;
  std::vector<ProfileRecordPtr> kept_;
  // So many of them, the first, are in the order of time.
  std::size_t num_sorted_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_RECORDS_H_
