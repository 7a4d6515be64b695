// Makes the config of a graph that was built.
//
// The ports are visited in the order of their tags, the same order for giving
// names and for writing. All sources get names first; then each destination
// takes the name of its source.

#include "framework/api2/builder.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/hash_map.h"
#include "framework/base/misuse.h"

namespace syncline {
namespace api2 {
namespace builder {
namespace {

using builder_internal::AnyOptions;
using builder_internal::DestinationEnd;
using builder_internal::EndList;
using builder_internal::EndLists;
using builder_internal::Ports;
using builder_internal::SourceEnd;
using Names = google::protobuf::RepeatedPtrField<std::string>;

// The place of an entry: number `index` of the `count` entries under `tag`.
struct Place {
  absl::string_view tag;
  int index;
  int count;
};

std::string PortText(const Place& place, absl::string_view name) {
  if (place.tag.empty()) return std::string(name);
  if (place.count == 1) return absl::StrCat(place.tag, ":", name);
  return absl::StrCat(place.tag, ":", place.index, ":", name);
}

std::string TagIndexText(const Place& place) {
  if (!place.tag.empty() && place.count == 1) return std::string(place.tag);
  return absl::StrCat(place.tag, ":", place.index);
}

// Calls visit(place, end) for all entries.
template <typename End, typename Visit>
void ForEach(EndLists<End>& lists, Visit visit) {
  for (auto& [tag, list] : lists.by_tag) {
    const int count = static_cast<int>(list.ends.size());
    for (int i = 0; i < count; ++i) visit(Place{tag, i, count}, list.ends[i]);
  }
}

// Gives names to sources that have none.
class Namer {
 public:
  // Keeps track of names that the user gave, so that no stream gets the same
  // name.
  void Keep(Ports& ports) {
    const auto keep = [this](const Place&, SourceEnd& source) {
      if (!source.name.empty()) taken_.insert(source.name);
    };
    ForEach(ports.out, keep);
    ForEach(ports.side_out, keep);
  }

  void Name(Ports& ports) {
    ForEach(ports.out, [this](const Place&, SourceEnd& source) {
      Name("__stream_", source);
    });
    ForEach(ports.side_out, [this](const Place&, SourceEnd& source) {
      Name("__side_packet_", source);
    });
  }

 private:
  void Name(absl::string_view prefix, SourceEnd& source) {
    while (source.name.empty()) {
      std::string name = absl::StrCat(prefix, count_++);
      if (taken_.insert(name).second) source.name = std::move(name);
    }
  }

  HashSet<std::string> taken_;
  int count_ = 0;
};

// Writes the ports of one node, or of the graph, and collects the errors.
class PortWriter {
 public:
  // Each error begins with `where`; `hint` says which node it is.
  PortWriter(std::string where, std::string hint,
             std::vector<std::string>* errors)
      : where_(std::move(where)), hint_(std::move(hint)), errors_(errors) {}

  void Sources(EndLists<SourceEnd>& sources, absl::string_view kind,
               Names* names) {
    CheckIndexes(sources, kind);
    ForEach(sources, [names](const Place& place, const SourceEnd& source) {
      names->Add(PortText(place, source.name));
    });
  }

  // Calls on_info(place, end) for each destination that has settings besides
  // its source.
  template <typename OnInfo>
  void Destinations(EndLists<DestinationEnd>& destinations,
                    absl::string_view kind, Names* names, OnInfo on_info) {
    CheckIndexes(destinations, kind);
    ForEach(destinations, [&](const Place& place, const DestinationEnd& end) {
      Check(place, end, kind);
      if (end.source == nullptr) return;
      names->Add(PortText(place, end.source->name));
      if (end.HasInfo()) on_info(place, end);
    });
  }

  void Error(absl::string_view what, absl::string_view kind, const Place& place,
             absl::string_view advice) {
    errors_->push_back(absl::StrCat(where_, ": ", what, " ", kind, " with tag ",
                                    place.tag.empty() ? "(empty)" : place.tag,
                                    " at index ", place.index, hint_, ". ",
                                    advice));
  }

