// DetectionLabelIdToTextCalculator: gives detections the names of their
// classes.
//
//   node {
//     calculator: "DetectionLabelIdToTextCalculator"
//     input_stream: "numbered"      # std::vector<Detection>
//     output_stream: "named"        # std::vector<Detection>
//     options { [syncline.DetectionLabelIdToTextCalculatorOptions.ext] {
//       label_map_path: "labels.txt" } }
//   }
//
// If all numbers of a detection (label_id) have names, it gets these as
// `label`, and as display_name the names for people, if the map has such. The
// numbers are removed, unless keep_label_id is set. A detection with a number
// that has no name is not changed. The label map is one of the graph's
// resources.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: the labels are set in Open and read afterwards.
// Tested by detection_calculators_test.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "calculators/util/detection_label_id_to_text_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/port/proto_ns.h"
#include "framework/resources.h"
#include "util/label_map.pb.h"
#include "util/label_map_util.h"

namespace syncline {

class DetectionLabelIdToTextCalculator : public CalculatorBase {
 public:
  using Options = DetectionLabelIdToTextCalculatorOptions;

  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<Options>();
    if (options.has_label_map_path() + (options.label_size() > 0) +
            (options.label_items_size() > 0) !=
        1) {
      return absl::InvalidArgumentError(
          "which names? Set one of label_map_path, label and label_items");
    }
    cc->Inputs().Index(0).Set<std::vector<Detection>>();
    cc->Outputs().Index(0).Set<std::vector<Detection>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<Options>();
    if (options.has_label_map_path()) {
      SYNCLINE_ASSIGN_OR_RETURN(
          const std::unique_ptr<Resource> file,
          cc->GetResources().Get(options.label_map_path()));
      SYNCLINE_ASSIGN_OR_RETURN(
          labels_, BuildLabelMapFromFiles(file->ToStringView(), ""));
    }
    for (int i = 0; i < options.label_size(); ++i) {
      labels_[i].set_name(options.label(i));
    }
    for (const auto& [id, item] : options.label_items()) labels_[id] = item;
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Index(0);
    if (input.IsEmpty()) return absl::OkStatus();
    auto detections = input.Get<std::vector<Detection>>();
    for (Detection& detection : detections) {
      Name(cc->Options<Options>().keep_label_id(), &detection);
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::vector<Detection>>(std::move(detections))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  void Name(bool keep_label_id, Detection* detection) const {
    std::vector<const LabelMapItem*> items;
    for (const int id : detection->label_id()) {
      const auto item = labels_.find(id);
      if (item == labels_.end()) return;
      items.push_back(&item->second);
    }
    if (items.empty()) return;
    detection->clear_label();
    for (const LabelMapItem* item : items) {
      detection->add_label(item->name());
      if (item->has_display_name()) {
        detection->add_display_name(item->display_name());
      }
    }
    if (!keep_label_id) detection->clear_label_id();
  }

  proto_ns::Map<std::int64_t, LabelMapItem> labels_;
};
REGISTER_CALCULATOR(DetectionLabelIdToTextCalculator);

}  // namespace syncline
