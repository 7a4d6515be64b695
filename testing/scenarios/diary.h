// Diary: what happened to the calculators of a test, in order.
//
// Unlike CallOrder, for more than names of nodes: an entry is any text.
//
// Thread rule: any thread.

#ifndef SYNCLINE_TESTING_SCENARIOS_DIARY_H_
#define SYNCLINE_TESTING_SCENARIOS_DIARY_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"

namespace syncline {

class Diary {
 public:
  void Add(std::string entry) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    entries_.push_back(std::move(entry));
  }
  // The entries so far; starts anew.
  std::vector<std::string> Take() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return std::exchange(entries_, {});
  }

 private:
  Mutex mutex_;
  std::vector<std::string> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_SCENARIOS_DIARY_H_
