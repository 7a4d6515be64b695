// PreviousLoopbackCalculator: sends the result of a later part of the graph for
// the input before this one.
//
//   node {
//     calculator: "PreviousLoopbackCalculator"
//     input_stream: "MAIN:frames"
//     input_stream: "LOOP:poses"             # made from frames further down
//     input_stream_info { tag_index: "LOOP" back_edge: true }
//     output_stream: "PREV_LOOP:previous_poses"
//   }
//
//   MAIN       10      20      30      40
//   LOOP       a@10    bound   c@30
//   PREV_LOOP  bound   a@20    bound   c@40
//
// For each packet of MAIN, the output has the packet of LOOP at the timestamp
// of the packet of MAIN before, with the new timestamp. If LOOP has none there,
// and for the first packet of MAIN, only the bound is raised. So a join of MAIN
// and PREV_LOOP waits only until LOOP is settled at the timestamp before. An
// empty input of MAIN at t, a bound, raises the bound of the output and does
// not count as a packet before.
//
// Packets of LOOP at other times than those of MAIN are dropped.
//
// The packets that wait here are those by which MAIN is ahead of LOOP. Their
// number is limited: the same packets of MAIN wait in the queue of the join,
// and when that queue is full, the sources of MAIN wait.
//
// Thread rule: one call at a time.
#include <deque>
#include <utility>

#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kMain[] = "MAIN";
constexpr char kLoop[] = "LOOP";
constexpr char kPrevLoop[] = "PREV_LOOP";

}  // namespace

class PreviousLoopbackCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag(kMain).SetAny();
    cc->Inputs().Tag(kLoop).SetAny();
    cc->Outputs().Tag(kPrevLoop).SetSameAs(&cc->Inputs().Tag(kLoop));
    // MAIN must not wait for LOOP, which comes from MAIN.
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    cc->SetProcessTimestampBounds(true);
    // The output depends only on the timestamps of MAIN and LOOP, not on the
    // order of arrival.
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const Packet& header = cc->Inputs().Tag(kLoop).Header();
    if (!header.IsEmpty()) cc->Outputs().Tag(kPrevLoop).SetHeader(header);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    // An input has a packet in one call only. In later calls its timestamp is
    // the time up to which it is settled.
    const Packet& main = cc->Inputs().Tag(kMain).Value();
    if (!main.IsEmpty()) {
      waiting_.push_back({main.Timestamp(), last_main_});
      last_main_ = main.Timestamp();
    }
    Packet& loop = cc->Inputs().Tag(kLoop).Value();
    const Timestamp loop_settled = loop.Timestamp();
    if (!loop.IsEmpty()) loops_.push_back(std::move(loop));

    OutputStream& output = cc->Outputs().Tag(kPrevLoop);
    while (!waiting_.empty() &&
           Answer(waiting_.front(), loop_settled, output)) {
      waiting_.pop_front();
    }
    if (waiting_.empty()) {
      ForgetLoopsBefore(last_main_);
      RaiseBound(BoundAfter(main), output);
    }
    return absl::OkStatus();
  }

 private:
  // A packet of MAIN that was not answered yet.
  struct Main {
    Timestamp time;
    Timestamp before;  // of the packet before; Unset for the first
  };

  void ForgetLoopsBefore(Timestamp time) {
    while (!loops_.empty() && loops_.front().Timestamp() < time) {
      loops_.pop_front();
    }
  }

  // False if LOOP may still have a packet for `main`.
  bool Answer(const Main& main, Timestamp loop_settled, OutputStream& output) {
    ForgetLoopsBefore(main.before);
    if (main.before != Timestamp::Unset() && !loops_.empty() &&
        loops_.front().Timestamp() == main.before) {
      output.AddPacket(std::move(loops_.front()).At(main.time));
      loops_.pop_front();
    } else if (main.before != Timestamp::Unset() &&
               loop_settled < main.before) {
      RaiseBound(main.time, output);
      return false;
    }
    RaiseBound(main.time.NextAllowedInStream(), output);
    return true;
  }

  std::deque<Main> waiting_;
  // Packets of LOOP that may still be needed.
  std::deque<Packet> loops_;
  Timestamp last_main_ = Timestamp::Unset();
};
REGISTER_CALCULATOR(PreviousLoopbackCalculator);

}  // namespace syncline
