// SimulatedClock: time moves only when told, or when nothing else can run.
//
//   SimulatedClock clock;
//   std::thread sleeper([&] {
//     SimulatedThread registered(&clock);
//     clock.Sleep(absl::Hours(3));          // microseconds
//   });
//
// WHO RUNS. The clock has to know who could still do something at the present
// time. Those are
//   - threads between ThreadStart and ThreadFinish that do not sleep on it,
//   - permits (see below) that wait or have been given.
// While there is one of these, time stands still. When there is none, it jumps
// to the earliest time that somebody sleeps for, and exactly one sleeper wakes:
// of several with the same time, the one that fell asleep first. The next wakes
// when that one has come to rest. A sleep of zero lets all others run first.
//
// TOLD. With `advances_by_itself` false, the same happens inside of AdvanceTo,
// up to the time it was given, and not otherwise.
//
// PERMITS make a simulation repeat itself. Threads that only start and finish
// run at the same time, in an order of their own. Of those that hold permits,
// one runs at a time, first come, first served, and gives its permit away while
// it sleeps. SimulatedThread and the threads of SimulationClockExecutor take
// permits. So a thread with a permit must not wait for another one but by
// sleeping; the graph's own waits (WaitUntilDone, WaitUntilIdle) are for a
// thread without a permit.
//
// STUCK. A thread that runs on and neither sleeps nor finishes, or that waits
// for something other than this clock, stops time for all. If another thread
// sleeps meanwhile and nothing has happened for `stuck_after` of real time, the
// clock calls on_stuck with the threads that it waits for. By default that ends
// the process.
//
// A thread that sleeps without having been registered is woken like others, and
// nobody waits for it afterwards. It must not sleep while others are
// registered: it would be taken for one of them.
//
// Conditions and others without a thread of their own use CallAt.
//
// Thread rule: any thread. Nothing is called with the lock held.
// Tested by simulated_clock_test.

#ifndef SYNCLINE_TESTING_SIMULATED_CLOCK_H_
#define SYNCLINE_TESTING_SIMULATED_CLOCK_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/base/clock.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"

namespace syncline {

struct SimulatedClockOptions {
  absl::Time start = absl::UnixEpoch();
  bool advances_by_itself = true;
  // Of real time.
  absl::Duration stuck_after = absl::Minutes(1);
  // Called with Explain(), on a thread that waits. Null: logs it and ends the
  // process.
  std::function<void(const std::string&)> on_stuck;
};

class SimulatedClock : public Clock {
 public:
  class Permit;

  explicit SimulatedClock(SimulatedClockOptions options = {});
  // REQUIRES: nobody sleeps, and nobody has a permit. Calls to come are
  // dropped.
  ~SimulatedClock() override;
  SimulatedClock(const SimulatedClock&) = delete;
  SimulatedClock& operator=(const SimulatedClock&) = delete;

  absl::Time TimeNow() override ABSL_LOCKS_EXCLUDED(mutex_);
  void Sleep(absl::Duration duration) override ABSL_LOCKS_EXCLUDED(mutex_);
  // Never returns from a sleep until InfiniteFuture.
  void SleepUntil(absl::Time wake_time) override ABSL_LOCKS_EXCLUDED(mutex_);

  // The clock of the permit that this thread holds, or null: what a calculator
  // on a SimulationClockExecutor is timed by.
  static SimulatedClock* OfThisThread();

  // --- Threads. Starting may be done in advance, on another thread.
  void ThreadStart() ABSL_LOCKS_EXCLUDED(mutex_);
  void ThreadFinish() ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Telling. REQUIRES: not advances_by_itself, and not on a registered
  // thread. Returns when everything up to that time has come to rest. A time in
  // the past only waits for that.
  void AdvanceTo(absl::Time time) ABSL_LOCKS_EXCLUDED(mutex_);
  void AdvanceBy(absl::Duration duration) ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits, in real time, until so many threads sleep.
  void WaitForSleepers(int count) ABSL_LOCKS_EXCLUDED(mutex_);

