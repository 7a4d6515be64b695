// SwitchContainer: a subgraph that acts as one of several nodes, and may change
// to another one while the graph runs.
//
//   node {
//     calculator: "SwitchContainer"
//     input_stream: "ENABLE:fancy"
//     input_stream: "IMAGE:frames"
//     output_stream: "IMAGE:shown"
//     options {
//       [syncline.SwitchContainerOptions.ext] {
//         contained_node { calculator: "PlainSubgraph" }
//         contained_node { calculator: "FancySubgraph" }
//       }
//     }
//   }
//
// It is expanded to
//
//   frames -> SwitchDemux --> c0__frames -> PlainSubgraph -> c0__shown --+
//                ^   |                                                   |
//                |   +------> c1__frames -> FancySubgraph -> c1__shown --+
//                |                                                       v
//   fancy -------+--------------------------------------------------> SwitchMux
//                                                                        |
//                                                                      shown
//
// All contained nodes have the ports of the container, apart from SELECT and
// ENABLE; the ports that they list themselves are ignored. Each gets the
// packets of the times at which it is selected, and bounds at all times. Side
// packets and headers go to all of them. The output is that of the selected
// one.
//
// The channel is selected by a stream or side packet SELECT (int) or ENABLE
// (bool), or the options `select` or `enable`; see channel_selection.h. Where
// it is a stream, a PacketSequencerCalculator puts it in sequence with the
// streams in `tick_input_stream`, by default with all others:
//
//   async_selection: false   an input waits until the selection at its own
//                            timestamp is settled; the same packets always take
//                            the same way
//   async_selection: true    a selection counts for whatever arrives after it
//
// Thread rule: as Subgraph.
// Tested by switch_container_test.

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/port_name.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/switch_container.pb.h"
#include "framework/subgraph.h"
#include "framework/tool/channel_selection.h"
#include "framework/tool/container_util.h"

namespace syncline {
namespace {

using Node = CalculatorGraphConfig::Node;
using Ports = google::protobuf::RepeatedPtrField<std::string>;

std::string ChannelName(const std::string& name, int channel) {
  return absl::StrCat("c", channel, "__", name);
}
std::string TimedName(const std::string& name) {
  return absl::StrCat(name, "__timed");
}

// One port of the container, with its name in the subgraph.
struct Port {
  std::string tag;
  int index;
  std::string name;

  std::string Text() const { return With(name); }
  // The same port for one channel, as a port of the demux or mux.
  std::string OfChannel(int channel) const {
    return tool::CatStream({tool::ChannelTag(tag, channel), index},
                           ChannelName(name, channel));
  }
  // The same port of the contained node.
  std::string OfNode(int channel) const {
    return With(ChannelName(name, channel));
  }

 private:
  // For ports without a tag, only their order says their index.
  std::string With(const std::string& stream) const {
    return tag.empty() ? stream : tool::CatStream({tag, index}, stream);
  }
};

bool IsSelection(const Port& port) {
  return port.tag == "SELECT" || port.tag == "ENABLE";
}

// The ports of one kind: SELECT and ENABLE, and the others.
struct PortList {
  std::vector<Port> selecting;
  std::vector<Port> others;
};

// Names of streams, or of side packets, in the subgraph. Two ports of the
// container may be connected to one stream; here they need names of their own.
class UniqueNames {
 public:
  explicit UniqueNames(int channels) : channels_(channels) {}

  std::string Make(const std::string& base) {
    std::string name = base;
    int& next = next_.try_emplace(base, 2).first->second;
    while (!Take(name)) name = absl::StrCat(base, "_", next++);
    return name;
  }

 private:
  // Takes the name and all names derived from it; or none of them if one is
  // taken.
  bool Take(const std::string& name) {
    std::vector<std::string> names = {name, TimedName(name)};
    for (int i = 0; i < channels_; ++i) names.push_back(ChannelName(name, i));
    for (const std::string& taken : names) {
      if (used_.count(taken) > 0) return false;
    }
    used_.insert(names.begin(), names.end());
    return true;
  }

