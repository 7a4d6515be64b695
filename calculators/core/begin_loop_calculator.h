// BeginLoopCalculator<Iterable>: sends the elements of a collection one by one,
// for a part of a graph that processes one element.
//
//   using BeginLoopPosesCalculator = BeginLoopCalculator<std::vector<Pose>>;
//   REGISTER_CALCULATOR(BeginLoopPosesCalculator);
//
//   node {
//     calculator: "BeginLoopPosesCalculator"
//     input_stream: "ITERABLE:poses"       # Iterable
//     input_stream: "CLONE:frame"          # any, as many as needed
//     output_stream: "ITEM:pose"           # the type of the elements
//     output_stream: "CLONE:loop_frame"    # the same frame for each pose
//     output_stream: "BATCH_END:end"       # Timestamp
//   }
//   ... "pose" and "loop_frame" become "drawing" ...
//   node {
//     calculator: "EndLoopDrawingsCalculator"
//     input_stream: "ITEM:drawing"
//     input_stream: "BATCH_END:end"
//     output_stream: "ITERABLE:drawings"   # at the time of "poses"
//   }
//
//   ITERABLE   [a, b]@100        []@200      bound 301
//   ITEM       a@0   b@1         bound 3     bound 4
//   BATCH_END        100@1       200@2       300@3
//
// Inside the loop, timestamps are 0, 1, 2, ..., one for each element; the next
// collection continues the count. BATCH_END comes with the last element and
// holds the timestamp outside the loop. A collection without elements also
// takes one step, and so does a timestamp up to which ITERABLE is settled
// without a packet. At such a step only BATCH_END is sent, so that the end of
// the loop can pass on the bound.
//
// A packet of CLONE:i is sent with each element of its timestamp; an empty one
// sends nothing. The input TICK is deprecated. It may have any type and its
// values are ignored; it only adds timestamps that count as settled.
//
// Elements are not copied: each packet of ITEM points into the collection and
// keeps it alive. (Numbers are copied, which is cheaper.)
//
// Thread rule: one call at a time.
// Tested by loop_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_BEGIN_LOOP_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_BEGIN_LOOP_CALCULATOR_H_

#include <iterator>
#include <type_traits>
#include <utility>

#include "calculators/core/loop_steps.h"
#include "framework/calculator_framework.h"

namespace syncline {

template <typename IterableT>
class BeginLoopCalculator : public CalculatorBase {
  using ItemT = typename IterableT::value_type;

 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("ITERABLE").Set<IterableT>();
    cc->Inputs().Tag("TICK").SetAny().Optional();
    cc->Outputs().Tag("ITEM").Set<ItemT>();
    return LoopSteps::DeclareBegin("BeginLoopCalculator", cc);
  }

  absl::Status Process(CalculatorContext* cc) override {
    const Packet& iterable = cc->Inputs().Tag("ITERABLE").Value();
    if (!iterable.IsEmpty()) {
      for (const auto& item : iterable.Get<IterableT>()) {
        SendItem(iterable, item, cc);
      }
    }
    steps_.EndBatch(cc);
    return absl::OkStatus();
  }

 private:
  void SendItem(const Packet& iterable, const ItemT& item,
                CalculatorContext* cc) {
    // std::vector<bool> has no references to its elements, so a pointer would
    // be to a temporary.
    if constexpr (std::is_arithmetic_v<ItemT> || std::is_enum_v<ItemT>) {
      steps_.SendItem(MakePacket<ItemT>(item), cc);
    } else {
      steps_.SendItem(PointToForeign(&item, [iterable] {}), cc);
    }
  }

  LoopSteps steps_;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_BEGIN_LOOP_CALCULATOR_H_
