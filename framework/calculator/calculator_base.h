// CalculatorBase: the base class of all calculators.
//
//   class SumCalculator : public syncline::CalculatorBase {
//    public:
//     static absl::Status GetContract(syncline::CalculatorContract* cc) {
//       cc->Inputs().Tag("IN").Set<int>();
//       cc->Outputs().Tag("SUM").Set<int>();
//       cc->SetTimestampOffset(0);
//       return absl::OkStatus();
//     }
//     absl::Status Process(syncline::CalculatorContext* cc) override {
//       sum_ += cc->Inputs().Tag("IN").Get<int>();
//       cc->Outputs().Tag("SUM").AddPacket(
//           syncline::MakePacket<int>(sum_).At(cc->InputTimestamp()));
//       return absl::OkStatus();
//     }
//
//    private:
//     int sum_ = 0;
//   };
//   REGISTER_CALCULATOR(SumCalculator);
//
// LIFE. For each run of a graph the node gets a new object, which is destroyed
// when the run ends, unless it is persistent. Open is called once, before
// anything else. If it returns an error, neither Process nor Close is called.
// Process is called for each input set; for a node without input streams again
// and again until it returns tool::StatusStop(). Close is called once for every
// node whose Open succeeded, however the run ends. If the run ends by an error
// elsewhere, what Close sends and returns is ignored. A node with neither input
// nor output streams has Open and Close only, unless it has conditions.
//
// A PERSISTENT one (`persistent: true` in the node, or SetPersistent(true) in
// the contract) is one object for all runs of a graph. It is made when the
// first run starts, in the order of the nodes and before any Open, and
// destroyed with the graph, in the reverse order. Each run calls Open, then
// Process and Close as above, with contexts, side packets and conditions of its
// own; the object must not keep anything of a context from one run to the next.
// Between Close and the next Open it keeps its members: a model that was
// loaded, a device that is open. The object also stays after a failed Open or a
// failed run, and the next run calls Open again. Close is called for each Open
// that succeeded, and for no other. A calculator that cannot be used again
// after an error returns an error from the next Open. A persistent node without
// streams is opened in each run, too, because its output side packets are set
// anew.
//
// Thread rule: one call at a time, not always on the same thread, unless the
// node's max_in_flight is above 1: then calls of Process overlap, and Process
// has to be safe for that.
// Tested by calculator_base_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CALCULATOR_BASE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CALCULATOR_BASE_H_

#include "absl/status/status.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/packet/timestamp.h"

namespace syncline {

class CalculatorBase {
 public:
  // A class that derives from this one has also
  //   static absl::Status GetContract(CalculatorContract* cc);
  // which says what it needs and gives, from the ports and options of the node.

  CalculatorBase() = default;
  CalculatorBase(const CalculatorBase&) = delete;
  CalculatorBase& operator=(const CalculatorBase&) = delete;
  virtual ~CalculatorBase() = default;

  // Prepares for a run. Side packets are there, headers of inputs too. Packets
  // may be sent.
  virtual absl::Status Open(CalculatorContext* cc) { return absl::OkStatus(); }

  // Handles one input set; without input streams, makes the next packets. An
  // error ends the run. tool::StatusStop() is no error: it ends this source,
  // or, from a node with input streams, all sources of the graph.
  virtual absl::Status Process(CalculatorContext* cc) = 0;

  // Ends the run for this node. Packets may be sent if the outputs are open.
  virtual absl::Status Close(CalculatorContext* cc) { return absl::OkStatus(); }

  // Of the sources in one source layer, the one with the lowest value runs
  // next. The engine asks before each Process. The default is how far the
  // source has got, which is the lowest bound of its outputs.
  virtual Timestamp SourceProcessOrder(const CalculatorContext* cc) const;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CALCULATOR_BASE_H_
