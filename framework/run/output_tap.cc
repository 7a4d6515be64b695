#include "framework/run/output_tap.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/status_text.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {

Timestamp ObservedTime(Timestamp bound) {
  if (bound >= Timestamp::OneOverPostStream()) return Timestamp::Unstarted();
  return bound.PreviousAllowedInStream();
}

// --- Observer

Observer::Observer(int stream, std::string stream_name, Callback callback)
    : OutputTap(stream),
      stream_name_(std::move(stream_name)),
      callback_(std::move(callback)) {}

OutputTap::Facts Observer::Deliver(absl::Span<const Packet> packets,
                                   Timestamp bound) {
  // A delivery without packets only has a bound, and several such deliveries
  // may run at once.
  if (packets.empty() || has_failed_) return {};
  Facts facts;
  facts.has_seen = true;
  for (const Packet& packet : packets) {
    facts.status = Call(packet);
    has_failed_ = !facts.status.ok();
    if (has_failed_) break;
  }
  return facts;
}

absl::Status Observer::Call(const Packet& packet) {
  absl::Status status = CallUserCode([&] { return callback_(packet); });
  if (ABSL_PREDICT_TRUE(status.ok())) return status;
  return PrefixStatus(
      absl::StrCat("The observer of stream \"", stream_name_, "\" failed at ",
                   packet.Timestamp().DebugString(), ": "),
      status);
}

// --- BoundObserver

BoundObserver::BoundObserver(int stream, std::string stream_name,
                             Callback callback, Tells tells,
                             TimesCallback times_callback)
    : Observer(stream, std::move(stream_name), std::move(callback)),
      tells_(tells),
      times_callback_(std::move(times_callback)) {}

absl::Status BoundObserver::DeliverTimes(absl::Span<const Packet> packets,
                                         absl::Span<const PacketTimes> times) {
  if (times_callback_ == nullptr) return absl::OkStatus();
  for (std::size_t i = 0; i < packets.size(); ++i) {
    absl::Status status =
        CallUserCode([&] { return times_callback_(packets[i], times[i]); });
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

Timestamp BoundObserver::TimeOf(Timestamp bound) const {
  return tells_ == Tells::kBound ? bound : ObservedTime(bound);
}

Timestamp BoundObserver::TimeAfter(Timestamp timestamp) const {
  return tells_ == Tells::kBound ? timestamp.NextAllowedInStream() : timestamp;
}

void BoundObserver::StartRun() {
  Observer::StartRun();
  // A run that ran out of memory may have left packets here.
  telling_.clear();
  // Outlives the lock, so that packets are released without it.
  std::vector<Packet> old;
  MutexLock lock(&mutex_);
  old.swap(untold_);
  is_telling_ = false;
  last_ = TimeOf(Timestamp::PreStream());
}

OutputTap::Facts BoundObserver::Deliver(absl::Span<const Packet> packets,
                                        Timestamp bound) {
  {
    MutexLock lock(&mutex_);
    for (const Packet& packet : packets) {
      untold_.push_back(packet);
      last_ = TimeAfter(packet.Timestamp());
    }
    if (TimeOf(bound) > last_) {
      last_ = TimeOf(bound);
      untold_.push_back(Packet().At(last_));
    }
    if (untold_.empty() || is_telling_) return {};
    is_telling_ = true;
    telling_.swap(untold_);
  }
  Facts facts;
  for (;;) {
    const Facts told = Observer::Deliver(telling_, bound);
    facts.has_seen |= told.has_seen;
    facts.status.Update(told.status);
    telling_.clear();
    MutexLock lock(&mutex_);
    telling_.swap(untold_);
    if (!telling_.empty()) continue;
    // From here on `telling_` may belong to another thread.
    is_telling_ = false;
    return facts;
  }
}

}  // namespace syncline
