// MuxInputStreamHandler: a control stream chooses which of the other streams is
// used.
//
//   INPUT:0  10      20  30
//   INPUT:1  10  15  20
//   SELECT   0@10    1@20
//
//   calls    10: SELECT, INPUT:0     the other 10 is dropped
//            20: SELECT, INPUT:1     15 and the other 20 are dropped
//            30 waits for the next choice
//   SELECT closes, then Close
//
// The control stream is the last of the node's inputs in the order of tags, so
// the tags INPUT and SELECT put it last; its packets are ints that count the
// data streams from 0. A choice waits until the chosen stream has a packet at
// its time, or is settled there. Data packets that are older than every packet
// that the control stream can still choose are dropped at once and counted, so
// streams that are not chosen never fill up.
//
// The choice of a stream that does not exist ends the run with an error.
//
// Thread rule: as InputPolicy.
// Tested by mux_policy_test and policy_conformance_test.

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/status_text.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/port_layout.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/built_in_policies.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

class MuxPolicy final : public InputPolicy {
 public:
  explicit MuxPolicy(const PolicyPorts& ports)
      : queues_(ports.queues),
        layout_(*ports.layout),
        control_(static_cast<int>(ports.queues.size()) - 1) {
    if (control_ >= 0) LookAtControl();
  }

  void OnChange(int port) override {
    if (port == control_) {
      LookAtControl();
    } else {
      queues_[port].DropBefore(keep_from_);
    }
  }

  Readiness Evaluate() const override {
    if (control_ < 0 || !status_.ok() || queues_[control_].Finished()) {
      return {Readiness::State::kClose, Timestamp::Done()};
    }
    if (chosen_ < 0) return {Readiness::State::kWait, keep_from_};
    const InputQueue& data = queues_[chosen_];
    const bool is_known = !data.empty() || data.bound() > keep_from_;
    return {is_known ? Readiness::State::kProcess : Readiness::State::kWait,
            keep_from_};
  }

  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    const int chosen = chosen_;
    for (int port = 0; port <= control_; ++port) {
      InputQueue& queue = queues_[port];
      Packet packet = port == control_ || port == chosen
                          ? queue.TakeAt(timestamp)
                          : Packet().At(queue.SettledTimestamp());
      inputs->Get(port).Fill(std::move(packet), queue.Done());
    }
    LookAtControl();
    return timestamp;
  }

  bool DropsPackets() const override { return true; }
  absl::Status status() const override { return status_; }

 private:
  void LookAtControl() {
    const InputQueue& control = queues_[control_];
    if (keep_from_ < control.MinTimestampOrBound()) {
      keep_from_ = control.MinTimestampOrBound();
      for (int port = 0; port < control_; ++port) {
        queues_[port].DropBefore(keep_from_);
      }
    }
    chosen_ = -1;
    if (!control.empty()) Choose(control.front());
  }

  void Choose(const Packet& packet) {
    const absl::Status status = packet.ValidateAsType<int>();
    if (!status.ok()) return Fail(packet, status);
    const int chosen = packet.Get<int>();
    if (chosen >= 0 && chosen < control_) {
      chosen_ = chosen;
      return;
    }
    Fail(packet,
         absl::InvalidArgumentError(absl::StrCat(
             "it chooses data stream ", chosen, ", but the node has ", control_,
             " of them, counted from 0. Check what sends to this stream.")));
  }

  void Fail(const Packet& packet, const absl::Status& status) {
    if (!status_.ok()) return;
    status_ = PrefixStatus(
        absl::StrCat("MuxInputStreamHandler cannot use the packet at ",
                     packet.Timestamp().DebugString(),
                     " of the control stream \"", layout_.Names()[control_],
                     "\": "),
        status);
  }

  const absl::Span<InputQueue> queues_;
  const PortLayout& layout_;
  const int control_;
  // The time of the choice, or from which on control may still choose.
  Timestamp keep_from_ = Timestamp::Unset();
  // The stream that the first packet of control chooses, or -1.
  int chosen_ = -1;
  absl::Status status_;
};

}  // namespace

std::unique_ptr<InputPolicy> MakeMuxPolicy(const PolicyPorts& ports) {
  return std::make_unique<MuxPolicy>(ports);
}

}  // namespace syncline
