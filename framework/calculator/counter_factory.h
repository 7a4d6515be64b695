// CounterFactory, CounterSet: where the counters of a graph come from and where
// they are kept; counter.h has the counter itself.
//
// Thread rule: everything here is safe from any thread.
// Tested by counter_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_COUNTER_FACTORY_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_COUNTER_FACTORY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/calculator/counter.h"

namespace syncline {

// The counters of a graph by full name.
class CounterSet {
 public:
  CounterSet() = default;
  CounterSet(const CounterSet&) = delete;
  CounterSet& operator=(const CounterSet&) = delete;

  // Adds a counter of type C, made from `args`, unless one of that name is
  // there already. Returns the one that is there then; it belongs to the set.
  template <typename C, typename... Args>
  Counter* Emplace(absl::string_view name, Args&&... args) {
    if (Counter* const known = Get(name)) return known;
    return Insert(name, std::make_unique<C>(std::forward<Args>(args)...));
  }

  // The counter of that name, or null.
  Counter* Get(absl::string_view name);

  // One line per counter, sorted by name, to the log.
  void PrintCounters();
  // Programs that export counters to a monitor override this; here nothing
  // happens.
  void PublishCounters() {}
  // Names and values at this moment, sorted by name.
  std::map<std::string, int64_t> GetCountersValues();

 private:
  // Adds `counter` unless somebody was faster; returns the one that is there.
  Counter* Insert(absl::string_view name, std::unique_ptr<Counter> counter);

  Mutex mutex_;
  absl::flat_hash_map<std::string, std::unique_ptr<Counter>> counters_
      ABSL_GUARDED_BY(mutex_);
};

// Where the counters of a graph come from. An application may supply its own,
// to have them counted elsewhere.
class CounterFactory {
 public:
  virtual ~CounterFactory() = default;
  // Never null; belongs to the factory's set.
  virtual Counter* GetCounter(absl::string_view name) = 0;
  CounterSet* GetCounterSet() { return &counter_set_; }

 protected:
  CounterSet counter_set_;
};

// The default: counters in memory.
class BasicCounterFactory : public CounterFactory {
 public:
  Counter* GetCounter(absl::string_view name) override;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_COUNTER_FACTORY_H_
