// PacketSequencerCalculator: gives the packets of one stream new timestamps, so
// that they take effect after packets of other streams that were there before.
//
//   node {
//     calculator: "PacketSequencerCalculator"
//     input_stream: "INPUT:command"
//     input_stream: "TICK:0:frames"
//     input_stream: "TICK:1:sound"
//     output_stream: "OUTPUT:timed_command"
//   }
//
// A command comes at any time, and its timestamp does not say when it should
// take effect. Here each command gets the first timestamp after all ticks that
// were seen, so that it takes effect for the ticks that follow:
//
//   TICK     10      20            30
//   INPUT       5         7  8               by arrival; 5, 7, 8 are timestamps
//   OUTPUT      11        21 22              settled up to 30 after 30
//
// A tick is seen when a packet comes on any of the TICK streams, or when all of
// them settle up to a time. A command keeps its timestamp if all TICK streams
// are settled there and OUTPUT has sent nothing later.
// DefaultInputStreamHandler waits for this, so with it commands keep their
// timestamps. Before the first tick, OUTPUT begins at Timestamp::Min(). There
// may be several INPUT streams; each has its own OUTPUT.
//
// A command that comes after all TICK streams have ended has nothing to take
// effect on: it is dropped, and counted in "Dropped".
//
// Thread rule: as for any calculator.
// Tested by switch_calculators_test.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/match.h"
#include "framework/calculator_framework.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/stream_handler.pb.h"
#include "framework/tool/channel_selection.h"
#include "framework/tool/container_util.h"

namespace syncline {
namespace {

constexpr char kInput[] = "INPUT";
constexpr char kTick[] = "TICK";
constexpr char kOutput[] = "OUTPUT";

}  // namespace

class PacketSequencerCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const int count = cc->Inputs().NumEntries(kInput);
    if (count != cc->Outputs().NumEntries(kOutput)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "PacketSequencerCalculator needs an OUTPUT for each INPUT, but has ",
          count, " INPUT and ", cc->Outputs().NumEntries(kOutput), " OUTPUT"));
    }
    for (int i = 0; i < count; ++i) {
      cc->Inputs().Get(kInput, i).SetAny();
      cc->Outputs().Get(kOutput, i).SetSameAs(&cc->Inputs().Get(kInput, i));
    }
    for (int i = 0; i < cc->Inputs().NumEntries(kTick); ++i) {
      cc->Inputs().Get(kTick, i).SetAny();
    }
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    cc->SetProcessTimestampBounds(true);
    // With DefaultInputStreamHandler, a call at t has seen all ticks up to t.
    // So a command keeps its timestamp, whichever order bounds arrive in.
    const InputStreamHandlerConfig& handler = cc->node().input_stream_handler();
    cc->SetOrderIndependent(handler.has_input_stream_handler() &&
                            absl::EndsWith(handler.input_stream_handler(),
                                           "DefaultInputStreamHandler"));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    tick_settled_.assign(
        static_cast<std::size_t>(cc->Inputs().NumEntries(kTick)),
        Timestamp::Unstarted());
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    // If a command and a tick come in one call, the command takes effect before
    // the tick. So commands are sent before `seen_` is raised.
    const Timestamp settled = UpdateSettled(*cc);
    const Timestamp now = cc->InputTimestamp();
    for (int i = 0; i < cc->Inputs().NumEntries(kInput); ++i) {
      const InputStream& input = cc->Inputs().Get(kInput, i);
      OutputStream& output = cc->Outputs().Get(kOutput, i);
      if (input.IsEmpty()) continue;
      Timestamp time = std::max(NextFree(), output.NextTimestampBound());
      if (settled >= now) time = std::max(time, now);
      if (time.IsRangeValue()) {
        output.AddPacket(input.Value().At(time));
      } else {
        cc->GetCounter("Dropped")->Increment();
      }
    }
    seen_ = std::max(seen_, std::min(settled, now));
    for (int i = 0; i < cc->Inputs().NumEntries(kTick); ++i) {
      const InputStream& tick = cc->Inputs().Get(kTick, i);
      if (!tick.IsEmpty()) seen_ = std::max(seen_, tick.Value().Timestamp());
    }
    for (int i = 0; i < cc->Outputs().NumEntries(kOutput); ++i) {
      OutputStream& output = cc->Outputs().Get(kOutput, i);
      if (cc->Inputs().Get(kInput, i).IsDone()) {
        output.Close();
      } else if (seen_ > Timestamp::Unstarted()) {
        tool::RaiseBound(NextFree(), &output);
      }
    }
    return absl::OkStatus();
  }

 private:
  // The timestamp up to which all TICK streams are settled.
  Timestamp UpdateSettled(const CalculatorContext& cc) {
    Timestamp all = Timestamp::Done();
    for (std::size_t i = 0; i < tick_settled_.size(); ++i) {
      tick_settled_[i] = std::max(
          tick_settled_[i],
          tool::SettledTime(cc.Inputs().Get(kTick, static_cast<int>(i))));
      all = std::min(all, tick_settled_[i]);
    }
    return tick_settled_.empty() ? Timestamp::Unstarted() : all;
  }

  // The first timestamp after all ticks that were seen.
  Timestamp NextFree() const {
    return seen_ < Timestamp::Min() ? Timestamp::Min()
                                    : seen_.NextAllowedInStream();
  }

  std::vector<Timestamp> tick_settled_;  // by index of TICK
  Timestamp seen_ = Timestamp::Unstarted();
};
REGISTER_CALCULATOR(PacketSequencerCalculator);

}  // namespace syncline
