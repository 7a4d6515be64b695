#include "framework/calculator/counter_factory.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// Relaxed: a counter orders nothing but itself.
class BasicCounter : public Counter {
 public:
  void Increment() override { IncrementBy(1); }
  void IncrementBy(int amount) override {
    value_.fetch_add(amount, std::memory_order_relaxed);
  }
  int64_t Get() override { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

}  // namespace

Counter* CounterSet::Get(absl::string_view name) {
  MutexLock lock(&mutex_);
  const auto found = counters_.find(name);
  return found == counters_.end() ? nullptr : found->second.get();
}

Counter* CounterSet::Insert(absl::string_view name,
                            std::unique_ptr<Counter> counter) {
  MutexLock lock(&mutex_);
  return counters_.try_emplace(name, std::move(counter)).first->second.get();
}

std::map<std::string, int64_t> CounterSet::GetCountersValues() {
  // Counters may be the application's own: none is asked under the lock. They
  // live as long as the set.
  std::map<std::string, Counter*> counters;
  {
    MutexLock lock(&mutex_);
    for (const auto& [name, counter] : counters_) {
      counters.emplace(name, counter.get());
    }
  }
  std::map<std::string, int64_t> values;
  for (const auto& [name, counter] : counters) {
    values.emplace_hint(values.end(), name, counter->Get());
  }
  return values;
}

void CounterSet::PrintCounters() {
  for (const auto& [name, value] : GetCountersValues()) {
    LOG(INFO) << name << ": " << value;
  }
}

Counter* BasicCounterFactory::GetCounter(absl::string_view name) {
  return counter_set_.Emplace<BasicCounter>(name);
}

}  // namespace syncline
