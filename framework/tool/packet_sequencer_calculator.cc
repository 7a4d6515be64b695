// PacketSequencerCalculator: puts packets in sequence with those of other
// streams.
//
//   node {
//     calculator: "PacketSequencerCalculator"
//     input_stream: "INPUT:command"
//     input_stream: "TICK:0:frames"
//     input_stream: "TICK:1:sound"
//     output_stream: "OUTPUT:timed_command"
//   }
//
// Commands come when they come, and their timestamps say little. Here each gets
// the next timestamp at which no tick has been seen, so that it counts for all
// that follows:
//
//   TICK     10      20            30
//   INPUT       5         7  8               by arrival; 5, 7, 8 are timestamps
//   OUTPUT      11        21 22              settled up to 30 after 30
//
// What has been seen: a packet on any of the TICK streams, or a time up to
// which all of them are settled. A command at a time that all ticks have
// settled keeps its time where it can, so with DefaultInputStreamHandler, which
// waits for that, commands stay in their place. Before the first tick OUTPUT
// begins at Timestamp::Min(). There may be several INPUT streams; each has its
// OUTPUT.
//
// A command that comes when all ticks have ended counts for nothing: it is
// dropped, and counted in "Dropped".
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
    // Where ticks are waited for, a call at t has seen all that is up to t, so
    // that the time of a command is its own, however bounds come in between.
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
    // A command counts for the tick that comes with it: commands first.
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
  // Up to when all ticks are settled.
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

  // The first time after what has been seen.
  Timestamp NextFree() const {
    return seen_ < Timestamp::Min() ? Timestamp::Min()
                                    : seen_.NextAllowedInStream();
  }

  std::vector<Timestamp> tick_settled_;  // by index of TICK
  Timestamp seen_ = Timestamp::Unstarted();
};
REGISTER_CALCULATOR(PacketSequencerCalculator);

}  // namespace syncline
