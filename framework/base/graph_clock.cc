#include "framework/base/graph_clock.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "framework/base/steady_time.h"

namespace syncline {
namespace {

constexpr std::int64_t kMaxNs = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMinNs = std::numeric_limits<std::int64_t>::min();

std::int64_t SaturatingSubtractNs(std::int64_t a_ns, std::int64_t b_ns) {
  std::int64_t difference;
  if (!__builtin_sub_overflow(a_ns, b_ns, &difference)) return difference;
  return b_ns < 0 ? kMaxNs : kMinNs;
}

// Any number as nanoseconds: what is too large becomes the limit, NaN 0.
std::int64_t SaturatingNs(long double ns) {
  if (std::isnan(ns)) return 0;
  // The greatest std::int64_t need not be a long double; 2^63 is.
  if (ns >= 0x1p63L) return kMaxNs;
  if (ns < -0x1p63L) return kMinNs;
  return static_cast<std::int64_t>(ns);
}

absl::Status CheckScale(absl::string_view what, double scale) {
  if (std::isfinite(scale) && scale > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("The ", what, " of a RealtimeClock is ", scale,
                   "; it must be a finite number above 0. 1 is the speed of "
                   "the machine's clock."));
}

absl::Status GoesBack(std::int64_t now_ns, std::int64_t target_ns) {
  return absl::FailedPreconditionError(
      absl::StrCat("The clock shows ", now_ns, " ns and cannot go back to ",
                   target_ns, " ns. Advance it to that time or a later one."));
}

}  // namespace

std::int64_t SaturatingAddNs(std::int64_t a_ns, std::int64_t b_ns) {
  std::int64_t sum;
  if (!__builtin_add_overflow(a_ns, b_ns, &sum)) return sum;
  return b_ns > 0 ? kMaxNs : kMinNs;
}

// --- GraphClock

void GraphClock::Sleep(absl::Duration duration) {
  if (duration <= absl::ZeroDuration()) return;
  SleepUntilNs(SaturatingAddNs(NowNs(), absl::ToInt64Nanoseconds(duration)));
}

void GraphClock::SleepUntil(absl::Time wake_time) {
  const std::int64_t target_ns = absl::ToUnixNanos(wake_time);
  if (NowNs() < target_ns) SleepUntilNs(target_ns);
}

void GraphClock::SleepUntilNs(std::int64_t target_ns) {
  num_sleeping_.fetch_add(1, std::memory_order_relaxed);
  WaitUntilNs(target_ns);
  num_sleeping_.fetch_sub(1, std::memory_order_relaxed);
}

absl::Status GraphClock::SleepFor(std::int64_t duration_ns) {
  if (duration_ns < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("A clock cannot sleep for ", duration_ns,
                     " ns: time does not go "
                     "back. Give a duration of 0 or more."));
  }
  Sleep(absl::Nanoseconds(duration_ns));
  return absl::OkStatus();
}

absl::Status GraphClock::AdvanceTo(std::int64_t target_ns) {
  return absl::FailedPreconditionError(absl::StrCat(
      "The clock cannot be advanced to ", target_ns,
      " ns: its time passes by itself. Use a ManualClock or a SyntheticClock "
      "where time is simulated."));
}

absl::Status GraphClock::AdvanceBy(std::int64_t duration_ns) {
  return AdvanceTo(SaturatingAddNs(NowNs(), duration_ns));
}

// --- RealtimeClock

std::int64_t RealtimeClock::Line::At(std::int64_t steady) const {
  const std::int64_t passed = SaturatingSubtractNs(steady, steady_ns);
  // Exact at the speed of the machine; at others a long double has the digits.
  const std::int64_t scaled =
      scale == 1.0 ? passed
                   : SaturatingNs(std::floor(static_cast<long double>(passed) *
                                             static_cast<long double>(scale)));
  return SaturatingAddNs(clock_ns, scaled);
}

