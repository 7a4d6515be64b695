// TopKScoresCalculator: sends the highest scores of a vector.
//
//   node {
//     calculator: "TopKScoresCalculator"
//     input_stream: "SCORES:scores"               # std::vector<float>
//     output_stream: "TOP_K_INDEXES:indexes"      # std::vector<int>
//     output_stream: "TOP_K_SCORES:best"          # std::vector<float>
//     output_stream: "TOP_K_LABELS:labels"        # std::vector<std::string>
//     output_stream: "TOP_K_CLASSIFICATION:list"  # ClassificationList
//     output_stream: "SUMMARY:text"               # std::string
//     options { [syncline.TopKScoresCalculatorOptions.ext] {
//       top_k: 5
//       threshold: 0.1
//       label_map_path: "labels.txt" } }
//   }
//
// Each output may be left out. The highest score comes first, and of equal
// scores the one with the higher index. Where there are more scores than top_k,
// they are taken in their order: one more takes the place of the lowest so far
// only if it is higher, and of equal lowest ones, that with the lower index
// goes. So {5, 5, 6} with top_k 2 gives 2 and 1, and {5, 5, 5} gives 1 and 0.
// NaN is not a score. A label is the line of the label map with the index, or
// "" if there is none. SUMMARY has a line "label:score" for each, or
// "index:score" without a label map. The label map is one of the graph's
// resources.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: the labels are set in Open and read afterwards.
// Tested by detection_calculators_test.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "calculators/util/ports.h"
#include "calculators/util/top_k_scores_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/classification.pb.h"
#include "framework/port/proto_ns.h"
#include "framework/resources.h"
#include "util/label_map.pb.h"
#include "util/label_map_util.h"

namespace syncline {
namespace {

constexpr char kScores[] = "SCORES";
constexpr char kIndexes[] = "TOP_K_INDEXES";
constexpr char kTopScores[] = "TOP_K_SCORES";
constexpr char kLabels[] = "TOP_K_LABELS";
constexpr char kClassification[] = "TOP_K_CLASSIFICATION";
constexpr char kSummary[] = "SUMMARY";

}  // namespace

class TopKScoresCalculator : public CalculatorBase {
 public:
  using Options = TopKScoresCalculatorOptions;

  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<Options>();
    if (!options.has_top_k() && !options.has_threshold()) {
      return absl::InvalidArgumentError(
          "which scores? Set top_k, threshold or both");
    }
    if (options.has_top_k() && options.top_k() <= 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "top_k is ", options.top_k(), ", but has to be above 0"));
    }
    if (std::isnan(options.threshold())) {
      return absl::InvalidArgumentError("the threshold is no number");
    }
    if (cc->Outputs().HasTag(kLabels) && !options.has_label_map_path()) {
      return absl::InvalidArgumentError(
          "which labels? TOP_K_LABELS needs the option label_map_path");
    }
    cc->Inputs().Tag(kScores).Set<std::vector<float>>();
    cc->Outputs().Tag(kIndexes).Set<std::vector<int>>().Optional();
    cc->Outputs().Tag(kTopScores).Set<std::vector<float>>().Optional();
    cc->Outputs().Tag(kLabels).Set<std::vector<std::string>>().Optional();
    cc->Outputs().Tag(kClassification).Set<ClassificationList>().Optional();
    cc->Outputs().Tag(kSummary).Set<std::string>().Optional();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<Options>();
    if (!options.has_label_map_path()) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<Resource> file,
                              cc->GetResources().Get(options.label_map_path()));
    SYNCLINE_ASSIGN_OR_RETURN(labels_,
                              BuildLabelMapFromFiles(file->ToStringView(), ""));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag(kScores);
    if (input.IsEmpty()) return absl::OkStatus();
    const auto& options = cc->Options<Options>();
    const auto& scores = input.Get<std::vector<float>>();
    const std::vector<int> indexes = Highest(scores, options);

    std::vector<float> top_scores;
    std::vector<std::string> top_labels;
    std::vector<std::string> lines;
    ClassificationList list;
    for (const int index : indexes) {
      const float score = scores[static_cast<std::size_t>(index)];
      const std::string label = LabelOf(index);
      top_scores.push_back(score);
      top_labels.push_back(label);
      lines.push_back(options.has_label_map_path()
                          ? absl::StrCat(label, ":", score)
                          : absl::StrCat(index, ":", score));
      Classification& one = *list.add_classification();
      one.set_index(index);
      one.set_score(score);
      if (options.has_label_map_path()) one.set_label(label);
    }
    SendIfConnected(kIndexes, indexes, cc);
    SendIfConnected(kTopScores, std::move(top_scores), cc);
    SendIfConnected(kLabels, std::move(top_labels), cc);
    SendIfConnected(kClassification, std::move(list), cc);
    SendIfConnected(kSummary, absl::StrJoin(lines, "\n"), cc);
    return absl::OkStatus();
  }

 private:
  static std::vector<int> Highest(const std::vector<float>& scores,
                                  const Options& options) {
    const auto most = options.has_top_k()
                          ? static_cast<std::size_t>(options.top_k())
                          : scores.size();
    // The last one is to go first.
    std::set<std::pair<float, int>, std::greater<>> best;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const float score = scores[i];
      if (std::isnan(score)) continue;
      if (options.has_threshold() && score < options.threshold()) continue;
      if (best.size() == most) {
        if (score <= best.rbegin()->first) continue;
        best.erase(std::prev(best.end()));
      }
      best.emplace(score, static_cast<int>(i));
    }
    std::vector<int> indexes;
    for (const auto& [score, index] : best) indexes.push_back(index);
    return indexes;
  }

  std::string LabelOf(int index) const {
    const auto found = labels_.find(index);
    return found == labels_.end() ? std::string() : found->second.name();
  }

  proto_ns::Map<std::int64_t, LabelMapItem> labels_;
};
REGISTER_CALCULATOR(TopKScoresCalculator);

}  // namespace syncline
