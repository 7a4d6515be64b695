#include "gpu/device_clock.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"

namespace syncline::gpu {
namespace {

constexpr std::int64_t kMicrosecond = 1000;
constexpr std::int64_t kMillisecond = 1000 * kMicrosecond;

// How many events are compared at a time, and how long each is looked at.
constexpr int kProbes = 4;
constexpr std::int64_t kPatience = 50 * kMicrosecond;
// A comparison that is as tight as this one is enough for a second.
constexpr std::int64_t kTight = 20 * kMicrosecond;
constexpr std::int64_t kIntervalIfTight = 1000 * kMillisecond;
constexpr std::int64_t kIntervalIfLoose = 20 * kMillisecond;
// A stream without other work comes to an event in about this time, which
// matters where the host looked late.
constexpr std::int64_t kUsualDelay = 20 * kMicrosecond;
// By how much of the time that goes by two clocks may drift apart.
constexpr std::int64_t kDriftPerMillion = 100;

}  // namespace

DeviceClock::~DeviceClock() {
  MutexLock lock(&compare_mutex_);
  probe_.reset();
  if (stream_.has_value()) device_->driver().DropStream(*stream_);
}

std::int64_t DeviceClock::HostNow() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// --- Comparisons

void DeviceClock::Compare() {
  if (!compare_mutex_.TryLock()) return;
  if (HostNow() >= due_ns_) {
    CompareLocked();
  } else if (probe_.has_value() && best() == nullptr) {
    // Times wait for it.
    absl::StatusOr<std::shared_ptr<const Comparison>> first = EndProbe(0);
    if (first.ok() && *first != nullptr) KeepIfBetter(*std::move(first));
  }
  compare_mutex_.Unlock();
}

absl::Status DeviceClock::WaitForFirst() {
  MutexLock lock(&compare_mutex_);
  if (best() != nullptr) return absl::OkStatus();
  SYNCLINE_RETURN_IF_ERROR(BeginProbe());
  SYNCLINE_RETURN_IF_ERROR(probe_->event.HostWait());
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<const Comparison> comparison,
                            EndProbe(0));
  if (comparison != nullptr) KeepIfBetter(std::move(comparison));
  return absl::OkStatus();
}

void DeviceClock::CompareLocked() {
  for (int i = 0; i < kProbes; ++i) {
    if (!BeginProbe().ok()) break;
    absl::StatusOr<std::shared_ptr<const Comparison>> comparison =
        EndProbe(kPatience);
    if (!comparison.ok() || *comparison == nullptr) break;
    KeepIfBetter(*std::move(comparison));
  }
  const std::shared_ptr<const Comparison> found = best();
  const std::int64_t now = HostNow();
  // An old comparison is no reason to be content.
  const bool is_tight = found != nullptr && found->error_ns <= kTight &&
                        now - found->seen_ns < kIntervalIfTight;
  due_ns_ = now + (is_tight ? kIntervalIfTight : kIntervalIfLoose);
}

absl::Status DeviceClock::BeginProbe() {
  if (probe_.has_value()) return absl::OkStatus();
  if (!stream_.has_value()) {
    // Flag 1: it does not wait for other streams.
    SYNCLINE_ASSIGN_OR_RETURN(stream_,
                              device_->driver().MakeStream({.flags = 1}));
  }
  Probe probe;
  SYNCLINE_ASSIGN_OR_RETURN(probe.event, TimeEvent::Take(device_));
  probe.not_ended_ns = HostNow();
  SYNCLINE_RETURN_IF_ERROR(probe.event.RecordOn(*stream_));
  probe_ = std::move(probe);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const DeviceClock::Comparison>>
DeviceClock::EndProbe(std::int64_t patience_ns) {
  const std::int64_t give_up_ns = HostNow() + patience_ns;
  for (;;) {
    const std::int64_t asked_ns = HostNow();
    const absl::StatusOr<bool> has_ended = probe_->event.HasEnded();
    if (!has_ended.ok()) {
      probe_.reset();
      return has_ended.status();
    }
    if (*has_ended) break;
    probe_->not_ended_ns = asked_ns;
    if (asked_ns >= give_up_ns) return nullptr;
    std::this_thread::yield();
  }
  auto comparison = std::make_shared<Comparison>();
  comparison->seen_ns = HostNow();
  comparison->event = std::move(probe_->event);
  const std::int64_t width = comparison->seen_ns - probe_->not_ended_ns;
  const std::int64_t delay = std::min(width / 2, kUsualDelay);
  comparison->host_ns = probe_->not_ended_ns + delay;
  comparison->error_ns = width - delay;
  probe_.reset();
  return comparison;
}

void DeviceClock::KeepIfBetter(std::shared_ptr<const Comparison> comparison) {
  MutexLock lock(&mutex_);
  if (best_ != nullptr) {
    const std::int64_t drift =
        (comparison->seen_ns - best_->seen_ns) / 1'000'000 * kDriftPerMillion;
    if (comparison->error_ns > best_->error_ns + drift) return;
  }
  // The old one goes when the lock has: its event goes back to the device.
  best_.swap(comparison);
}

std::shared_ptr<const DeviceClock::Comparison> DeviceClock::best() const {
  MutexLock lock(&mutex_);
  return best_;
}

// --- Times

absl::StatusOr<std::int64_t> DeviceClock::HostTimeOf(
    const TimeEvent& event) const {
  const std::shared_ptr<const Comparison> reference = best();
  if (reference == nullptr) {
    return absl::UnavailableError(
        absl::StrCat("the clock of ", device_->name(),
                     " has not been compared with that of the host so far"));
  }
  SYNCLINE_ASSIGN_OR_RETURN(const std::int64_t since,
                            reference->event.NanosecondsUntil(event));
  return reference->host_ns + since;
}

absl::optional<std::int64_t> DeviceClock::error_ns() const {
  const std::shared_ptr<const Comparison> reference = best();
  if (reference == nullptr) return absl::nullopt;
  return reference->error_ns;
}

}  // namespace syncline::gpu
