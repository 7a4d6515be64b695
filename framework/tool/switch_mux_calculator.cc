// SwitchMuxCalculator: one of several channels, as its outputs.
//
//   node {
//     calculator: "SwitchMuxCalculator"
//     input_stream: "ENABLE:enable"
//     input_stream: "C0__IMAGE:image_0"
//     input_stream: "C1__IMAGE:image_1"
//     output_stream: "IMAGE:image"
//   }
//
// An output has the packets of the channel that is selected at their
// timestamps; what selects is as for SwitchDemuxCalculator. Packets of other
// channels are dropped, and nothing waits for these:
//
//   ENABLE          false@0            true@15
//   C0__IMAGE       10                 20 (dropped)   then nothing, ever
//   C1__IMAGE       10 (dropped)       20        30
//   IMAGE           10                 20        30
//
// From one channel to the next. Before an output turns to the new channel it
// waits until the old one is settled up to the change: all that it sends at its
// own times comes out, also what a node sends later than its last input. A node
// that promises no timestamp offset settles nothing between its packets; to
// wait for it could take forever. So where the streams that feed the channels
// are given as TICK, it is enough that such a channel is settled at the last of
// their packets before the change. Which channels pass bounds, and so can be
// waited for, is known when the graph is compiled (settled_input_stream; see
// framework/plan/trace_bounds.h). In a graph with `deterministic: true` all are
// waited for.
//
// What is lost. An output has one packet at a time, that of the channel
// selected at it. So of what a channel sends, dropped is
//
//   - what is at times of another channel: a node with an offset of 5 that gets
//     its last input at 22, when the other channel begins at 25, sends it at 27
//   - from a channel without bounds, what comes after a packet or bound at or
//     after its last tick, if the output has turned by then
//
// The counter "Dropped" of the node counts these packets.
//
// Side packets and headers are those of the channel that is selected at first.
// What waits is kept here; for more than 10000 packets of one stream that is an
// error, as the old channel does not say that it is settled.
//
// Thread rule: as for any calculator.
// Tested by switch_calculators_test.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/config/switch_container.pb.h"
#include "framework/tool/channel_selection.h"
#include "framework/tool/container_util.h"

namespace syncline {
namespace {

constexpr char kTick[] = "TICK";
constexpr std::size_t kMaxWaiting = 10000;
constexpr std::size_t kMaxTicks = 1000000;

int CountChannels(const CalculatorContract& cc) {
  return std::max({tool::ChannelCount(cc.Inputs().TagMap()),
                   tool::ChannelCount(cc.InputSidePackets().TagMap()),
                   cc.Options<SwitchContainerOptions>().contained_node_size()});
}

// Each channel's port for tag and index has the type of the output.
void FillTypes(PacketTypeSet& inputs, PacketTypeSet& outputs) {
  for (PacketType& type : outputs) type.SetAny();
  for (CollectionItemId id = inputs.BeginId(); id < inputs.EndId(); ++id) {
    const auto [tag, index] = inputs.TagAndIndexFromId(id);
    const auto channel = tool::ParseChannelTag(tag);
    if (channel.has_value()) {
      inputs.Get(id).SetSameAs(&outputs.Get(channel->second, index));
    }
  }
}

// The packets on TICK: when something was sent to the channels.
class Ticks {
 public:
  void Update(const CalculatorContext& cc) {
    const InputStreamSet& inputs = cc.Inputs();
    const int count = inputs.NumEntries(kTick);
    settled_.resize(static_cast<std::size_t>(count), Timestamp::Unstarted());
    for (int i = 0; i < count; ++i) {
      const InputStream& tick = inputs.Get(kTick, i);
      Timestamp& settled = settled_[static_cast<std::size_t>(i)];
      settled = std::max(settled, tool::SettledTime(tick));
      if (!tick.IsEmpty()) times_.insert(tick.Value().Timestamp());
    }
  }

  // The last tick in [from, to), if all of them are known; Done if that is not
  // so, Unstarted if there was none.
  Timestamp LastIn(Timestamp from, Timestamp to) const {
    if (settled_.empty()) return Timestamp::Done();
    const Timestamp last = to.PreviousAllowedInStream();
    for (const Timestamp settled : settled_) {
      if (settled < last) return Timestamp::Done();
    }
    const auto after = times_.lower_bound(to);
    if (after == times_.begin()) return Timestamp::Unstarted();
    const Timestamp found = *std::prev(after);
    return found >= from ? found : Timestamp::Unstarted();
  }

  // LastIn is from now on asked for ends after `time` only: of the ticks up to
  // there the last one is enough.
  void ForgetBefore(Timestamp time) {
    const auto end = times_.upper_bound(time);
    if (end != times_.begin()) times_.erase(times_.begin(), std::prev(end));
  }
  std::size_t size() const { return times_.size(); }