  const int channels_;
  std::set<std::string> used_;
  std::map<std::string, int> next_;  // The number to try next, by base.
};

absl::StatusOr<PortList> ReadPorts(const Ports& ports, absl::string_view what,
                                   UniqueNames* names) {
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<const PortLayout> layout,
                            PortLayout::Create(ports));
  PortList list;
  for (int i = 0; i < layout->NumEntries(); ++i) {
    auto [tag, index] = layout->TagAndIndex(i);
    Port port = {tag, index,
                 names->Make(layout->Names()[static_cast<std::size_t>(i)])};
    (IsSelection(port) ? list.selecting : list.others)
        .push_back(std::move(port));
  }
  if (list.selecting.size() > 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "SwitchContainer has more than one ", what, " that selects: ",
        absl::StrJoin(list.selecting, ", ",
                      [](std::string* out, const Port& port) {
                        absl::StrAppend(out, "\"", port.Text(), "\"");
                      }),
        "; connect one SELECT or one ENABLE"));
  }
  return list;
}

absl::Status CheckOptions(const SwitchContainerOptions& options) {
  if (options.has_select() && options.has_enable()) {
    return absl::InvalidArgumentError(
        "SwitchContainerOptions has both `select` and `enable`; give one");
  }
  const int count = options.contained_node_size();
  if (count == 0) {
    return absl::InvalidArgumentError(
        "SwitchContainerOptions has no `contained_node` to choose from");
  }
  if (count > kMaxCollectionItemId) {
    return absl::InvalidArgumentError(
        absl::StrCat("SwitchContainerOptions has ", count,
                     " contained nodes; there can be ", kMaxCollectionItemId));
  }
  const int selected =
      options.has_enable() ? (options.enable() ? 1 : 0) : options.select();
  if (selected < 0 || selected >= count) {
    return absl::InvalidArgumentError(
        absl::StrCat("SwitchContainerOptions selects contained node ", selected,
                     " of ", count, "; they count from 0"));
  }
  return absl::OkStatus();
}

class Builder {
 public:
  Builder(const Node& container, const SwitchContainerOptions& options)
      : container_(container), options_(options) {}

  absl::StatusOr<CalculatorGraphConfig> Build() {
    SYNCLINE_RETURN_IF_ERROR(CheckOptions(options_));
    SYNCLINE_RETURN_IF_ERROR(tool::ChannelSelection::CheckSize(
        container_.input_stream_size() + container_.output_stream_size() +
            container_.input_side_packet_size() +
            container_.output_side_packet_size(),
        options_.contained_node_size()));
    UniqueNames streams(options_.contained_node_size());
    UniqueNames side_packets(options_.contained_node_size());
    SYNCLINE_ASSIGN_OR_RETURN(inputs_, ReadPorts(container_.input_stream(),
                                                 "input stream", &streams));
    SYNCLINE_ASSIGN_OR_RETURN(outputs_, ReadPorts(container_.output_stream(),
                                                  "output stream", &streams));
    SYNCLINE_ASSIGN_OR_RETURN(side_inputs_,
                              ReadPorts(container_.input_side_packet(),
                                        "input side packet", &side_packets));
    SYNCLINE_ASSIGN_OR_RETURN(side_outputs_,
                              ReadPorts(container_.output_side_packet(),
                                        "output side packet", &side_packets));
    SYNCLINE_RETURN_IF_ERROR(FindTicks());
    AddInterface();
    // Nodes are added in the order in which packets pass through them.
    const std::string selection = AddSequencer();
    Node* const demux = AddSwitch("SwitchDemuxCalculator", selection);
    for (int i = 0; i < options_.contained_node_size(); ++i) AddContained(i);
    Node* const mux = AddSwitch("SwitchMuxCalculator", selection);
    Connect(demux, mux);
    return std::move(config_);
  }

 private:
  // Finds the streams whose packets are ticks.
  absl::Status FindTicks() {
    if (options_.tick_input_stream().empty()) ticks_ = inputs_.others;
    for (const std::string& tag_index : options_.tick_input_stream()) {
      std::string tag;
      int index = 0;
      SYNCLINE_RETURN_IF_ERROR(tool::ParseTagIndex(tag_index, &tag, &index));
      bool found = false;
      for (const Port& port : inputs_.others) {
        if (port.tag != tag || port.index != index) continue;
        found = true;
        ticks_.push_back(port);
      }
      if (!found) {
        return absl::InvalidArgumentError(absl::StrCat(
            "SwitchContainerOptions has tick_input_stream \"", tag_index,
            "\", which is no input stream of the node apart from SELECT and "
            "ENABLE"));
      }
    }
    return absl::OkStatus();
  }

