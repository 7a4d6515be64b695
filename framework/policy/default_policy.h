// DefaultInputStreamHandler: all inputs at one time, when they are settled.
//
//   A        10      20   | bound 21
//   B        10  15       | bound 16
//
//   calls    10: A B       both are settled at 10
//            15: B         A has nothing at 15 and cannot get it
//            20 waits      B may still send something from 16 on
//   B closes
//            20: A
//   A closes, then Close
//
// Which packets are processed together depends on timestamps alone, never on
// the order in which packets came. With process_timestamp_bounds there is also
// a call without packets, at the newest time that is settled on all inputs;
// there are no calls for earlier settled times.
//
// batch_size: the node collects that many input sets and then processes them
// one after the other; a last, smaller batch is processed when the inputs
// close.
//
// Nearly all nodes follow this rule, so nodes use its parts directly.
//
// Thread rule: as InputPolicy.
// Tested by default_policy_test and policy_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_DEFAULT_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_DEFAULT_POLICY_H_

#include <memory>

#include "framework/calculator/input_stream.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/input_set_readiness.h"

namespace syncline {

class DefaultPolicy final : public InputPolicy {
 public:
  explicit DefaultPolicy(const PolicyPorts& ports);

  void OnChange(int port) override { all_.OnChange(port); }
  Readiness Evaluate() const override { return all_.Evaluate(); }
  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    all_.Take(timestamp, inputs);
    return timestamp;
  }
  int BatchSize() const override { return batch_size_; }

 private:
  InputSetReadiness all_;
  const int batch_size_;
};

// The batch_size in the options of a handler.
int DefaultBatchSize(const SynclineOptions& options);

std::unique_ptr<InputPolicy> MakeDefaultPolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_DEFAULT_POLICY_H_