 private:
  void Check(const Place& place, const DestinationEnd& end,
             absl::string_view kind) {
    if (end.has_two_sources) {
      Error("Two sources for", kind, place,
            "An input reads one; use a calculator that merges.");
    }
    if (end.has_foreign_source) {
      Error("A source of another graph for", kind, place,
            "Connect what was made by the same Graph.");
    } else if (end.source == nullptr) {
      Error("Missing source for", kind, place,
            "Connect one with \">>\", or do not ask for the port.");
    }
  }

  template <typename End>
  void CheckIndexes(EndLists<End>& lists, absl::string_view kind) {
    for (auto& [tag, list] : lists.by_tag) {
      if (!list.bad_index.has_value()) continue;
      Error("No", kind, Place{tag, *list.bad_index, 0},
            absl::StrCat("Indexes are 0 to ", kMaxCollectionItemId, "."));
    }
  }

  const std::string where_;
  const std::string hint_;
  std::vector<std::string>* const errors_;
};

// The text that errors begin with.
std::string TypeText(const CalculatorGraphConfig::Node& node) {
  return node.calculator().empty() ? "Fused node" : node.calculator();
}

constexpr auto kNoInfo = [](const Place&, const DestinationEnd&) {};

// "TAG:index" of an input; nothing if `input` is not among `inputs`.
absl::optional<std::string> TagIndexOf(EndLists<DestinationEnd>& inputs,
                                       const DestinationEnd* input) {
  absl::optional<std::string> result;
  ForEach(inputs, [&](const Place& place, const DestinationEnd& end) {
    if (&end == input) result = TagIndexText(place);
  });
  return result;
}

// What the input at `place`, one of `inputs`, has besides its source.
void WriteInfo(const Place& place, const DestinationEnd& end,
               EndLists<DestinationEnd>& inputs, PortWriter* writer,
               InputStreamInfo* info) {
  info->set_tag_index(end.merges ? std::string(place.tag)
                                 : TagIndexText(place));
  if (end.is_back_edge) info->set_back_edge(true);
  if (end.merges) info->set_merge(true);
  if (end.merges && place.index > 0) {
    writer->Error("Merge at", "input stream", place,
                  "Say it of index 0: this applies to all streams of the tag.");
  }
  if (end.max_queue_size != 0) info->set_max_queue_size(end.max_queue_size);
  info->set_queue_policy(end.queue_policy);
  if (end.has_message_times) info->set_message_times(true);
  if (end.idle_with == nullptr) return;
  const auto other = TagIndexOf(inputs, end.idle_with);
  if (!other.has_value()) {
    writer->Error("IdleAfter with an input of another node for", "input stream",
                  place, "Name an input of the same node.");
    return;
  }
  info->mutable_idle_after()->set_stream(*other);
  info->mutable_idle_after()->set_gap(end.idle_gap);
}

}  // namespace

namespace builder_internal {

void AnyOptions::AddTo(
    google::protobuf::RepeatedPtrField<google::protobuf::Any>* packed) const {
  for (const auto& message : messages_) packed->Add()->PackFrom(*message);
}

InputStreamHandler MakeInputStreamHandler(absl::string_view type) {
  InputStreamHandlerConfig config;
  config.set_input_stream_handler(std::string(type));
  return InputStreamHandler(std::move(config));
}

OutputStreamHandler MakeOutputStreamHandler(absl::string_view type) {
  OutputStreamHandlerConfig config;
  config.set_output_stream_handler(std::string(type));
  return OutputStreamHandler(std::move(config));
}

}  // namespace builder_internal

struct Graph::Contents {
  // The settings of an input of the graph.
  struct InputInfoOf {
    const SourceEnd* input;
    GraphInputInfo info;
  };

  Contents() : ports(this) {}

