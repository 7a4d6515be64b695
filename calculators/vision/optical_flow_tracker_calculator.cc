// OpticalFlowTrackerCalculator: moves boxes from image to image, so that every
// image has boxes although the detector is slow.
//
//   node {
//     calculator: "OpticalFlowTrackerCalculator"
//     input_stream: "IMAGE:frames"            # ImageFrame or Image
//     input_stream: "DETECTIONS:people"       # from some of the frames
//     input_stream_info { tag_index: "DETECTIONS" back_edge: true }
//     output_stream: "DETECTIONS:moved"       # at each frame
//   }                                         # both: std::vector<Detection>
//
//   IMAGE        0      10     20     30     40
//   DETECTIONS                 a@0           b@20
//   DETECTIONS   none   none   a'@20  a'@30  b'@40
//
// A packet of DETECTIONS at t replaces all boxes. Its boxes are first moved
// from the image at t through the later images, which are kept for this. Then
// they move with each new image (box_flow.h describes how). For each image the
// output has all boxes at their places in this image, with their labels, scores
// and ids, and with the `timestamp_usec` of the image. A box ends if it loses
// its points, leaves the image, or if its contents no longer look like those at
// its detection (min_similarity). When the size of the images changes, all
// boxes end.
//
// Usually DETECTIONS is a back edge, and images do not wait for it: the output
// of an image depends on the detections that came before it. With
// `wait_for_detections`, or true in the side packet WAIT (bool), each image
// waits until DETECTIONS is settled at the time of the image before. Then the
// output depends only on packets and timestamps. The number of images that wait
// is limited: they also wait in the queue of the node that joins IMAGE and the
// output, and when that queue is full the sources wait.
//
// Detections at a timestamp without an image, or whose image is no longer kept,
// are ignored, and counted in "WithoutImage". The image is not copied.
//
// An empty IMAGE sends nothing, and its bound is passed on; an empty DETECTIONS
// changes nothing. An unsupported image, and an impossible box, end the run
// with an error.
//
// Thread rule: one call at a time.
// Tested by optical_flow_tracker_test.
#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "calculators/core/forwarding.h"
#include "calculators/vision/box.h"
#include "calculators/vision/box_flow.h"
#include "calculators/vision/image_input.h"
#include "calculators/vision/optical_flow_tracker_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace {

constexpr char kImage[] = "IMAGE";
constexpr char kDetections[] = "DETECTIONS";
constexpr char kWait[] = "WAIT";

using Detections = std::vector<Detection>;

bool IsBetween(int low, int value, int high) {
  return low <= value && value <= high;
}

absl::Status CheckOptions(const OpticalFlowTrackerCalculatorOptions& options) {
  const int side = options.points_per_side();
  if (IsBetween(1, options.max_history(), 1000) && IsBetween(2, side, 64) &&
      IsBetween(1, options.min_points(), side * side) &&
      options.max_error_px() > 0 && IsBetween(3, options.window_px(), 101) &&
      IsBetween(0, options.levels(), 8) &&
      IsBetween(1, options.max_boxes(), 10000) &&
      options.min_similarity() >= 0 && options.min_similarity() < 1) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "OpticalFlowTrackerCalculator needs max_history from 1 to 1000, "
      "points_per_side from 2 to 64, min_points from 1 to its square, "
      "max_error_px above 0, window_px from 3 to 101, levels from 0 to 8, "
      "max_boxes from 1 to 10000, min_similarity from 0 to below 1, but has ",
      options.ShortDebugString()));
}

// A detection with its box and look when it was detected, and its box now, in
// pixels.
struct Carried {
  Detection detection;
  Box told;
  cv::Mat look;
  Box box;
};

struct RememberedImage {
  Timestamp time;
  FlowImage image;
};

}  // namespace

class OpticalFlowTrackerCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag(kImage).SetOneOf<ImageFrame, Image>();
    cc->Inputs().Tag(kDetections).Set<Detections>();
    cc->InputSidePackets().Tag(kWait).Set<bool>().Optional();
    cc->Outputs().Tag(kDetections).Set<Detections>();
    // Images must not wait for detections, which are made from them.
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    cc->SetProcessTimestampBounds(true);
    return CheckOptions(cc->Options<OpticalFlowTrackerCalculatorOptions>());
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = cc->Options<OpticalFlowTrackerCalculatorOptions>();
    wait_ = cc->InputSidePackets().HasTag(kWait)
                ? cc->InputSidePackets().Tag(kWait).Get<bool>()
                : options_.wait_for_detections();
    parameters_ = {options_.points_per_side(), options_.min_points(),
                   options_.max_error_px(), options_.window_px(),
                   options_.levels()};
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    // An input has a packet in one call only. In later calls its timestamp is
    // the time up to which it is settled.
    const Packet& image = cc->Inputs().Tag(kImage).Value();
    const Packet& detections = cc->Inputs().Tag(kDetections).Value();
    if (!image.IsEmpty()) waiting_.push_back(image);
    if (!detections.IsEmpty()) told_.push_back(detections);
    const Timestamp told_bound = BoundAfter(detections);

    SYNCLINE_RETURN_IF_ERROR(TakeDetections(cc));
    while (!waiting_.empty() && (!wait_ || told_bound > LastTime())) {
      SYNCLINE_RETURN_IF_ERROR(TakeImage(waiting_.front(), cc));
      waiting_.pop_front();
      SYNCLINE_RETURN_IF_ERROR(TakeDetections(cc));
    }
    ForgetImagesBefore(told_bound);
    RaiseBound(
        waiting_.empty() ? BoundAfter(image) : waiting_.front().Timestamp(),
        cc->Outputs().Tag(kDetections));
    return absl::OkStatus();
  }

 private:
  // The data of the newest image that was processed.
  Timestamp LastTime() const {
    return history_.empty() ? Timestamp::Unset() : history_.back().time;
  }

  // Applies the detections of times up to the newest image.
  absl::Status TakeDetections(CalculatorContext* cc) {
    while (!told_.empty() && !history_.empty() &&
           told_.front().Timestamp() <= LastTime()) {
      SYNCLINE_RETURN_IF_ERROR(BeginAgain(told_.front(), cc));
      told_.pop_front();
    }
    return absl::OkStatus();
  }

  // Starts with the detections of `packet`, and moves them from its time to
  // now.
  absl::Status BeginAgain(const Packet& packet, CalculatorContext* cc) {
    const auto image = std::find_if(history_.begin(), history_.end(),
                                    [&packet](const RememberedImage& i) {
                                      return i.time == packet.Timestamp();
                                    });
    if (image == history_.end()) {
      cc->GetCounter("WithoutImage")->Increment();
      return absl::OkStatus();
    }
    carried_.clear();
    for (const Detection& detection : packet.Get<Detections>()) {
      if (carried_.size() >= static_cast<std::size_t>(options_.max_boxes())) {
        cc->GetCounter("TooManyBoxes")->Increment();
        break;
      }
      SYNCLINE_ASSIGN_OR_RETURN(const Box box, BoxOf(detection));
      const Box in_pixels =
          InPixels(box, image->image.width, image->image.height);
      carried_.push_back(
          {detection, box, LookOf(image->image, in_pixels), in_pixels});
    }
    for (auto next = image + 1; next != history_.end(); ++next) {
      CarryOn((next - 1)->image, next->image);
    }
    return absl::OkStatus();
  }

  absl::Status TakeImage(const Packet& packet, CalculatorContext* cc) {
    SYNCLINE_ASSIGN_OR_RETURN(const ImageInput image, ImageInput::Of(packet));
    FlowImage now = MakeFlowImage(image.Gray(), parameters_);
    if (!history_.empty()) {
      const FlowImage& before = history_.back().image;
      if (before.width == now.width && before.height == now.height) {
        CarryOn(before, now);
      } else {
        carried_.clear();
        history_.clear();
      }
    }
    Send(packet.Timestamp(), now, cc);
    history_.push_back({packet.Timestamp(), std::move(now)});
    if (history_.size() > static_cast<std::size_t>(options_.max_history())) {
      history_.pop_front();
    }
    return absl::OkStatus();
  }

  void CarryOn(const FlowImage& from, const FlowImage& to) {
    std::vector<Box> boxes;
    for (const Carried& carried : carried_) boxes.push_back(carried.box);
    const auto moved = FollowBoxes(from, to, boxes, parameters_);
    std::vector<Carried> left;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      if (!moved[i].has_value()) continue;
      if (options_.min_similarity() > 0 &&
          Similarity(carried_[i].look, LookOf(to, *moved[i])) <
              options_.min_similarity()) {
        continue;
      }
      left.push_back(std::move(carried_[i]));
      left.back().box = *moved[i];
    }
    carried_ = std::move(left);
  }

  void Send(Timestamp time, const FlowImage& image,
            CalculatorContext* cc) const {
    Detections sent;
    for (const Carried& carried : carried_) {
      sent.push_back(carried.detection);
      Detection& detection = sent.back();
      MoveTo(carried.told.relative
                 ? InParts(carried.box, image.width, image.height)
                 : carried.box,
             carried.told, &detection);
      detection.set_timestamp_usec(time.Microseconds());
    }
    cc->Outputs()
        .Tag(kDetections)
        .AddPacket(MakePacket<Detections>(std::move(sent)).At(time));
  }

  // Forgets images that are no longer needed: detections may still come for
  // times from `bound` on, and the newest image is needed for the next one.
  void ForgetImagesBefore(Timestamp bound) {
    while (history_.size() > 1 && history_.front().time < bound) {
      history_.pop_front();
    }
  }

  OpticalFlowTrackerCalculatorOptions options_;
  BoxFlowParameters parameters_;
  bool wait_ = false;
  std::deque<Packet> waiting_;  // images
  std::deque<Packet> told_;     // detections of times after the newest image
  std::deque<RememberedImage> history_;
  std::vector<Carried> carried_;
};
REGISTER_CALCULATOR(OpticalFlowTrackerCalculator);

}  // namespace syncline
