// Counters: named numbers that calculators raise and applications read. A
// CounterFactory makes them (counter_factory.h).
//
//   cc->GetCounter("dropped")->Increment();
//
// A node's counter is known to the graph as "<node name>-<counter name>". The
// counters of a graph live as long as the graph and go on counting from run to
// run. Finding one by name takes a lock and a look-up; raising one is a single
// atomic addition, so a calculator on a hot path keeps the pointer.
//
// Thread rule: everything here is safe from any thread.
// Tested by counter_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_COUNTER_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_COUNTER_H_

#include <cstdint>

namespace syncline {

class Counter {
 public:
  virtual ~Counter() = default;
  virtual void Increment() = 0;
  // `amount` may be negative.
  virtual void IncrementBy(int amount) = 0;
  virtual int64_t Get() = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_COUNTER_H_
