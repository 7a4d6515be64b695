// DetectionUniqueIdCalculator: gives each detection an id.
//
//   node {
//     calculator: "DetectionUniqueIdCalculator"
//     input_stream: "DETECTIONS:detections"     # std::vector<Detection>
//     output_stream: "DETECTIONS:with_ids"
//   }
//
// Ids count from 1 in the order in which detections come; an id that a
// detection had is replaced. Instead of DETECTIONS, or in addition to it, the
// node may have the ports DETECTION_LIST (message DetectionList).
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: one call at a time.
// Tested by detection_calculators_test.
#include <cstdint>
#include <utility>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"

namespace syncline {
namespace {

constexpr char kDetections[] = "DETECTIONS";
constexpr char kDetectionList[] = "DETECTION_LIST";

}  // namespace

class DetectionUniqueIdCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    if (cc->Inputs().NumEntries() == 0) {
      return absl::InvalidArgumentError(
          "which detections? Connect DETECTIONS or DETECTION_LIST");
    }
    for (const char* const tag : {kDetections, kDetectionList}) {
      if (cc->Inputs().HasTag(tag) != cc->Outputs().HasTag(tag)) {
        return absl::InvalidArgumentError(
            absl::StrCat(tag, " comes in and goes out, or neither"));
      }
    }
    cc->Inputs().Tag(kDetections).Set<std::vector<Detection>>().Optional();
    cc->Outputs().Tag(kDetections).Set<std::vector<Detection>>().Optional();
    cc->Inputs().Tag(kDetectionList).Set<DetectionList>().Optional();
    cc->Outputs().Tag(kDetectionList).Set<DetectionList>().Optional();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (HasTagValue(cc->Inputs(), kDetectionList)) {
      auto list = cc->Inputs().Tag(kDetectionList).Get<DetectionList>();
      for (Detection& detection : *list.mutable_detection()) Number(&detection);
      Send(kDetectionList, std::move(list), cc);
    }
    if (HasTagValue(cc->Inputs(), kDetections)) {
      auto vector = cc->Inputs().Tag(kDetections).Get<std::vector<Detection>>();
      for (Detection& detection : vector) Number(&detection);
      Send(kDetections, std::move(vector), cc);
    }
    return absl::OkStatus();
  }

 private:
  void Number(Detection* detection) { detection->set_detection_id(++last_id_); }

  template <typename T>
  static void Send(const char* tag, T value, CalculatorContext* cc) {
    cc->Outputs().Tag(tag).AddPacket(
        MakePacket<T>(std::move(value)).At(cc->InputTimestamp()));
  }

  std::int64_t last_id_ = 0;
};
REGISTER_CALCULATOR(DetectionUniqueIdCalculator);

}  // namespace syncline
