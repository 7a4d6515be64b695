// HelpTrial: whether a further thread makes a graph with short tasks faster.
//
// To wake a thread takes as long as a hundred short tasks, and a task that runs
// on another core than the last time drags its data along. Whether another
// thread gains anything depends on the graph (branches beside one another, or a
// chain) and on the machine (how far apart its cores are). So it is tried, and
// the tasks that all threads together run in a time are measured, before
// another thread comes and after.
//
//   kPausing ---- as many tasks as the pause ran --------> kMeasuring
//   kMeasuring -- kMeasuredTasks ran, in kMeasuredNs ----> kAsked: ask for one
//   kAsked ------ the thread is here (Begin) ------------> kTrying
//   kAsked ------ the thread was lost -------------------> kPausing, longer
//   kTrying ----- kTrialNs later (Judge), kGain faster --> kPausing, shortest
//   kTrying ----- kTrialNs later (Judge), or it left ----> kPausing, longer
//   kMeasuring -- nothing waited, or a task is long -----> kPausing, at its end
//   kAsked, kTrying -- the same (Interrupt) -------------> kPausing, longer
//
// A thread that stays is judged again and again, against the same measurement,
// and leaves when it has failed several judgements in a row. The pause becomes
// twice as long each time help has not paid, so what a graph that gains nothing
// loses is too little to measure.
//
// Thread rule: the owner has a lock for it.
// Tested by help_trial_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_HELP_TRIAL_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_HELP_TRIAL_H_

#include <algorithm>
#include <cstdint>

namespace syncline {

class HelpTrial {
 public:
  static constexpr std::uint64_t kMeasuredTasks = 512;
  static constexpr std::int64_t kMeasuredNs = 50'000;
  static constexpr std::int64_t kTrialNs = 1'000'000;
  // A second core for less than that would be a bad bargain.
  static constexpr double kGain = 1.2;
  // A thread that has paid once is sent away when it has not for so many times.
  static constexpr int kMostFailures = 3;
  static constexpr std::uint64_t kShortestPause = 2048;
  static constexpr std::uint64_t kLongestPause = std::uint64_t{1} << 22;

  enum class State { kPausing, kMeasuring, kAsked, kTrying };
  State state() const { return state_; }

  // `tasks`: how many tasks the threads of the queue have run so far.

  // Whether Look has something to decide.
  bool IsTimeToLook(std::uint64_t tasks) const { return tasks >= next_look_; }
  // No thread is on its way. True: ask for another one.
  bool Look(std::uint64_t tasks, std::int64_t now_ns);
  // The thread that was asked for is here. REQUIRES: state() is kAsked.
  void Begin(std::uint64_t tasks, std::int64_t now_ns);
  // Whether the last thread that came is to stay. It asks from time to time.
  bool Judge(std::uint64_t tasks, std::int64_t now_ns);
  // The last thread that came leaves.
  void End(std::uint64_t tasks);
  // What was measured is of no use: nothing waits, or something takes long.
  void Interrupt(std::uint64_t tasks);

 private:
  struct Mark {
    std::uint64_t tasks = 0;
    std::int64_t ns = 0;
  };

  void Enter(State state);
  void PauseFrom(std::uint64_t tasks);
  std::uint64_t LongerPause() const {
    return std::min(2 * pause_, kLongestPause);
  }
  // Tasks in a nanosecond since the mark.
  double RateSince(const Mark& mark, const Mark& now) const {
    return static_cast<double>(now.tasks - mark.tasks) /
           static_cast<double>(now.ns - mark.ns);
  }

  State state_ = State::kPausing;
  std::uint64_t pause_ = kShortestPause;
  std::uint64_t next_look_ = 0;
  // When the measurement, or the time that Judge looks at, began.
  Mark begin_;
  // The rate before the last thread came; 0: unknown, and nobody is judged.
  double rate_before_ = 0;
  // How often in a row Judge has found that a thread that stays does not pay.
  int failures_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_HELP_TRIAL_H_
