// SwitchMuxCalculator: sends the packets of one of several channels to its
// outputs.
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
// timestamps. The channel is selected as for SwitchDemuxCalculator. Packets of
// other channels are dropped, and nothing waits for them:
//
//   ENABLE          false@0            true@15
//   C0__IMAGE       10                 20 (dropped)   then nothing, ever
//   C1__IMAGE       10 (dropped)       20        30
//   IMAGE           10                 20        30
//
// Change of channel: an output takes packets of the new channel only after the
// old channel is settled up to the change. So all packets that the old channel
// sends for its own times come out, also those that a node sends later than its
// last input. A node without a timestamp offset settles nothing between its
// packets, and waiting for it could take for ever. So the streams that feed the
// channels may be given as TICK: it is then enough that such a channel is
// settled at the last tick before the change. Compiling the graph finds out
// which channels pass bounds, so that the mux can wait for them
// (settled_input_stream; see framework/plan/trace_bounds.cc). In a graph with
// `deterministic: true` the mux waits for all channels.
//
// Lost packets: at each timestamp an output has at most one packet, that of the
// channel that is selected there. So these packets of a channel are dropped:
//
//   - packets at times at which another channel is selected: a node with an
//   offset of 5 that gets
//     its last input at 22, when the other channel begins at 25, sends it at 27
//   - from a channel without bounds, what comes after a packet or bound at or
//     after its last tick, if the output has turned by then
//
// The counter "Dropped" of the node counts these packets.
//
// Side packets and headers are those of the channel that is selected at first.
// The calculator keeps the packets that wait. More than 10000 waiting packets
// of one stream are an error: the old channel does not settle.
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

// The timestamps of the packets on the TICK streams: when packets were sent to
// the channels.
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

  // The last tick in [from, to); Unstarted if there is none there; Done if not
  // all ticks before `to` are known yet.
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

  // Promises that LastIn is asked only for ranges that end after `time`. Of the
  // ticks up to `time`, only the last one is kept.
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
    // Packets are sent by their timestamps, whatever order they arrive in. This
    // may fail for a channel that is not waited for; in a deterministic graph
    // all channels are waited for.
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
  // The stream of one channel for one output.
  struct Channel {
    CollectionItemId input;  // invalid if the channel has no such stream
    std::deque<Packet> waiting = {};
    // A channel that has no such stream has nothing to wait for.
    Timestamp settled = Timestamp::Done();
    // Whether the bounds of this stream follow the bounds of the ticks, so that
    // the mux can wait for it.
    bool passes_bounds = false;
  };
  // An output, and the streams that it may take packets from.
  struct Join {
    CollectionItemId output;
    std::vector<Channel> channels = {};
    std::int64_t span = 0;  // The position of the current span.
  };

  // `settled_inputs` are the inputs that the mux can wait for, as "TAG:index".
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

  // Sends the packets of the current span, and goes on to later spans while the
  // one before is over.
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

  // Sends the packets of the current span's channel, up to the end of the span.
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
      // Earlier packets came while the channel was not selected, or too late.
      if (time >= span.from) {
        output->AddPacket(std::move(waiting.front()));
      } else {
        ++dropped_;
      }
      waiting.pop_front();
    }
  }

  // Whether the channel of the current span sends nothing more before the next
  // span.
  bool IsOver(Join* join) const {
    const Channel& channel = CurrentChannel(join);
    const Timestamp from = selection_.span(join->span).from;
    const Timestamp end = selection_.span(join->span + 1).from;
    if (channel.settled >= end.PreviousAllowedInStream()) return true;
    return !channel.passes_bounds &&
           channel.settled >= ticks_.LastIn(from, end);
  }

  // Drops packets at times at which another channel is selected.
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

  // An error if too much waits at an output. It says what the user can change.
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
        "; let the node that sends this stream promise a timestamp offset or "
        "set its "
        "bounds"));
  }

  // Drops the spans that all outputs have passed.
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
  int dropped_ = 0;  // Dropped packets that the counter does not have yet.
};
REGISTER_CALCULATOR(SwitchMuxCalculator);

}  // namespace syncline
