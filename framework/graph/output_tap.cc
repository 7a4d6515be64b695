#include "framework/graph/output_tap.h"

#include <string>
#include <utility>
#include <vector>

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

Observer::Observer(int stream, std::string stream_name, Callback callback,
                   bool observes_bounds)
    : OutputTap(stream),
      stream_name_(std::move(stream_name)),
      callback_(std::move(callback)),
      observes_bounds_(observes_bounds) {}

void Observer::StartRun() {
  MutexLock lock(&mutex_);
  untold_.clear();
  has_failed_ = false;
  last_ = Timestamp::Unstarted();
}

OutputTap::Facts Observer::Deliver(absl::Span<const Packet> packets,
                                   Timestamp bound) {
  std::vector<Packet> telling;
  {
    MutexLock lock(&mutex_);
    if (has_failed_) return {};
    for (const Packet& packet : packets) {
      untold_.push_back(packet);
      last_ = packet.Timestamp();
    }
    if (observes_bounds_ && ObservedTime(bound) > last_) {
      last_ = ObservedTime(bound);
      untold_.push_back(Packet().At(last_));
    }
    if (untold_.empty() || is_telling_) return {};
    is_telling_ = true;
    telling.swap(untold_);
  }
  Facts facts;
  facts.has_seen = true;
  while (!telling.empty()) {
    for (const Packet& packet : telling) {
      facts.status = Call(packet);
      if (!facts.status.ok()) break;
    }
    telling.clear();
    MutexLock lock(&mutex_);
    has_failed_ = !facts.status.ok();
    if (has_failed_) untold_.clear();
    telling.swap(untold_);
    if (telling.empty()) is_telling_ = false;
  }
  return facts;
}

absl::Status Observer::Call(const Packet& packet) {
  return PrefixStatus(
      absl::StrCat("The observer of stream \"", stream_name_, "\" failed at ",
                   packet.Timestamp().DebugString(), ": "),
      CallUserCode([&] { return callback_(packet); }));
}

}  // namespace syncline
