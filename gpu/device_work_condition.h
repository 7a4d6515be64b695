// DeviceWorkCondition: what the three conditions on devices have in common. A
// node is called when the work on its next packets has ended.
//
//   packets wait, their work goes on    WAIT_EVENT, until a notice comes
//   packets wait, their work has ended  READY
//   no packets, or none with work       READY
//   the device failed                   the error of the run
//
//   Check ──(work goes on)──> asked for a notice ──> told ──> Check
//
// It looks at all packets of the next input set that the watched inputs have:
// of their oldest packets, those with the earliest timestamp. So there may be
// several streams, several packets, and queues of any length.
//
// While work goes on a simulated clock stands still. A run that ends meanwhile
// waits for nothing here: the notice comes, and nobody hears it.
//
// Thread rule: as ConditionBase.
// Tested by cuda_conditions_test.

#ifndef SYNCLINE_GPU_DEVICE_WORK_CONDITION_H_
#define SYNCLINE_GPU_DEVICE_WORK_CONDITION_H_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/listener_list.h"
#include "framework/condition/condition.h"
#include "framework/packet/packet.h"
#include "gpu/notices.h"
#include "gpu/work_point.h"

namespace syncline::gpu {

class DeviceWorkCondition : public ConditionBase {
 public:
  absl::Status Start(const ConditionRun& run) override;
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) final;
  void Stop() override;
  // The condition delays calls, and changes nothing in them.
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kPackets;
  }

 protected:
  // For Initialize: the inputs that `receiver` means.
  absl::Status WatchReceiver(ConditionSetup* setup, absl::string_view receiver);

  // The work that a packet waits for. An error ends the run; it is preceded by
  // the input and the timestamp.
  virtual absl::StatusOr<std::vector<WorkPoint>> PointsOf(
      const Packet& packet) const = 0;

 private:
  struct Watched {
    int input = 0;
    std::string text;  // for messages
  };
  // A notice that was asked for, of all of these points.
  struct Asked {
    std::vector<WorkPoint> points;
    std::atomic<bool> is_told{false};
  };

  // Of the next packets, what has not ended.
  absl::StatusOr<std::vector<WorkPoint>> FindPending(
      const NodeFacts& facts) const;
  // Asks for a notice, unless one that covers the points is on its way.
  absl::Status AskForNotice(std::vector<WorkPoint> pending);
  // Whether the last notice is for this point.
  bool IsAsked(const WorkPoint& point) const;

  std::vector<Watched> watched_;

  // Of a run.
  std::shared_ptr<Notices> notices_;
  std::shared_ptr<ListenerList> over_;
  Listener listener_;
  // The last one; null for none.
  std::shared_ptr<Asked> asked_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DEVICE_WORK_CONDITION_H_
