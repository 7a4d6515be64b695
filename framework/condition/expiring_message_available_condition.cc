#include "framework/condition/expiring_message_available_condition.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/graph_clock.h"
#include "framework/base/status_macros.h"
#include "framework/condition/condition.h"
#include "framework/config/conditions.pb.h"
#include "framework/packet/timestamp.h"

namespace syncline {

absl::Status ExpiringMessageAvailableCondition::Initialize(
    ConditionSetup* setup) {
  const auto& options =
      setup->Options<ExpiringMessageAvailableConditionOptions>();
  SYNCLINE_ASSIGN_OR_RETURN(input_,
                            setup->Input("receiver", options.receiver()));
  if (!options.has_max_batch_size() || options.max_batch_size() < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.has_max_batch_size()
            ? absl::StrCat("max_batch_size is ", options.max_batch_size())
            : "max_batch_size is not set",
        "; set how many packets are enough, at least 1."));
  }
  if (!options.has_max_delay_ns() || options.max_delay_ns() < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.has_max_delay_ns()
            ? absl::StrCat("max_delay_ns is ", options.max_delay_ns())
            : "max_delay_ns is not set",
        "; set how long a packet may wait, in nanoseconds, at least 0."));
  }
  max_batch_size_ = options.max_batch_size();
  max_delay_ns_ = options.max_delay_ns();
  counts_from_arrival_ =
      options.age_from() == ExpiringMessageAvailableConditionOptions::ARRIVAL;
  is_arrival_ = options.has_age_from();
  if (counts_from_arrival_) {
    setup->WatchArrivals(input_);
  } else {
    setup->WatchFront(input_);
  }
  return absl::OkStatus();
}

std::int64_t ExpiringMessageAvailableCondition::ExpiryNs(
    const NodeFacts::Input& input) const {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (counts_from_arrival_) {
    const bool from_acquisition =
        !is_arrival_ && input.front_acquisition_ns.has_value();
    return SaturatingAddNs(
        from_acquisition ? *input.front_acquisition_ns : input.front_arrival_ns,
        max_delay_ns_);
  }
  const Timestamp timestamp = input.front.Timestamp();
  // PreStream and PostStream are no times.
  if (!timestamp.IsRangeValue())
    return std::numeric_limits<std::int64_t>::min();
  const std::int64_t microseconds = timestamp.Value();
  if (microseconds > kMax / 1000) return kMax;
  return SaturatingAddNs(std::max(microseconds, -(kMax / 1000)) * 1000,
                         max_delay_ns_);
}

absl::StatusOr<ConditionResult> ExpiringMessageAvailableCondition::Check(
    const NodeFacts& facts) {
  const NodeFacts::Input& input = facts.inputs[input_];
  if (input.is_done || input.queued >= max_batch_size_) {
    return ConditionResult::Ready();
  }
  if (input.queued == 0) return ConditionResult::Wait("a packet");
  const std::int64_t expiry_ns = ExpiryNs(input);
  if (expiry_ns <= facts.now_ns) return ConditionResult::Ready();
  return ConditionResult::WaitUntil(expiry_ns,
                                    "more packets, or the oldest one's time");
}

REGISTER_CONDITION(ExpiringMessageAvailableCondition);
REGISTER_CONDITION_ALIAS(ExpiringMessageAvailableCondition,
                         ExpiringMessageAvailableSchedulingTerm);

}  // namespace syncline