std::int64_t RealtimeClock::Line::SteadyOf(std::int64_t target_ns) const {
  // What At() says for every time from somewhere on.
  if (target_ns == kMaxNs) return kMaxNs;
  const std::int64_t left = SaturatingSubtractNs(target_ns, clock_ns);
  if (scale == 1.0) return SaturatingAddNs(steady_ns, left);
  std::int64_t steady = SaturatingAddNs(
      steady_ns, SaturatingNs(std::ceil(static_cast<long double>(left) /
                                        static_cast<long double>(scale))));
  // The division may have been rounded to a time just before.
  for (int i = 0; i < 4 && steady < kMaxNs && At(steady) < target_ns; ++i) {
    ++steady;
  }
  return steady;
}

absl::StatusOr<std::shared_ptr<RealtimeClock>> RealtimeClock::Create(
    const Options& options) {
  SYNCLINE_RETURN_IF_ERROR(
      CheckScale("initial_time_scale", options.initial_time_scale));
  constexpr double kMaxSeconds = 9.2e9;
  if (!(std::abs(options.initial_time_offset) <= kMaxSeconds)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The initial_time_offset of a RealtimeClock is ",
        options.initial_time_offset, " s; it must be a number from ",
        -kMaxSeconds, " to ", kMaxSeconds,
        ": times are nanoseconds in 64 "
        "bits."));
  }
  return std::shared_ptr<RealtimeClock>(new RealtimeClock(
      options,
      options.use_time_since_epoch ? absl::ToUnixNanos(absl::Now()) : 0));
}

RealtimeClock::RealtimeClock() : RealtimeClock(Options(), 0) {}

RealtimeClock::RealtimeClock(const Options& options, std::int64_t epoch_ns)
    : steady_ns_(SteadyNowNs()),
      clock_ns_(SaturatingAddNs(
          epoch_ns,
          SaturatingNs(std::round(
              1e9L * static_cast<long double>(options.initial_time_offset))))),
      scale_(options.initial_time_scale) {}

// Every load but the last acquires, so none of them can be done after it; a
// store of a field releases the odd version before it. A reader that has seen a
// field of a new line therefore sees a new version, too.
RealtimeClock::Line RealtimeClock::Read(std::int64_t* steady_ns) const {
  for (;;) {
    const std::uint64_t version = version_.load(std::memory_order_acquire);
    Line line;
    line.steady_ns = steady_ns_.load(std::memory_order_acquire);
    line.clock_ns = clock_ns_.load(std::memory_order_acquire);
    line.scale = scale_.load(std::memory_order_acquire);
    // Within the two reads of the version: a later time might belong to a
    // slower line, and this one would be ahead of it.
    if (steady_ns != nullptr) *steady_ns = SteadyNowNs();
    if (version % 2 == 0 &&
        version == version_.load(std::memory_order_seq_cst)) {
      return line;
    }
  }
}

void RealtimeClock::Write(const Line& line) {
  steady_ns_.store(line.steady_ns, std::memory_order_release);
  clock_ns_.store(line.clock_ns, std::memory_order_release);
  scale_.store(line.scale, std::memory_order_release);
  version_.fetch_add(1, std::memory_order_release);
}

std::int64_t RealtimeClock::NowNs() {
  std::int64_t steady_ns;
  const Line line = Read(&steady_ns);
  return line.At(steady_ns);
}

std::int64_t RealtimeClock::SteadyNsOf(std::int64_t target_ns) {
  return Read().SteadyOf(target_ns);
}

absl::Status RealtimeClock::SetTimeScale(double scale) {
  SYNCLINE_RETURN_IF_ERROR(CheckScale("time scale", scale));
  {
    MutexLock lock(&mutex_);
    const Line old = Read();
    version_.fetch_add(1, std::memory_order_seq_cst);
    const std::int64_t steady_ns = SteadyNowNs();
    Write({steady_ns, old.At(steady_ns), scale});
    scale_changed_.SignalAll();
  }
  NotifyListeners();
  return absl::OkStatus();
}

void RealtimeClock::WaitUntilNs(std::int64_t target_ns) {
  // Looked at again after so long at the latest: nobody computes with times
  // that far away.
  constexpr std::int64_t kLongestNs = 3600LL * 1000 * 1000 * 1000;
  MutexLock lock(&mutex_);
  while (NowNs() < target_ns) {
    const std::int64_t until_ns = std::min(
        Read().SteadyOf(target_ns), SaturatingAddNs(SteadyNowNs(), kLongestNs));
    scale_changed_.WaitUntil(&mutex_, std::chrono::steady_clock::time_point(
                                          std::chrono::nanoseconds(until_ns)));
  }
}

