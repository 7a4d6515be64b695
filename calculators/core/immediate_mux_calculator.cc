// ImmediateMuxCalculator: merges several streams in the order of arrival.
//
//   node {
//     calculator: "ImmediateMuxCalculator"
//     input_stream: "fast_result"
//     input_stream: "slow_result"
//     output_stream: "result"
//     output_stream: "came"             # optional: bool `true` for each input
//   }                                   # packet
//
// A packet is sent at once if it is newer than all packets sent before, and
// dropped otherwise. The counter "Dropped" counts the dropped packets, and the
// first ones are logged. It is for inputs of which only one has packets at a
// time, such as branches that take turns.
//
// "came" has a packet for each input packet, dropped or not, at the latest
// timestamp so far. It is of use as FINISHED of RealTimeFlowLimiterCalculator.
//
// An empty input sends nothing. An idle input does not stop the others: a
// packet at t settles the output up to t (timestamp offset 0).
//
// With the option process_timestamp_bounds, a bound does what a packet does: an
// input that is settled up to t settles the outputs up to t, even if other
// inputs are behind, and their packets up to t are dropped when they come. An
// input that has ended settles nothing. There is no timestamp offset, and the
// node has no input stream handler of its own: the graph chooses it. With
// ImmediateInputStreamHandler each input is heard as soon as it has something;
// with DefaultInputStreamHandler the inputs wait for each other, so that
// nothing is late.
//
//   process_timestamp_bounds, ImmediateInputStreamHandler, as time goes by
//   a       x@10   settled 20
//   b                           y@15   z@30
//   result  x@10   settled 20   -      z@30
//
// Which packets are dropped depends on the order of arrival: a graph with this
// node is not deterministic.
//
// Thread rule: one call at a time.
#include <algorithm>

#include "calculators/core/forwarding.h"
#include "calculators/core/immediate_mux_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/port/logging.h"

namespace syncline {
namespace {

constexpr int kDropsToLog = 5;

}  // namespace

class ImmediateMuxCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    RET_CHECK_GT(cc->Inputs().NumEntries(""), 0)
        << "ImmediateMuxCalculator needs inputs without tag";
    for (int i = 0; i < cc->Inputs().NumEntries(""); ++i) {
      cc->Inputs().Index(i).SetSameAs(&cc->Outputs().Index(0));
    }
    cc->Outputs().Index(0).SetAny();
    if (cc->Outputs().NumEntries("") > 1) cc->Outputs().Index(1).Set<bool>();
    if (cc->Options<ImmediateMuxCalculatorOptions>()
            .process_timestamp_bounds()) {
      cc->SetProcessTimestampBounds(true);
    } else {
      cc->SetInputStreamHandler("ImmediateInputStreamHandler");
      cc->SetTimestampOffset(TimestampDiff(0));
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    OutputStream& output = cc->Outputs().Index(0);
    const bool tells = cc->Outputs().NumEntries("") > 1;
    for (const InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) continue;
      const Timestamp time = input.Value().Timestamp();
      if (time >= output.NextTimestampBound()) {
        output.AddPacket(input.Value());
      } else {
        NoteDropped(time, input, cc);
      }
      if (tells) Tell(time, cc->Outputs().Index(1));
    }
    if (cc->Options<ImmediateMuxCalculatorOptions>()
            .process_timestamp_bounds()) {
      RaiseBounds(cc);
    }
    return absl::OkStatus();
  }

 private:
  // Sends that a packet came at `time`. After the last timestamp of the stream
  // it sends nothing.
  static void Tell(Timestamp time, OutputStream& came) {
    const Timestamp at = std::max(time, came.NextTimestampBound());
    if (at.IsAllowedInStream()) came.AddPacket(MakePacket<bool>(true).At(at));
  }

  // Raises the bounds past the time of this call, up to which an input is
  // settled. The call at Max says that an input has ended; the others may still
  // have packets, so it raises nothing. The engine closes the outputs when all
  // inputs have ended.
  static void RaiseBounds(CalculatorContext* cc) {
    const Timestamp settled = cc->InputTimestamp();
    if (!settled.IsRangeValue() || settled == Timestamp::Max()) return;
    for (OutputStream& output : cc->Outputs()) {
      RaiseBound(settled.NextAllowedInStream(), output);
    }
  }

  void NoteDropped(Timestamp time, const InputStream& input,
                   CalculatorContext* cc) {
    cc->GetCounter("Dropped")->Increment();
    if (++drops_ > kDropsToLog) return;
    LOG(WARNING) << "Node \"" << cc->NodeName()
                 << "\" (ImmediateMuxCalculator) drops a packet of \""
                 << input.Name() << "\" at " << time.DebugString()
                 << ", since a later one went through before"
                 << (drops_ == kDropsToLog ? "; further ones are only counted"
                                           : "");
  }

  int drops_ = 0;
};
REGISTER_CALCULATOR(ImmediateMuxCalculator);

}  // namespace syncline