  // Calls `function` at that time, in its place among the sleepers, on whatever
  // thread has just come to rest; that thread may hold locks of its own. Time
  // stands still meanwhile. The function must not sleep.
  void CallAt(absl::Time time, std::function<void()> function)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // --- Permits, for executors.

  // Puts the permit at the end of the line; from now on it counts as running.
  void JoinLine(Permit* permit) ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits for it, and holds it on this thread.
  void Take(Permit* permit) ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends it, on the thread that took it.
  void GiveBack(Permit* permit) ABSL_LOCKS_EXCLUDED(mutex_);

  // What time it is, who runs, and who sleeps until when.
  std::string Explain() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // A thread that sleeps, or a call to come.
  struct Sleeper {
    Permit* permit = nullptr;    // held when it fell asleep
    bool is_registered = false;  // without a permit
    std::function<void()> call;  // null for a thread
    bool is_awake = false;
    CondVar wake;
  };
  using Key = std::pair<absl::Time, std::uint64_t>;

  bool SomebodyRuns() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return holder_ != nullptr || !line_.empty() || running_threads_ > 0 ||
           is_calling_;
  }
  // There is a sleeper whose time may come now.
  bool MayWake() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // To be called after whatever makes somebody stop running: gives the next
  // permit, or else wakes the next sleeper. May release the lock meanwhile.
  void StartNext() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WakeFirst() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // One wait, after which the caller tests its condition again.
  void WaitOrReport(CondVar* condition) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Releases the lock meanwhile.
  void ReportStuck() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The permit of this clock that the calling thread holds, or null.
  Permit* MyPermit() const;
  std::string ExplainLocked() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const SimulatedClockOptions options_;

  mutable Mutex mutex_;
  absl::Time now_ ABSL_GUARDED_BY(mutex_);
  // How far time may go.
  absl::Time limit_ ABSL_GUARDED_BY(mutex_);
  // By time, then by the order in which they came.
  std::map<Key, std::shared_ptr<Sleeper>> sleepers_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t sleeps_ ABSL_GUARDED_BY(mutex_) = 0;
  int sleeping_threads_ ABSL_GUARDED_BY(mutex_) = 0;

  int running_threads_ ABSL_GUARDED_BY(mutex_) = 0;
  Permit* holder_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::deque<Permit*> line_ ABSL_GUARDED_BY(mutex_);
  bool is_calling_ ABSL_GUARDED_BY(mutex_) = false;

  // Grows whenever something happens.
  std::uint64_t steps_ ABSL_GUARDED_BY(mutex_) = 1;
  std::uint64_t reported_step_ ABSL_GUARDED_BY(mutex_) = 0;
  // AdvanceTo waits.
  bool is_advancing_ ABSL_GUARDED_BY(mutex_) = false;
  CondVar changed_;
};

// The right to run, one at a time.
class SimulatedClock::Permit {
 public:
  explicit Permit(absl::string_view name = "") : name_(name) {}
  Permit(const Permit&) = delete;
  Permit& operator=(const Permit&) = delete;

 private:
  friend class SimulatedClock;
  const std::string name_;
  CondVar given_;
  // For the thread that holds it: whose it is, and the one of another clock
  // that it held before.
  SimulatedClock* clock_ = nullptr;
  Permit* outer_ = nullptr;
};

// This thread takes part, with a permit, while in scope.
class SimulatedThread {
 public:
  explicit SimulatedThread(SimulatedClock* clock,
                           absl::string_view name = "a SimulatedThread");
  ~SimulatedThread();
  SimulatedThread(const SimulatedThread&) = delete;
  SimulatedThread& operator=(const SimulatedThread&) = delete;

 private:
  SimulatedClock* const clock_;
  SimulatedClock::Permit permit_;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_SIMULATED_CLOCK_H_