  // The container's own ports as the interface of the subgraph.
  void AddInterface() {
    AddTexts(inputs_, config_.mutable_input_stream());
    AddTexts(outputs_, config_.mutable_output_stream());
    AddTexts(side_inputs_, config_.mutable_input_side_packet());
    AddTexts(side_outputs_, config_.mutable_output_side_packet());
  }

  static void AddTexts(const PortList& list, Ports* ports) {
    for (const Port& port : list.selecting) *ports->Add() = port.Text();
    for (const Port& port : list.others) *ports->Add() = port.Text();
  }

  // If a stream selects: adds the node that puts it in sequence with the ticks,
  // and returns its output as a port of the demux and mux. Otherwise returns
  // "".
  std::string AddSequencer() {
    if (inputs_.selecting.empty()) return "";
    const Port& port = inputs_.selecting.front();
    Node* const node = config_.add_node();
    node->set_calculator("PacketSequencerCalculator");
    if (!options_.async_selection()) {
      node->mutable_input_stream_handler()->set_input_stream_handler(
          "DefaultInputStreamHandler");
    }
    *node->add_input_stream() = absl::StrCat("INPUT:", port.name);
    AddTicks(node);
    *node->add_output_stream() = absl::StrCat("OUTPUT:", TimedName(port.name));
    return tool::CatStream({port.tag, 0}, TimedName(port.name));
  }

  void AddTicks(Node* node) const {
    int index = 0;
    for (const Port& tick : ticks_) {
      *node->add_input_stream() = tool::CatStream({"TICK", index++}, tick.name);
    }
  }

  // Adds a demux or mux, with the ports that select.
  Node* AddSwitch(const std::string& calculator, const std::string& selection) {
    Node* const node = config_.add_node();
    node->set_calculator(calculator);
    *node->mutable_options()->MutableExtension(SwitchContainerOptions::ext) =
        options_;
    if (!selection.empty()) node->add_input_stream(selection);
    for (const Port& port : side_inputs_.selecting) {
      *node->add_input_side_packet() = port.Text();
    }
    return node;
  }

  void AddContained(int channel) {
    Node* const node = config_.add_node();
    *node = options_.contained_node(channel);
    node->clear_input_stream();
    node->clear_output_stream();
    node->clear_input_side_packet();
    node->clear_output_side_packet();
    for (const Port& port : inputs_.others) {
      *node->add_input_stream() = port.OfNode(channel);
    }
    for (const Port& port : outputs_.others) {
      *node->add_output_stream() = port.OfNode(channel);
    }
    for (const Port& port : side_inputs_.others) {
      *node->add_input_side_packet() = port.OfNode(channel);
    }
    for (const Port& port : side_outputs_.others) {
      *node->add_output_side_packet() = port.OfNode(channel);
    }
  }

  void Connect(Node* demux, Node* mux) {
    const int channels = options_.contained_node_size();
    for (const Port& port : inputs_.others) {
      *demux->add_input_stream() = port.Text();
      for (int i = 0; i < channels; ++i) {
        *demux->add_output_stream() = port.OfChannel(i);
      }
    }
    for (const Port& port : side_inputs_.others) {
      *demux->add_input_side_packet() = port.Text();
      for (int i = 0; i < channels; ++i) {
        *demux->add_output_side_packet() = port.OfChannel(i);
      }
    }
    for (const Port& port : outputs_.others) {
      *mux->add_output_stream() = port.Text();
      for (int i = 0; i < channels; ++i) {
        *mux->add_input_stream() = port.OfChannel(i);
      }
    }
    for (const Port& port : side_outputs_.others) {
      *mux->add_output_side_packet() = port.Text();
      for (int i = 0; i < channels; ++i) {
        *mux->add_input_side_packet() = port.OfChannel(i);
      }
    }
    if (!inputs_.selecting.empty()) AddTicks(mux);
  }

  const Node& container_;
  const SwitchContainerOptions& options_;
  PortList inputs_;
  PortList side_inputs_;
  PortList outputs_;
  PortList side_outputs_;
  std::vector<Port> ticks_;
  CalculatorGraphConfig config_;
};

}  // namespace

class SwitchContainer : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions& node) override {
    return Builder(node, GetOptions<SwitchContainerOptions>(node)).Build();
  }
};
REGISTER_SYNCLINE_GRAPH(SwitchContainer);

}  // namespace syncline