// --- SteppedClock, SyntheticClock

std::int64_t SteppedClock::SteadyNsOf(std::int64_t target_ns) {
  return target_ns <= NowNs() ? kMinNs : kMaxNs;
}

template <typename TargetOf>
absl::Status SteppedClock::Advance(TargetOf target_of) {
  {
    MutexLock lock(&mutex_);
    const std::int64_t now_ns = NowNs();
    const std::int64_t target_ns = target_of(now_ns);
    if (target_ns < now_ns) return GoesBack(now_ns, target_ns);
    if (target_ns == now_ns) return absl::OkStatus();
    now_ns_.store(target_ns, std::memory_order_release);
    advanced_.SignalAll();
  }
  NotifyListeners();
  return absl::OkStatus();
}

absl::Status SteppedClock::AdvanceTo(std::int64_t target_ns) {
  return Advance([target_ns](std::int64_t) { return target_ns; });
}

absl::Status SteppedClock::AdvanceBy(std::int64_t duration_ns) {
  return Advance([duration_ns](std::int64_t now_ns) {
    return SaturatingAddNs(now_ns, duration_ns);
  });
}

void SyntheticClock::WaitUntilNs(std::int64_t target_ns) {
  MutexLock lock(&mutex_);
  while (NowNs() < target_ns) advanced_.Wait(&mutex_);
}

// --- MakeGraphClock

namespace {

absl::Status NotOfThisClock(absl::string_view clock,
                            absl::string_view parameter,
                            absl::string_view owner) {
  return absl::InvalidArgumentError(
      absl::StrCat("A ", clock, " has no parameter \"", parameter,
                   "\"; it belongs to ", owner, ". Remove it."));
}

absl::StatusOr<std::shared_ptr<GraphClock>> MakeRealtimeClock(
    const GraphClockParameters& given) {
  if (given.initial_timestamp) {
    return NotOfThisClock("RealtimeClock", "initial_timestamp",
                          "a ManualClock or a SyntheticClock");
  }
  RealtimeClock::Options options;
  options.initial_time_offset =
      given.initial_time_offset.value_or(options.initial_time_offset);
  options.initial_time_scale =
      given.initial_time_scale.value_or(options.initial_time_scale);
  options.use_time_since_epoch =
      given.use_time_since_epoch.value_or(options.use_time_since_epoch);
  return RealtimeClock::Create(options);
}

template <typename T>
absl::StatusOr<std::shared_ptr<GraphClock>> MakeSteppedClock(
    absl::string_view name, const GraphClockParameters& given) {
  for (const auto& [is_given, parameter] :
       {std::pair(given.initial_time_offset.has_value(), "initial_time_offset"),
        std::pair(given.initial_time_scale.has_value(), "initial_time_scale"),
        std::pair(given.use_time_since_epoch.has_value(),
                  "use_time_since_epoch")}) {
    if (is_given) return NotOfThisClock(name, parameter, "a RealtimeClock");
  }
  return std::make_shared<T>(given.initial_timestamp.value_or(0));
}

}  // namespace

absl::StatusOr<std::shared_ptr<GraphClock>> MakeGraphClock(
    absl::string_view name, const GraphClockParameters& parameters) {
  absl::string_view plain = name;
  for (const absl::string_view prefix :
       {"nvidia::gxf::", "holoscan::", "syncline::"}) {
    if (absl::ConsumePrefix(&plain, prefix)) break;
  }
  if (plain == "RealtimeClock") return MakeRealtimeClock(parameters);
  if (plain == "ManualClock") {
    return MakeSteppedClock<ManualClock>(plain, parameters);
  }
  if (plain == "SyntheticClock") {
    return MakeSteppedClock<SyntheticClock>(plain, parameters);
  }
  const std::vector<std::string> known = {"RealtimeClock", "ManualClock",
                                          "SyntheticClock"};
  return absl::NotFoundError(absl::StrCat("There is no clock called \"", name,
                                          "\".",
                                          DidYouMeanOrKnownText(plain, known)));
}

}  // namespace syncline
