// PolicyDriver: an input policy on queues of its own, used as a node uses it,
// with calls as text.
//
//   PolicyDriver driver("DefaultInputStreamHandler", {"A:a", "B:b"});
//   driver.Add("A", 10);
//   driver.Bound("B", 15);
//   EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B<14"));
//
// In a call, A=10 is a packet whose value is 10 (Add gives a packet its time as
// value, 0 for a special one), A=5003@20 one whose time is not the call's, B<14
// an empty packet, settled at 14, and B<Max! one of a stream that is done.
// "Close" is the end.
//
// Thread rule: for one thread.

#ifndef SYNCLINE_FRAMEWORK_POLICY_POLICY_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_POLICY_POLICY_TEST_SUPPORT_H_

#include <memory>
#include <string>
#include <vector>

#include "framework/calculator/input_stream.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {

// "10", "Max", "PreStream", ...
std::string ShortText(Timestamp timestamp);

class PolicyDriver {
 public:
  // `options` is the text of SynclineOptions.
  PolicyDriver(const std::string& handler,
               const std::vector<std::string>& ports,
               const std::string& options = "",
               bool process_timestamp_bounds = false);
  ~PolicyDriver();

  // By tag, or "TAG:index", or ":index".
  void Add(const std::string& port, Timestamp timestamp);
  void Add(const std::string& port, int timestamp) {
    Add(port, Timestamp(timestamp));
  }
  void Bound(const std::string& port, Timestamp bound);
  void Bound(const std::string& port, int bound) {
    Bound(port, Timestamp(bound));
  }
  void Close(const std::string& port) { Bound(port, Timestamp::Done()); }
  // A packet for `port`, by position.
  void Add(int port, Packet packet);
  void RaiseBound(int port, Timestamp bound);

  // The next call if one is ready; "Close" at the end; "" if it has to wait.
  std::string Call();
  // All calls that are ready.
  std::vector<std::string> Calls();
  // What the last call had.
  const InputStreamSet& inputs() const { return inputs_; }

  InputPolicy& policy() { return *policy_; }
  int Port(const std::string& tag_index) const;
  int num_ports() const { return static_cast<int>(queues_.size()); }
  InputQueue& queue(int port) { return queues_[port]; }
  InputQueue& queue(const std::string& port) { return queues_[Port(port)]; }

 private:
  std::string CallText(Timestamp timestamp) const;

  const std::shared_ptr<const PortLayout> layout_;
  SynclineOptions options_;
  std::vector<InputQueue> queues_;
  InputStreamSet inputs_;
  std::unique_ptr<InputPolicy> policy_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_POLICY_TEST_SUPPORT_H_
