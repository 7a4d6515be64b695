// AssociationCalculator<T>: makes one list of several lists of things, in which
// overlapping things become one.
//
//   node {
//     calculator: "AssociationNormRectCalculator"
//     input_stream: "tracked"        # std::vector<NormalizedRect>, and so on:
//     input_stream: "detected"       #   what comes later counts more
//     input_stream: "PREV:before"    # what came out before, optional
//     output_stream: "faces"
//     options { [syncline.AssociationCalculatorOptions.ext] {
//       min_similarity_threshold: 0.5 } }
//   }
//
// The result has the elements of all inputs without a tag, in the order of the
// inputs; an empty input has none. If two elements overlap by more than the
// threshold (intersection divided by union), only the later one stays; it gets
// the id of the earlier one if that has an id. In the end, each element that
// overlaps an element of PREV gets the id of that element. So a thing keeps its
// id over time if PREV is the result for the packet before, which
// PreviousLoopbackCalculator sends.
//
// A vector is sent for each timestamp at which any input has a packet; it may
// have no elements; the bound passes through (timestamp offset 0).
//
// A calculator for things of another type derives from this class and returns
// their places and ids.
//
// Thread rule: as for the derived class.
// Tested by detection_calculators_test.

#ifndef SYNCLINE_CALCULATORS_UTIL_ASSOCIATION_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_UTIL_ASSOCIATION_CALCULATOR_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "calculators/core/forwarding.h"
#include "calculators/util/association_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/port/rectangle.h"
#include "util/rectangle_util.h"

namespace syncline {

template <typename T>
class AssociationCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const float threshold =
        cc->Options<AssociationCalculatorOptions>().min_similarity_threshold();
    if (!(threshold >= 0 && threshold <= 1)) {
      return absl::InvalidArgumentError(
          absl::StrCat("min_similarity_threshold is ", threshold,
                       ", but has to be from 0 to 1"));
    }
    const int lists = cc->Inputs().NumEntries("");
    if (lists == 0) {
      return absl::InvalidArgumentError(
          "which elements? Connect at least one input without a tag");
    }
    for (int i = 0; i < lists; ++i) {
      cc->Inputs().Get("", i).template Set<std::vector<T>>();
    }
    cc->Inputs().Tag("PREV").template Set<std::vector<T>>().Optional();
    cc->Outputs().Index(0).template Set<std::vector<T>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (!AnyInputHasPacket(*cc)) return absl::OkStatus();
    const float threshold =
        cc->Options<AssociationCalculatorOptions>().min_similarity_threshold();
    std::vector<Placed> found;
    for (int i = 0; i < cc->Inputs().NumEntries(""); ++i) {
      const InputStream& input = cc->Inputs().Get("", i);
      if (input.IsEmpty()) continue;
      for (const T& element : input.template Get<std::vector<T>>()) {
        SYNCLINE_RETURN_IF_ERROR(Add(element, threshold, &found));
      }
    }
    if (HasTagValue(cc->Inputs(), "PREV")) {
      for (const T& before :
           cc->Inputs().Tag("PREV").template Get<std::vector<T>>()) {
        const std::pair<bool, std::int64_t> id = GetId(before);
        if (!id.first) continue;
        SYNCLINE_ASSIGN_OR_RETURN(const Rectangle_f place,
                                  GetRectangle(before));
        for (Placed& element : found) {
          if (CalculateIou(element.place, place) > threshold) {
            SetId(&element.value, id.second);
          }
        }
      }
    }
    std::vector<T> result;
    for (Placed& element : found) result.push_back(std::move(element.value));
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::vector<T>>(std::move(result)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 protected:
  // The place of an element, in units that all elements have in common.
  virtual absl::StatusOr<Rectangle_f> GetRectangle(const T& element) = 0;
  // Whether the element has an id; and the id.
  virtual std::pair<bool, std::int64_t> GetId(const T& element) = 0;
  virtual void SetId(T* element, std::int64_t id) = 0;

 private:
  struct Placed {
    T value;
    Rectangle_f place;
  };

  // Replaces the elements that overlap this one by this one.
  absl::Status Add(const T& element, float threshold,
                   std::vector<Placed>* found) {
    SYNCLINE_ASSIGN_OR_RETURN(const Rectangle_f place, GetRectangle(element));
    Placed added = {element, place};
    std::vector<Placed> kept;
    for (Placed& other : *found) {
      if (CalculateIou(other.place, place) > threshold) {
        const std::pair<bool, std::int64_t> id = GetId(other.value);
        if (id.first) SetId(&added.value, id.second);
      } else {
        kept.push_back(std::move(other));
      }
    }
    kept.push_back(std::move(added));
    *found = std::move(kept);
    return absl::OkStatus();
  }
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_UTIL_ASSOCIATION_CALCULATOR_H_
