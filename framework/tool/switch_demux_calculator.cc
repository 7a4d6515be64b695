// SwitchDemuxCalculator: sends its inputs to one of several channels.
//
//   node {
//     calculator: "SwitchDemuxCalculator"
//     input_stream: "ENABLE:enable"
//     input_stream: "IMAGE:image"
//     output_stream: "C0__IMAGE:image_0"
//     output_stream: "C1__IMAGE:image_1"
//   }
//
// An input packet goes to the channel that is selected at its timestamp: by the
// last packet of SELECT (int) or ENABLE (bool) up to then. So the packet waits
// until that stream is settled at its timestamp. Before the first packet of
// that stream, side packets with these tags and the options `select` and
// `enable` of SwitchContainerOptions select the channel. All channels get the
// bounds of the inputs: nothing waits for a channel that is not selected.
// Headers and side packets go to all channels. A packet for a channel without
// such an output is dropped, and counted in "Dropped".
//
// Inputs do not wait for each other, unless the option `synchronize_io` is set.
// The calculator keeps the packets that wait for the selection. More than 10000
// waiting packets of one stream are an error: the selection does not keep up.
//
// Thread rule: as for any calculator.
// Tested by switch_calculators_test.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/config/switch_container.pb.h"
#include "framework/tool/channel_selection.h"
#include "framework/tool/container_util.h"