 private:
  std::vector<Timestamp> settled_;  // by index of TICK
  std::set<Timestamp> times_;
};

}  // namespace

class SwitchMuxCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(tool::ChannelSelection::FillContract(cc));
    SYNCLINE_RETURN_IF_ERROR(tool::ChannelSelection::CheckSize(
        cc->Outputs().NumEntries() + cc->OutputSidePackets().NumEntries(),
        CountChannels(*cc)));
    FillTypes(cc->Inputs(), cc->Outputs());
    FillTypes(cc->InputSidePackets(), cc->OutputSidePackets());
    for (int i = 0; i < cc->Inputs().NumEntries(kTick); ++i) {
      cc->Inputs().Get(kTick, i).SetAny();
    }
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    cc->SetProcessTimestampBounds(true);
    // Packets go by their timestamps. Where a channel cannot be waited for this
    // may fail, but in deterministic graphs all are waited for.
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_RETURN_IF_ERROR(
        selection_.Open(*cc, CountChannels(cc->contract())));
    const int initial = selection_.span(0).channel;
    const auto& listed =
        cc->Options<SwitchContainerOptions>().settled_input_stream();
    const std::set<std::string> settled_inputs(listed.begin(), listed.end());
    for (CollectionItemId id = cc->Outputs().BeginId();
         id < cc->Outputs().EndId(); ++id) {
      AddJoin(id, settled_inputs, cc);
    }
    const PacketSet& inputs = cc->InputSidePackets();
    OutputSidePacketSet& outputs = cc->OutputSidePackets();
    for (CollectionItemId id = outputs.BeginId(); id < outputs.EndId(); ++id) {
      const auto [tag, index] = outputs.TagAndIndexFromId(id);
      const CollectionItemId input =
          inputs.GetId(tool::ChannelTag(tag, initial), index);
      if (input.IsValid() && !inputs.Get(input).IsEmpty()) {
        outputs.Get(id).Set(inputs.Get(input));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    SYNCLINE_RETURN_IF_ERROR(selection_.Update(*cc));
    ticks_.Update(*cc);
    for (Join& join : joins_) {
      for (Channel& channel : join.channels) {
        if (!channel.input.IsValid()) continue;
        const InputStream& input = cc->Inputs().Get(channel.input);
        channel.settled = std::max(channel.settled, tool::SettledTime(input));
        if (!input.IsEmpty()) channel.waiting.push_back(input.Value());
      }
      Send(&join, &cc->Outputs().Get(join.output));
      SYNCLINE_RETURN_IF_ERROR(CheckWaiting(join, *cc));
    }
    CountDropped(cc);
    ForgetSpans();
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    selection_.Close();
    for (Join& join : joins_) {
      for (Channel& channel : join.channels) {
        channel.settled = Timestamp::Done();
      }
      Send(&join, &cc->Outputs().Get(join.output));
    }
    CountDropped(cc);
    return absl::OkStatus();
  }

 private:
  // An output's stream of one channel.
  struct Channel {
    CollectionItemId input;  // invalid if the channel has no such stream
    std::deque<Packet> waiting = {};
    // A channel that has no such stream has nothing to wait for.
    Timestamp settled = Timestamp::Done();
    // Its bounds follow those of the ticks, so that it can be waited for.
    bool passes_bounds = false;
  };
  // An output, and where it may come from.
  struct Join {
    CollectionItemId output;
    std::vector<Channel> channels = {};
    std::int64_t span = 0;  // the one that it is at
  };

  // `settled_inputs` are those that can be waited for, as "TAG:index".
  void AddJoin(CollectionItemId output,
               const std::set<std::string>& settled_inputs,
               CalculatorContext* cc) {
    Join& join = joins_.emplace_back(Join{.output = output});
    const auto [tag, index] = cc->Outputs().TagAndIndexFromId(output);
    const int count = CountChannels(cc->contract());
    for (int i = 0; i < count; ++i) {
      Channel& channel = join.channels.emplace_back(Channel{
          .input = cc->Inputs().GetId(tool::ChannelTag(tag, i), index)});
      if (!channel.input.IsValid()) continue;
      channel.settled = Timestamp::Unstarted();
      const auto [channel_tag, i_th] =
          cc->Inputs().TagAndIndexFromId(channel.input);
      channel.passes_bounds =
          settled_inputs.count(absl::StrCat(channel_tag, ":", i_th)) > 0;
      if (i != selection_.span(0).channel) continue;
      const Packet& header = cc->Inputs().Get(channel.input).Header();
      if (!header.IsEmpty()) cc->Outputs().Get(output).SetHeader(header);
    }
  }

  Channel& CurrentChannel(Join* join) const {
    return join->channels[static_cast<std::size_t>(
        selection_.span(join->span).channel)];
  }

  // Sends what is certain, and turns to the next channels as far as the ones
  // before are settled.
  void Send(Join* join, OutputStream* output) {
    SendSpan(join, output);
    while (join->span < selection_.last_span() && IsOver(join)) {
      ++join->span;
      SendSpan(join, output);
    }
    DropOthers(join);
    const Channel& channel = CurrentChannel(join);
    const bool is_last = join->span == selection_.last_span();
    Timestamp settled = std::min(channel.settled, selection_.settled());
    if (is_last && settled == Timestamp::Done()) {
      output->Close();
      return;
    }
    if (!is_last) {
      settled = std::min(
          settled,
          selection_.span(join->span + 1).from.PreviousAllowedInStream());
    }
    tool::RaiseBound(tool::BoundAfter(settled), output);
  }

  // The packets of the current span's channel, up to its end.
  void SendSpan(Join* join, OutputStream* output) {
    const tool::ChannelSelection::Span& span = selection_.span(join->span);
    std::deque<Packet>& waiting = CurrentChannel(join).waiting;
    while (!waiting.empty()) {
      const Timestamp time = waiting.front().Timestamp();
      if (time > selection_.settled()) return;
      if (join->span < selection_.last_span() &&
          time >= selection_.span(join->span + 1).from) {
        return;
      }
      // Earlier ones came when the channel was not selected, or too late.
      if (time >= span.from) {
        output->AddPacket(std::move(waiting.front()));
      } else {
        ++dropped_;
      }
      waiting.pop_front();
    }
  }

  // Whether nothing more can come from the channel before the next span.
  bool IsOver(Join* join) const {
    const Channel& channel = CurrentChannel(join);
    const Timestamp from = selection_.span(join->span).from;
    const Timestamp end = selection_.span(join->span + 1).from;
    if (channel.settled >= end.PreviousAllowedInStream()) return true;
    return !channel.passes_bounds &&
           channel.settled >= ticks_.LastIn(from, end);
  }

  // Packets at times at which another channel is selected.
  void DropOthers(Join* join) {
    const Timestamp from = selection_.span(join->span).from;
    for (std::size_t i = 0; i < join->channels.size(); ++i) {
      std::deque<Packet>& waiting = join->channels[i].waiting;
      while (!waiting.empty()) {
        const Timestamp time = waiting.front().Timestamp();
        if (time >= from &&
            (time > selection_.settled() ||
             selection_.ChannelAt(time) == static_cast<int>(i))) {
          break;
        }
        waiting.pop_front();
        ++dropped_;
      }
    }
  }

  void CountDropped(CalculatorContext* cc) {
    if (dropped_ == 0) return;
    cc->GetCounter("Dropped")->IncrementBy(std::exchange(dropped_, 0));
  }

  // How a user gets out of too much waiting at an output.
  absl::Status CheckWaiting(const Join& join,
                            const CalculatorContext& cc) const {
    std::size_t waiting = 0;
    for (const Channel& channel : join.channels) {
      waiting = std::max(waiting, channel.waiting.size());
    }
    if (waiting <= kMaxWaiting && ticks_.size() <= kMaxTicks) {
      return absl::OkStatus();
    }
    const int current = selection_.span(join.span).channel;
    return absl::ResourceExhaustedError(absl::StrCat(
        "at ", cc.InputTimestamp().DebugString(), " ", waiting,
        " packets of one stream and ", ticks_.size(),
        " ticks wait for output \"", cc.Outputs().Get(join.output).Name(),
        "\": channel ", current,
        " was selected before, and its stream is settled only up to ",
        join.channels[static_cast<std::size_t>(current)].settled.DebugString(),
        ", the selection up to ", selection_.settled().DebugString(),
        "; let the node behind it promise a timestamp offset or set its "
        "bounds"));
  }

  // Spans that are over for every output.
  void ForgetSpans() {
    std::int64_t position = selection_.last_span();
    for (const Join& join : joins_) position = std::min(position, join.span);
    selection_.ForgetBefore(position);
    ticks_.ForgetBefore(
        position == selection_.last_span()
            ? selection_.settled()
            : selection_.span(position + 1).from.PreviousAllowedInStream());
  }

  tool::ChannelSelection selection_;
  Ticks ticks_;
  std::vector<Join> joins_;
  int dropped_ = 0;  // that are not counted yet
};
REGISTER_CALCULATOR(SwitchMuxCalculator);

}  // namespace syncline
