// CurrentRun: the run that goes on, or the last one, for callers on any thread.
//
// A thread may call Cancel() or add a packet at any time, also while another
// one sees the run end and starts the next. So a run that is no longer current
// is kept while somebody may still be in it:
//
//   caller                          who starts the next run
//   count up, load the pointer      store the pointer, look at the count
//   ... use the run                 0: nobody can have an old pointer,
//   count down                         so old runs go; else the next time
//
// A caller pays two atomic operations, and nobody ever waits.
//
// Thread rule: Get on any thread; Set and Clear one at a time.
// Tested by current_run_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_CURRENT_RUN_H_
#define SYNCLINE_FRAMEWORK_GRAPH_CURRENT_RUN_H_

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace syncline {

// `Run` is the class of a run.
template <typename Run>
class CurrentRun {
 public:
  // Keeps the run for as long as it lives; null if there was none yet.
  class Ref {
   public:
    explicit Ref(const CurrentRun* holder) : holder_(holder) {
      holder->callers_.fetch_add(1);
      run_ = holder->current_.load();
    }
    ~Ref() { holder_->callers_.fetch_sub(1); }
    Ref(const Ref&) = delete;
    Ref& operator=(const Ref&) = delete;

    explicit operator bool() const { return run_ != nullptr; }
    Run* operator->() const { return run_; }
    Run& operator*() const { return *run_; }

   private:
    const CurrentRun* const holder_;
    Run* run_;
  };

  CurrentRun() = default;
  CurrentRun(const CurrentRun&) = delete;
  CurrentRun& operator=(const CurrentRun&) = delete;

  Ref Get() const { return Ref(this); }

  void Set(std::shared_ptr<Run> run) {
    Run* const current = run.get();
    runs_.push_back(std::move(run));
    current_.store(current);
    if (callers_.load() == 0) runs_.erase(runs_.begin(), runs_.end() - 1);
  }
  // Lets go of all runs. REQUIRES: nobody calls Get any more.
  void Clear() {
    current_.store(nullptr);
    runs_.clear();
  }

 private:
  mutable std::atomic<int> callers_{0};
  std::atomic<Run*> current_{nullptr};
  // The last one is current.
  std::vector<std::shared_ptr<Run>> runs_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_CURRENT_RUN_H_