namespace syncline {
namespace {

constexpr std::size_t kMaxWaiting = 10000;

bool SelectsChannel(absl::string_view tag) {
  return tag == "SELECT" || tag == "ENABLE";
}

int CountChannels(const CalculatorContract& cc) {
  return std::max({tool::ChannelCount(cc.Outputs().TagMap()),
                   tool::ChannelCount(cc.OutputSidePackets().TagMap()),
                   cc.Options<SwitchContainerOptions>().contained_node_size()});
}

// Gives each channel's port the type of the input with the same tag and index.
void FillTypes(PacketTypeSet& inputs, PacketTypeSet& outputs) {
  for (CollectionItemId id = inputs.BeginId(); id < inputs.EndId(); ++id) {
    if (SelectsChannel(inputs.TagAndIndexFromId(id).first)) continue;
    inputs.Get(id).SetAny();
  }
  for (CollectionItemId id = outputs.BeginId(); id < outputs.EndId(); ++id) {
    const auto [tag, index] = outputs.TagAndIndexFromId(id);
    const auto channel = tool::ParseChannelTag(tag);
    if (!channel.has_value()) continue;  // is found to be unexpected
    outputs.Get(id).SetSameAs(&inputs.Get(channel->second, index));
  }
}

}  // namespace

class SwitchDemuxCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(tool::ChannelSelection::FillContract(cc));
    SYNCLINE_RETURN_IF_ERROR(tool::ChannelSelection::CheckSize(
        cc->Inputs().NumEntries() + cc->InputSidePackets().NumEntries(),
        CountChannels(*cc)));
    FillTypes(cc->Inputs(), cc->Outputs());
    FillTypes(cc->InputSidePackets(), cc->OutputSidePackets());
    if (!cc->Options<SwitchContainerOptions>().synchronize_io()) {
      cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    }
    cc->SetProcessTimestampBounds(true);
    // When a packet is sent depends only on timestamps, not on the order of
    // arrival.
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_RETURN_IF_ERROR(
        selection_.Open(*cc, CountChannels(cc->contract())));
    for (CollectionItemId id = cc->Inputs().BeginId();
         id < cc->Inputs().EndId(); ++id) {
      const auto [tag, index] = cc->Inputs().TagAndIndexFromId(id);
      if (SelectsChannel(tag)) continue;
      routes_.push_back({.input = id});
    }
    for (Route& route : routes_) {
      route.outputs = ChannelPorts(cc->Inputs(), route.input, cc->Outputs());
      const Packet& header = cc->Inputs().Get(route.input).Header();
      if (header.IsEmpty()) continue;
      for (const CollectionItemId id : route.outputs) {
        if (id.IsValid()) cc->Outputs().Get(id).SetHeader(header);
      }
    }
    RelaySidePackets(cc);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    SYNCLINE_RETURN_IF_ERROR(selection_.Update(*cc));
    for (Route& route : routes_) {
      SYNCLINE_RETURN_IF_ERROR(
          Take(cc->Inputs().Get(route.input), cc->InputTimestamp(), &route));
      Send(&route, cc);
    }
    ForgetSpans();
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    selection_.Close();
    for (Route& route : routes_) Send(&route, cc);
    return absl::OkStatus();
  }

 private:
  // An input and the outputs that it may go to.
  struct Route {
    CollectionItemId input;
    std::vector<CollectionItemId> outputs;  // by channel; some may be invalid
    std::deque<Packet> waiting = {};
    Timestamp settled = Timestamp::Unstarted();
  };

  // For each channel, the port with the tag and index of `input`.
  template <typename Inputs, typename Outputs>
  static std::vector<CollectionItemId> ChannelPorts(const Inputs& inputs,
                                                    CollectionItemId input,
                                                    const Outputs& outputs) {
    const auto [tag, index] = inputs.TagAndIndexFromId(input);
    std::vector<CollectionItemId> ports;
    const int count = tool::ChannelCount(outputs.TagMap());
    for (int channel = 0; channel < count; ++channel) {
      ports.push_back(outputs.GetId(tool::ChannelTag(tag, channel), index));
    }
    return ports;
  }

  // Each channel gets all side packets: a node whose side packet is missing
  // cannot be opened, also while its channel is not selected.
  static void RelaySidePackets(CalculatorContext* cc) {
    const PacketSet& inputs = cc->InputSidePackets();
    for (CollectionItemId input = inputs.BeginId(); input < inputs.EndId();
         ++input) {
      if (inputs.Get(input).IsEmpty()) continue;
      for (const CollectionItemId output :
           ChannelPorts(inputs, input, cc->OutputSidePackets())) {
        if (!output.IsValid()) continue;
        cc->OutputSidePackets().Get(output).Set(inputs.Get(input));
      }
    }
  }

  static absl::Status Take(const InputStream& input, Timestamp now,
                           Route* route) {
    route->settled = std::max(route->settled, tool::SettledTime(input));
    if (input.IsEmpty()) return absl::OkStatus();
    route->waiting.push_back(input.Value());
    if (route->waiting.size() <= kMaxWaiting) return absl::OkStatus();
    return absl::ResourceExhaustedError(absl::StrCat(
        "at ", now.DebugString(), " more than ", kMaxWaiting,
        " packets of stream \"", input.Name(),
        "\" wait for SELECT or ENABLE to settle their timestamps: send these "
        "in time, or let SwitchContainer select with async_selection"));
  }

  // Sends the packets whose selection is settled, and the bounds. A packet that
  // waits gives no bound up to its time, so that whoever observes bounds is
  // told one thing of each time.
  void Send(Route* route, CalculatorContext* cc) {
    Timestamp bound = Timestamp::PreStream();
    while (!route->waiting.empty() &&
           route->waiting.front().Timestamp() <= selection_.settled()) {
      bound = route->waiting.front().Timestamp().NextAllowedInStream();
      const auto channel = static_cast<std::size_t>(
          selection_.ChannelAt(route->waiting.front().Timestamp()));
      if (channel < route->outputs.size() &&
          route->outputs[channel].IsValid()) {
        cc->Outputs()
            .Get(route->outputs[channel])
            .AddPacket(std::move(route->waiting.front()));
      } else {
        cc->GetCounter("Dropped")->Increment();
      }
      route->waiting.pop_front();
    }
    const bool done =
        route->waiting.empty() && route->settled == Timestamp::Done();
    if (route->waiting.empty()) bound = tool::BoundAfter(route->settled);
    for (const CollectionItemId id : route->outputs) {
      if (!id.IsValid()) continue;
      OutputStream& output = cc->Outputs().Get(id);
      if (done) {
        output.Close();
      } else {
        tool::RaiseBound(bound, &output);
      }
    }
  }

  // Drops the spans that all inputs have passed.
  void ForgetSpans() {
    Timestamp over = selection_.settled();
    for (const Route& route : routes_) {
      over = std::min(over, route.waiting.empty()
                                ? route.settled
                                : route.waiting.front().Timestamp());
    }
    std::int64_t position = selection_.first_span();
    while (position < selection_.last_span() &&
           selection_.span(position + 1).from <= over) {
      ++position;
    }
    selection_.ForgetBefore(position);
  }

  tool::ChannelSelection selection_;
  std::vector<Route> routes_;
};
REGISTER_CALCULATOR(SwitchDemuxCalculator);

}  // namespace syncline
