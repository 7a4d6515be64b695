#include "testing/simulated_clock.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/base/cond_var.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// The last permit that this thread took and did not give back.
thread_local SimulatedClock::Permit* innermost_permit = nullptr;

}  // namespace

SimulatedClock::SimulatedClock(SimulatedClockOptions options)
    : options_(std::move(options)),
      now_(options_.start),
      limit_(options_.advances_by_itself ? absl::InfiniteFuture() : now_) {}

SimulatedClock::~SimulatedClock() {
  MutexLock lock(&mutex_);
  DCHECK(sleeping_threads_ == 0 && holder_ == nullptr && line_.empty())
      << ExplainLocked();
}

absl::Time SimulatedClock::TimeNow() {
  MutexLock lock(&mutex_);
  return now_;
}

void SimulatedClock::Sleep(absl::Duration duration) {
  SleepUntil(TimeNow() + duration);
}

void SimulatedClock::SleepUntil(absl::Time wake_time) {
  const auto me = std::make_shared<Sleeper>();
  me->permit = MyPermit();
  MutexLock lock(&mutex_);
  if (me->permit != nullptr) {
    DCHECK(holder_ == me->permit) << "asleep in a function of CallAt";
    holder_ = nullptr;
  } else if (running_threads_ > 0) {
    me->is_registered = true;
    --running_threads_;
  }
  // Who asks for a time that is over waits behind who asked for now.
  sleepers_.emplace(Key(std::max(wake_time, now_), sleeps_++), me);
  ++sleeping_threads_;
  StartNext();
  while (!me->is_awake) WaitOrReport(&me->wake);
}

SimulatedClock* SimulatedClock::OfThisThread() {
  return innermost_permit == nullptr ? nullptr : innermost_permit->clock_;
}

SimulatedClock::Permit* SimulatedClock::MyPermit() const {
  Permit* permit = innermost_permit;
  while (permit != nullptr && permit->clock_ != this) permit = permit->outer_;
  return permit;
}

void SimulatedClock::ThreadStart() {
  MutexLock lock(&mutex_);
  ++running_threads_;
  ++steps_;
}

void SimulatedClock::ThreadFinish() {
  MutexLock lock(&mutex_);
  if (running_threads_ == 0) {
    ReportMisuse(absl::FailedPreconditionError(
        "ThreadFinish() of a simulated clock on which no thread runs; call "
        "ThreadStart() once before each ThreadFinish()."));
  }
  --running_threads_;
  StartNext();
}

void SimulatedClock::AdvanceTo(absl::Time time) {
  MutexLock lock(&mutex_);
  if (options_.advances_by_itself || time == absl::InfiniteFuture()) {
    ReportMisuse(absl::FailedPreconditionError(absl::StrCat(
        "AdvanceTo(", absl::FormatTime(time, absl::UTCTimeZone()),
        "): takes a finite time, and a SimulatedClock with "
        "advances_by_itself = false; with true, sleep until then.")));
  }
  limit_ = std::max(limit_, time);
  is_advancing_ = true;
  StartNext();
  while (SomebodyRuns() || MayWake()) WaitOrReport(&changed_);
  is_advancing_ = false;
  now_ = std::max(now_, limit_);
}

void SimulatedClock::AdvanceBy(absl::Duration duration) {
  AdvanceTo(TimeNow() + duration);
}

void SimulatedClock::WaitForSleepers(int count) {
  MutexLock lock(&mutex_);
  while (sleeping_threads_ < count) WaitOrReport(&changed_);
}

void SimulatedClock::CallAt(absl::Time time, std::function<void()> function) {
  const auto call = std::make_shared<Sleeper>();
  call->call = std::move(function);
  MutexLock lock(&mutex_);
  sleepers_.emplace(Key(std::max(time, now_), sleeps_++), call);
  StartNext();
}

void SimulatedClock::JoinLine(Permit* permit) {
  MutexLock lock(&mutex_);
  line_.push_back(permit);
  StartNext();
}

void SimulatedClock::Take(Permit* permit) {
  permit->clock_ = this;
  permit->outer_ = innermost_permit;
  innermost_permit = permit;
  MutexLock lock(&mutex_);
  while (holder_ != permit) WaitOrReport(&permit->given_);
}

void SimulatedClock::GiveBack(Permit* permit) {
  DCHECK(innermost_permit == permit) << "permits end in reverse order";
  innermost_permit = permit->outer_;
  MutexLock lock(&mutex_);
  DCHECK(holder_ == permit);
  holder_ = nullptr;
  StartNext();
}

bool SimulatedClock::MayWake() const {
  if (sleepers_.empty()) return false;
  const absl::Time first = sleepers_.begin()->first.first;
  return first <= limit_ && first != absl::InfiniteFuture();
}

void SimulatedClock::StartNext() {
  ++steps_;
  while (holder_ == nullptr && !is_calling_) {
    if (!line_.empty()) {
      holder_ = line_.front();
      line_.pop_front();
      holder_->given_.SignalAll();
    } else if (running_threads_ > 0 || !MayWake()) {
      break;
    } else {
      WakeFirst();
    }
  }
  changed_.SignalAll();
}

void SimulatedClock::WakeFirst() {
  const auto first = sleepers_.begin();
  const std::shared_ptr<Sleeper> sleeper = std::move(first->second);
  now_ = std::max(now_, first->first.first);
  sleepers_.erase(first);
  ++steps_;
  if (sleeper->call != nullptr) {
    is_calling_ = true;
    {
      const MutexUnlock unlock(&mutex_);
      sleeper->call();
      sleeper->call = nullptr;
    }
    is_calling_ = false;
    return;
  }
  --sleeping_threads_;
  holder_ = sleeper->permit;
  if (sleeper->is_registered) ++running_threads_;
  sleeper->is_awake = true;
  sleeper->wake.SignalAll();
}

void SimulatedClock::WaitOrReport(CondVar* condition) {
  const std::uint64_t before = steps_;
  const bool timed_out =
      condition->WaitWithTimeout(&mutex_, options_.stuck_after);
  const bool time_should_move =
      options_.advances_by_itself || is_advancing_ || !line_.empty();
  if (timed_out && steps_ == before && reported_step_ != before &&
      time_should_move && SomebodyRuns()) {
    reported_step_ = before;
    ReportStuck();
  }
}

void SimulatedClock::ReportStuck() {
  const std::string text = ExplainLocked();
  const MutexUnlock unlock(&mutex_);
  if (options_.on_stuck != nullptr) {
    options_.on_stuck(text);
  } else {
    LOG(FATAL) << text;
  }
}

std::string SimulatedClock::Explain() const {
  MutexLock lock(&mutex_);
  return ExplainLocked();
}

std::string SimulatedClock::ExplainLocked() const {
  const auto text_of = [](absl::Time time) {
    return absl::FormatTime(time, absl::UTCTimeZone());
  };
  const auto name_of = [](const Permit& permit) {
    return absl::StrCat("\"", permit.name_, "\"");
  };
  std::string text = absl::StrCat("Simulated time is ", text_of(now_), ".");
  if (SomebodyRuns()) absl::StrAppend(&text, " It stands still for:");
  if (holder_ != nullptr) {
    absl::StrAppend(&text, "\n  ", name_of(*holder_), ", which has the permit");
  }
  for (const Permit* const permit : line_) {
    absl::StrAppend(&text, "\n  ", name_of(*permit),
                    ", which waits for a permit");
  }
  if (running_threads_ > 0) {
    absl::StrAppend(&text, "\n  ", running_threads_,
                    " threads after ThreadStart()");
  }
  if (is_calling_) absl::StrAppend(&text, "\n  a function of CallAt()");
  if (SomebodyRuns()) {
    absl::StrAppend(&text,
                    "\nOne that never sleeps nor finishes, or waits for "
                    "something other than this clock, stops time for all: let "
                    "it wait with Sleep(), or not be registered while it waits "
                    "for others.");
  }
  for (const auto& [key, sleeper] : sleepers_) {
    absl::StrAppend(&text, "\nUntil ", text_of(key.first), ": ",
                    sleeper->call != nullptr     ? "a function of CallAt()"
                    : sleeper->permit != nullptr ? name_of(*sleeper->permit)
                                                 : "a thread");
  }
  return text;
}

SimulatedThread::SimulatedThread(SimulatedClock* clock, absl::string_view name)
    : clock_(clock), permit_(name) {
  clock_->JoinLine(&permit_);
  clock_->Take(&permit_);
}

SimulatedThread::~SimulatedThread() { clock_->GiveBack(&permit_); }

}  // namespace syncline
