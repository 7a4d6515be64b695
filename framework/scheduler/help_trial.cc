#include "framework/scheduler/help_trial.h"

#include <cstdint>

#include "glog/logging.h"

namespace syncline {
namespace {

bool MayFollow(HelpTrial::State from, HelpTrial::State to) {
  using State = HelpTrial::State;
  switch (to) {
    case State::kPausing:
      return true;
    case State::kMeasuring:
      return from == State::kPausing;
    case State::kAsked:
      return from == State::kMeasuring;
    case State::kTrying:
      return from == State::kAsked;
  }
  return false;
}

}  // namespace

void HelpTrial::Enter(State state) {
  DCHECK(MayFollow(state_, state))
      << static_cast<int>(state_) << " to " << static_cast<int>(state);
  state_ = state;
}

void HelpTrial::PauseFrom(std::uint64_t tasks) {
  Enter(State::kPausing);
  next_look_ = tasks + pause_;
}

bool HelpTrial::Look(std::uint64_t tasks, std::int64_t now_ns) {
  const Mark now = {tasks, now_ns};
  switch (state_) {
    case State::kPausing:
      Enter(State::kMeasuring);
      begin_ = now;
      next_look_ = tasks + kMeasuredTasks;
      return false;
    case State::kMeasuring:
      if (now_ns - begin_.ns < kMeasuredNs) {
        next_look_ = tasks + kMeasuredTasks;
        return false;
      }
      rate_before_ = RateSince(begin_, now);
      Enter(State::kAsked);
      return true;
    case State::kAsked:
      pause_ = LongerPause();
      PauseFrom(tasks);
      return false;
    case State::kTrying:
      return false;
  }
  return false;
}

void HelpTrial::Begin(std::uint64_t tasks, std::int64_t now_ns) {
  Enter(State::kTrying);
  begin_ = {tasks, now_ns};
}

bool HelpTrial::Judge(std::uint64_t tasks, std::int64_t now_ns) {
  if (rate_before_ == 0 || now_ns - begin_.ns < kTrialNs) return true;
  const Mark now = {tasks, now_ns};
  const bool pays = RateSince(begin_, now) >= kGain * rate_before_;
  begin_ = now;
  if (state_ == State::kTrying) {
    pause_ = pays ? kShortestPause : LongerPause();
    PauseFrom(tasks);
    failures_ = 0;
    return pays;
  }
  failures_ = pays ? 0 : failures_ + 1;
  if (failures_ < kMostFailures) return true;
  pause_ = LongerPause();
  PauseFrom(tasks);
  return false;
}

void HelpTrial::End(std::uint64_t tasks) {
  rate_before_ = 0;
  if (state_ != State::kTrying) return;
  pause_ = LongerPause();
  PauseFrom(tasks);
}

void HelpTrial::Interrupt(std::uint64_t tasks) {
  rate_before_ = 0;
  if (state_ == State::kPausing) return;
  if (state_ == State::kMeasuring) {
    next_look_ = tasks;
    Enter(State::kPausing);
    return;
  }
  pause_ = LongerPause();
  PauseFrom(tasks);
}

}  // namespace syncline