  // without the parts that the other members hold
  CalculatorGraphConfig config;
  AnyOptions any_options;
  absl::optional<InputStreamHandler> input_stream_handler;
  Ports ports;  // the inputs of the graph are in `out`
  std::vector<std::unique_ptr<NodeBase>> nodes;
  std::deque<PacketGenerator> generators;
  std::deque<Executor> executors;
  std::deque<InputInfoOf> input_infos;

  void GiveNames();
  void NameExecutors();
  void WriteBoundary(CalculatorGraphConfig* result,
                     std::vector<std::string>* errors);
  // `position` is the position of the node, or of the fused node that contains
  // it.
  void WriteNode(int position, NodeBase& node,
                 CalculatorGraphConfig::Node* config,
                 std::vector<std::string>* errors);
  // Steps of WriteNode: all but the ports, and the nodes of a fused node, whose
  // errors say `where` it is.
  void WriteSettings(int position, const NodeBase& node,
                     CalculatorGraphConfig::Node* config,
                     std::vector<std::string>* errors) const;
  void WriteFused(int position, NodeBase& node, absl::string_view where,
                  CalculatorGraphConfig::Node* config,
                  std::vector<std::string>* errors);
  void WriteGenerator(int position, CalculatorGraphConfig* result,
                      std::vector<std::string>* errors);
  void WriteInputInfos(CalculatorGraphConfig* result,
                       std::vector<std::string>* errors);
  bool Owns(const Executor& executor) const;
};

void Graph::Contents::GiveNames() {
  Namer namer;
  const auto for_all_ports = [this](auto&& visit) {
    visit(ports);
    for (const auto& node : nodes) {
      visit(node->ports_);
      for (const auto& fused : node->fused_) visit(fused->ports_);
    }
    for (PacketGenerator& generator : generators) visit(generator.ports_);
  };
  for_all_ports([&namer](Ports& each) { namer.Keep(each); });
  for_all_ports([&namer](Ports& each) { namer.Name(each); });
}

void Graph::Contents::NameExecutors() {
  HashSet<std::string> taken;
  for (const Executor& executor : executors) {
    taken.insert(executor.config_.name());
  }
  int count = 0;
  for (Executor& executor : executors) {
    while (!executor.has_name_) {
      std::string name = absl::StrCat("_b_executor_", count++);
      if (taken.insert(name).second) executor.SetName(name);
    }
  }
}

bool Graph::Contents::Owns(const Executor& executor) const {
  for (const Executor& mine : executors) {
    if (&mine == &executor) return true;
  }
  return false;
}

void Graph::Contents::WriteBoundary(CalculatorGraphConfig* result,
                                    std::vector<std::string>* errors) {
  PortWriter writer("Graph", "", errors);
  writer.Sources(ports.out, "graph input stream",
                 result->mutable_input_stream());
  writer.Sources(ports.side_out, "graph input side packet",
                 result->mutable_input_side_packet());
  writer.Destinations(
      ports.in, "graph output stream", result->mutable_output_stream(),
      [&writer](const Place& place, const DestinationEnd& end) {
        writer.Error(end.is_back_edge           ? "A back edge at"
                     : end.idle_with != nullptr ? "IdleAfter of"
                                                : "A queue, Merge or "
                                                  "WithMessageTimes of",
                     "graph output stream", place,
                     "Only inputs of nodes can have this.");
      });
  writer.Destinations(ports.side_in, "graph output side packet",
                      result->mutable_output_side_packet(), kNoInfo);
}

void Graph::Contents::WriteSettings(int position, const NodeBase& node,
                                    CalculatorGraphConfig::Node* config,
                                    std::vector<std::string>* errors) const {
  *config = node.config_;
  node.any_options_.AddTo(config->mutable_node_options());
  if (node.input_stream_handler_.has_value()) {
    *config->mutable_input_stream_handler() =
        node.input_stream_handler_->config_;
  }
  if (node.output_stream_handler_.has_value()) {
    *config->mutable_output_stream_handler() =
        node.output_stream_handler_->config_;
  }
  if (node.executor_ == nullptr) return;
  if (Owns(*node.executor_)) {
    config->set_executor(node.executor_->config_.name());
  } else {
    errors->push_back(absl::StrCat(
        TypeText(*config), ": Its executor is one of another graph (node ",
        position, "). Use one that AddExecutor of the same Graph returned."));
  }
}

void Graph::Contents::WriteNode(int position, NodeBase& node,
                                CalculatorGraphConfig::Node* config,
                                std::vector<std::string>* errors) {
  WriteSettings(position, node, config, errors);
  const std::string where =
      config->name().empty()
          ? absl::StrCat(" (node ", position, ")")
          : absl::StrCat(" (node ", position, ", \"", config->name(), "\")");
  PortWriter writer(TypeText(*config), where, errors);
  writer.Destinations(node.ports_.in, "input stream",
                      config->mutable_input_stream(),
                      [&](const Place& place, const DestinationEnd& end) {
                        WriteInfo(place, end, node.ports_.in, &writer,
                                  config->add_input_stream_info());
                      });
  writer.Destinations(node.ports_.side_in, "input side packet",
                      config->mutable_input_side_packet(), kNoInfo);
  writer.Sources(node.ports_.out, "output stream",
                 config->mutable_output_stream());
  writer.Sources(node.ports_.side_out, "output side packet",
                 config->mutable_output_side_packet());
  if (config->calculator().empty()) {
    WriteFused(position, node, where, config, errors);
  }
}

void Graph::Contents::WriteFused(int position, NodeBase& node,
                                 absl::string_view where,
                                 CalculatorGraphConfig::Node* config,
                                 std::vector<std::string>* errors) {
  if (node.fused_.empty()) {
    errors->push_back(absl::StrCat("Fused node: It has no nodes", where,
                                   ". Give it some with AddNode."));
  }
  if (config->input_stream_size() + config->output_stream_size() +
          config->input_side_packet_size() + config->output_side_packet_size() >
      0) {
    errors->push_back(absl::StrCat(
        "Fused node: It has ports of its own", where,
        ". A fused node has those of its nodes: ask what its AddNode "
        "returned."));
  }
  for (const auto& fused : node.fused_) {
    WriteNode(position, *fused, config->add_fused_node(), errors);
  }
}

void Graph::Contents::WriteGenerator(int position,
                                     CalculatorGraphConfig* result,
                                     std::vector<std::string>* errors) {
  PacketGenerator& generator = generators[position];
  PacketGeneratorConfig* const config = result->add_packet_generator();
  *config = generator.config_;
  PortWriter writer(config->packet_generator(),
                    absl::StrCat(" (packet generator ", position, ")"), errors);
  writer.Destinations(generator.ports_.side_in, "input side packet",
                      config->mutable_input_side_packet(), kNoInfo);
  writer.Sources(generator.ports_.side_out, "output side packet",
                 config->mutable_output_side_packet());
}

void Graph::Contents::WriteInputInfos(CalculatorGraphConfig* result,
                                      std::vector<std::string>* errors) {
  for (const InputInfoOf& of : input_infos) {
    bool is_input = false;
    ForEach(ports.out, [&](const Place&, const SourceEnd& source) {
      is_input |= &source == of.input;
    });
    if (!is_input) {
      errors->push_back(absl::StrCat(
          "Graph: InputInfo for \"", of.input->name,
          "\", which is no input stream of this graph. Give it what "
          "In() of the same Graph returned."));
      continue;
    }
    GraphInputInfo* const info = result->add_graph_input_info();
    *info = of.info;
    info->set_stream(of.input->name);
  }
}

Graph::Graph() : contents_(std::make_unique<Contents>()) {}
Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

NodeBase& Graph::Own(std::unique_ptr<NodeBase> node) {
  contents_->nodes.push_back(std::move(node));
  return *contents_->nodes.back();
}

GenericNode& Graph::AddNode(absl::string_view type) {
  return static_cast<GenericNode&>(
      Own(std::make_unique<GenericNode>(contents_.get(), type)));
}

FusedNode& Graph::AddFusedNode() {
  return static_cast<FusedNode&>(
      Own(std::make_unique<FusedNode>(contents_.get())));
}

Allocator Graph::AddAllocator(absl::string_view type) {
  return builder_internal::AddPart(config().mutable_allocator(), type);
}

PacketGenerator& Graph::AddPacketGenerator(absl::string_view type) {
  return contents_->generators.emplace_back(contents_.get(), type);
}

Executor& Graph::AddExecutor(absl::string_view type) {
  return contents_->executors.emplace_back(type);
}

MultiSource<> Graph::In(absl::string_view tag) {
  return MultiSource<>(contents_->ports.out.Tag(tag));
}

MultiDestination<> Graph::Out(absl::string_view tag) {
  return MultiDestination<>(contents_->ports.in.Tag(tag));
}

MultiSideSource<> Graph::SideIn(absl::string_view tag) {
  return MultiSideSource<>(contents_->ports.side_out.Tag(tag));
}

MultiSideDestination<> Graph::SideOut(absl::string_view tag) {
  return MultiSideDestination<>(contents_->ports.side_in.Tag(tag));
}

GraphInputInfo& Graph::InputInfo(Source<> input) {
  for (Contents::InputInfoOf& of : contents_->input_infos) {
    if (of.input == input.end_) return of.info;
  }
  return contents_->input_infos
      .emplace_back(Contents::InputInfoOf{input.end_, {}})
      .info;
}

void Graph::SetType(absl::string_view type) {
  config().set_type(std::string(type));
}

void Graph::SetMaxQueueSize(int packets) {
  config().set_max_queue_size(packets);
}

void Graph::SetReportDeadlock(bool report_deadlock) {
  config().set_report_deadlock(report_deadlock);
}

void Graph::SetDeterministic(bool deterministic) {
  config().set_deterministic(deterministic);
}

void Graph::SetLogLevel(absl::string_view level) {
  config().set_log_level(std::string(level));
}

ClockConfig& Graph::SetClock(absl::string_view type) {
  config().mutable_clock()->set_type(std::string(type));
  return *config().mutable_clock();
}

SchedulerConfig& Graph::SetScheduler(absl::string_view type) {
  config().mutable_scheduler()->set_type(std::string(type));
  return *config().mutable_scheduler();
}

InputStreamHandler& Graph::SetInputStreamHandler(absl::string_view type) {
  return contents_->input_stream_handler.emplace(
      builder_internal::MakeInputStreamHandler(type));
}

Ports& Graph::ports() { return contents_->ports; }

CalculatorGraphConfig& Graph::config() { return contents_->config; }

AnyOptions& Graph::any_options() { return contents_->any_options; }

absl::StatusOr<CalculatorGraphConfig> Graph::BuildConfig() {
  contents_->GiveNames();
  contents_->NameExecutors();
  std::vector<std::string> errors;
  CalculatorGraphConfig result = contents_->config;
  contents_->any_options.AddTo(result.mutable_graph_options());
  if (contents_->input_stream_handler.has_value()) {
    *result.mutable_input_stream_handler() =
        contents_->input_stream_handler->config_;
  }
  for (const Executor& executor : contents_->executors) {
    *result.add_executor() = executor.config_;
  }
  contents_->WriteBoundary(&result, &errors);
  contents_->WriteInputInfos(&result, &errors);
  for (std::size_t i = 0; i < contents_->nodes.size(); ++i) {
    contents_->WriteNode(static_cast<int>(i), *contents_->nodes[i],
                         result.add_node(), &errors);
  }
  for (std::size_t i = 0; i < contents_->generators.size(); ++i) {
    contents_->WriteGenerator(static_cast<int>(i), &result, &errors);
  }
  if (errors.empty()) return result;
  return absl::InvalidArgumentError(absl::StrJoin(errors, "\n"));
}

CalculatorGraphConfig Graph::GetConfig() {
  absl::StatusOr<CalculatorGraphConfig> config = BuildConfig();
  if (!config.ok()) ReportMisuse(config.status());
  return *std::move(config);
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline
