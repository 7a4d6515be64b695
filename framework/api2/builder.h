// Graph: builds the config of a graph in C++.
//
//   Graph graph;
//   Stream<int> numbers = graph.In("NUMBER").SetName("numbers").Cast<int>();
//   auto& square = graph.AddNode("SquareCalculator");
//   numbers >> square.In("VALUE");
//   square.Out("VALUE") >> graph.Out("SQUARE");
//   absl::StatusOr<CalculatorGraphConfig> config = graph.BuildConfig();
//
// A node is added by the name of its calculator or subgraph, or by its class,
// AddNode<Square>(). For both, the constants of a typed calculator name its
// ports with their types: node[Square::kIn]. And graph[Input<int>("NUMBER")] is
// a port of the graph with a type. One graph may use all of these. No registry
// is asked while a graph is built, so the calculators need not be linked.
//
// The same calls give the same config: ports are sorted by tag, and nodes stand
// in the order in which they were added. A stream without a name becomes
// "__stream_N", a side packet "__side_packet_N": one N counts both, inputs of
// the graph first, then the outputs of each node. A tag with one entry is
// written as `TAG:name`, with several as `TAG:i:name`. An executor becomes
// "_b_executor_N".
//
// Thread rule: a graph that is being built, with all its nodes and handles, is
// used by one thread at a time.
// Tested by builder_test, builder_parts_test, builder_errors_test and
// builder_typed_test.

#ifndef SYNCLINE_FRAMEWORK_API2_BUILDER_H_
#define SYNCLINE_FRAMEWORK_API2_BUILDER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/api2/builder_parts.h"
#include "framework/api2/builder_ports.h"
#include "framework/api2/port.h"
#include "framework/config/calculator.pb.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/message.h"

namespace syncline {
namespace api2 {
namespace builder {

class Graph;

namespace builder_internal {

// T is an extension of Options.
template <typename T, typename Options>
concept IsExtensionOf = requires(Options& options) {
  options.MutableExtension(T::ext);
};

// Options that the config stores as google.protobuf.Any: one of each type, in
// the order in which they were first asked for. References to them stay valid.
class AnyOptions {
 public:
  template <typename T>
  T& Get() {
    for (auto& message : messages_) {
      if (message->GetDescriptor() == T::descriptor()) {
        return static_cast<T&>(*message);
      }
    }
    messages_.push_back(std::make_unique<T>());
    return static_cast<T&>(*messages_.back());
  }
  void AddTo(
      google::protobuf::RepeatedPtrField<google::protobuf::Any>* packed) const;

 private:
  std::vector<std::unique_ptr<google::protobuf::Message>> messages_;
};

// A stream handler of a node or graph.
template <typename ConfigT>
class HandlerOf {
 public:
  explicit HandlerOf(ConfigT config) : config_(std::move(config)) {}

  // The options of this type, which the caller may change.
  template <typename T>
  T& GetOptions() {
    return *config_.mutable_options()->MutableExtension(T::ext);
  }

 private:
  friend class builder::Graph;
  ConfigT config_;
};

}  // namespace builder_internal

using InputStreamHandler =
    builder_internal::HandlerOf<InputStreamHandlerConfig>;
using OutputStreamHandler =
    builder_internal::HandlerOf<OutputStreamHandlerConfig>;

namespace builder_internal {
InputStreamHandler MakeInputStreamHandler(absl::string_view type);
OutputStreamHandler MakeOutputStreamHandler(absl::string_view type);
}  // namespace builder_internal

// An executor of the graph. Made by Graph::AddExecutor.
class Executor {
 public:
  explicit Executor(absl::string_view type) {
    if (!type.empty()) config_.set_type(std::string(type));
  }
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Sets a name of your own, for example one that is given to
  // CalculatorGraph::SetExecutor. The name "" is the default executor, which
  // runs all nodes that name no other.
  Executor& SetName(absl::string_view name) {
    config_.set_name(std::string(name));
    has_name_ = true;
    return *this;
  }
  // The options of this type, which the caller may change.
  template <typename T>
  T& GetOptions() {
    return *config_.mutable_options()->MutableExtension(T::ext);
  }

 private:
  friend class Graph;
  ExecutorConfig config_;
  bool has_name_ = false;
};

// A node. Graph::AddNode makes it; it lives as long as the graph.
class NodeBase {
 public:
  NodeBase(builder_internal::GraphId graph, absl::string_view type)
      : ports_(graph) {
    config_.set_calculator(std::string(type));
  }
  virtual ~NodeBase() = default;
  NodeBase(const NodeBase&) = delete;
  NodeBase& operator=(const NodeBase&) = delete;

  // Ports by tag, or by position among the ports without a tag.
  MultiDestination<> In(absl::string_view tag) {
    return MultiDestination<>(ports_.in.Tag(tag));
  }
  MultiSource<> Out(absl::string_view tag) {
    return MultiSource<>(ports_.out.Tag(tag));
  }
  MultiSideDestination<> SideIn(absl::string_view tag) {
    return MultiSideDestination<>(ports_.side_in.Tag(tag));
  }
  MultiSideSource<> SideOut(absl::string_view tag) {
    return MultiSideSource<>(ports_.side_out.Tag(tag));
  }
  Destination<> In(int index) { return In("")[index]; }
  Source<> Out(int index) { return Out("")[index]; }
  SideDestination<> SideIn(int index) { return SideIn("")[index]; }
  SideSource<> SideOut(int index) { return SideOut("")[index]; }
  // A port with the type of the constant; a MultiPort for a Multiple.
  template <typename PortT>
  auto operator[](const PortT& port) {
    return builder_internal::PortOfNode(ports_, port);
  }
  // The same; the name says the kind of port once more.
  template <builder_internal::StreamInput PortT>
  auto In(const PortT& port) {
    return (*this)[port];
  }
  template <builder_internal::StreamOutput PortT>
  auto Out(const PortT& port) {
    return (*this)[port];
  }
  template <builder_internal::SideInputPort PortT>
  auto SideIn(const PortT& port) {
    return (*this)[port];
  }
  template <builder_internal::SideOutputPort PortT>
  auto SideOut(const PortT& port) {
    return (*this)[port];
  }

  // The options of this type, which the caller may change: in `options` if T
  // extends them, otherwise in `node_options`.
  template <typename T>
  T& GetOptions() {
    if constexpr (builder_internal::IsExtensionOf<T, CalculatorOptions>) {
      return *config_.mutable_options()->MutableExtension(T::ext);
    } else {
      return any_options_.Get<T>();
    }
  }

  void SetName(absl::string_view name) { config_.set_name(std::string(name)); }
  // `executor` must be an executor of the same graph.
  void SetExecutor(Executor& executor) { executor_ = &executor; }
  InputStreamHandler& SetInputStreamHandler(absl::string_view type) {
    return input_stream_handler_.emplace(
        builder_internal::MakeInputStreamHandler(type));
  }
  OutputStreamHandler& SetOutputStreamHandler(absl::string_view type) {
    return output_stream_handler_.emplace(
        builder_internal::MakeOutputStreamHandler(type));
  }
  // For sources: those of a lower layer run first. See source_layer in the
  // config.
  void SetSourceLayer(int layer) { config_.set_source_layer(layer); }
  void SetMaxInFlight(int calls) { config_.set_max_in_flight(calls); }
  // Adds what the node waits for besides its inputs: it waits for all
  // conditions, and for one condition of each group.
  Condition AddCondition(absl::string_view type) {
    return builder_internal::AddPart(config_.mutable_condition(), type);
  }
  ConditionGroup AddAnyOf() { return ConditionGroup(config_.add_any_of()); }
  // Adds the conditions that GXF would add for each input and output.
  void SetGxfDefaults(bool gxf_defaults) {
    config_.set_gxf_defaults(gxf_defaults);
  }
  // Process takes up to max_size input sets at once. If there are fewer, it
  // takes them when the first has waited for `max_delay` of the graph's clock.
  // Without `max_delay` they wait until the batch is full or no more can come.
  void SetBatch(int max_size, absl::Duration max_delay = absl::ZeroDuration()) {
    config_.mutable_batch()->set_max_size(max_size);
    config_.mutable_batch()->set_max_delay_ns(
        absl::ToInt64Nanoseconds(max_delay));
  }
  // All runs of the graph use one calculator object.
  void SetPersistent(bool persistent) { config_.set_persistent(persistent); }
  // "warning", "debug", ...
  void SetLogLevel(absl::string_view level) {
    config_.set_log_level(std::string(level));
  }
  void SetBufferSizeHint(int packets) { config_.set_buffer_size_hint(packets); }
  // "node_field:graph_field": an option that is copied from the graph's.
  void AddOptionValue(absl::string_view value) {
    *config_.add_option_value() = std::string(value);
  }

 private:
  friend class Graph;

  // Without the parts that the other members hold.
  CalculatorGraphConfig::Node config_;
  builder_internal::Ports ports_;
  builder_internal::AnyOptions any_options_;
  const Executor* executor_ = nullptr;
  absl::optional<InputStreamHandler> input_stream_handler_;
  absl::optional<OutputStreamHandler> output_stream_handler_;

 protected:
  // The parts of a FusedNode.
  std::vector<std::unique_ptr<NodeBase>> fused_;
};

// A node whose calculator or subgraph is known only by name.
class GenericNode : public NodeBase {
 public:
  using NodeBase::NodeBase;
};

// A node of a typed calculator, or of an interface of one.
template <class Calc>
class Node : public NodeBase {
 public:
  static_assert(
      requires { Calc::kCalculatorName; },
      "add a calculator without SYNCLINE_NODE_INTERFACE by its name: "
      "AddNode(\"MyCalculator\")");
  explicit Node(builder_internal::GraphId graph)
      : NodeBase(graph, Calc::kCalculatorName) {}
};

// Several calculators that run one after the other as one task. Made by
// Graph::AddFusedNode. Only its inner nodes have ports. A stream that no inner
// node sends is an input of the fused node, and a stream that an inner node
// sends is an output. Everything else (name, executor, conditions, ...) is set
// for the fused node, not for the inner ones.
class FusedNode : public NodeBase {
 public:
  explicit FusedNode(builder_internal::GraphId graph)
      : NodeBase(graph, ""), graph_(graph) {}

  // Adds an inner node. They run in this order, and live as long as the graph.
  GenericNode& AddNode(absl::string_view type) {
    return static_cast<GenericNode&>(
        Own(std::make_unique<GenericNode>(graph_, type)));
  }
  template <class Calc>
  Node<Calc>& AddNode() {
    return static_cast<Node<Calc>&>(Own(std::make_unique<Node<Calc>>(graph_)));
  }

 private:
  NodeBase& Own(std::unique_ptr<NodeBase> node) {
    fused_.push_back(std::move(node));
    return *fused_.back();
  }

  const builder_internal::GraphId graph_;
};

// A packet generator. Made by Graph::AddPacketGenerator.
class PacketGenerator {
 public:
  PacketGenerator(builder_internal::GraphId graph, absl::string_view type)
      : ports_(graph) {
    config_.set_packet_generator(std::string(type));
  }
  PacketGenerator(const PacketGenerator&) = delete;
  PacketGenerator& operator=(const PacketGenerator&) = delete;

  MultiSideDestination<> SideIn(absl::string_view tag) {
    return MultiSideDestination<>(ports_.side_in.Tag(tag));
  }
  MultiSideSource<> SideOut(absl::string_view tag) {
    return MultiSideSource<>(ports_.side_out.Tag(tag));
  }
  SideDestination<> SideIn(int index) { return SideIn("")[index]; }
  SideSource<> SideOut(int index) { return SideOut("")[index]; }
  template <typename PortT>
  auto operator[](const PortT& port) {
    static_assert(PortT::kIsSide, "a packet generator has no streams");
    return builder_internal::PortOfNode(ports_, port);
  }

  // The options of this type, which the caller may change.
  template <typename T>
  T& GetOptions() {
    return *config_.mutable_options()->MutableExtension(T::ext);
  }

 private:
  friend class Graph;

  PacketGeneratorConfig config_;
  builder_internal::Ports ports_;
};

// After a graph was moved, its nodes and handles are still valid.
class Graph {
 public:
  Graph();
  ~Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;

  // Nodes, generators and executors live as long as the graph.
  GenericNode& AddNode(absl::string_view type);
  template <class Calc>
  Node<Calc>& AddNode() {
    return static_cast<Node<Calc>&>(Own(std::make_unique<Node<Calc>>(id())));
  }
  FusedNode& AddFusedNode();
  PacketGenerator& AddPacketGenerator(absl::string_view type);
  // Adds memory that nodes and conditions find by the name that it gets here.
  Allocator AddAllocator(absl::string_view type);
  // Adds an executor. Without a type, the application gives the executor to the
  // CalculatorGraph under the name that it gets here.
  Executor& AddExecutor(absl::string_view type = "");

  // The graph's own streams and side packets, by tag, or by position among
  // those without a tag. An input of the graph is a source for its nodes.
  MultiSource<> In(absl::string_view tag);
  MultiDestination<> Out(absl::string_view tag);
  MultiSideSource<> SideIn(absl::string_view tag);
  MultiSideDestination<> SideOut(absl::string_view tag);
  Source<> In(int index) { return In("")[index]; }
  Destination<> Out(int index) { return Out("")[index]; }
  SideSource<> SideIn(int index) { return SideIn("")[index]; }
  SideDestination<> SideOut(int index) { return SideOut("")[index]; }
  // What happens to packets of this input of the graph whose timestamps go
  // back. The caller may change it; its stream is set already. Ignored in a
  // subgraph.
  GraphInputInfo& InputInfo(Source<> input);
  // A port of the graph with the type of the constant: an Input is a source. A
  // MultiPort for a Multiple.
  template <typename PortT>
  auto operator[](const PortT& port) {
    return builder_internal::PortOfGraph(ports(), port);
  }
  // The same; the name says the kind of port once more.
  template <builder_internal::StreamInput PortT>
  auto In(const PortT& port) {
    return (*this)[port];
  }
  template <builder_internal::StreamOutput PortT>
  auto Out(const PortT& port) {
    return (*this)[port];
  }
  template <builder_internal::SideInputPort PortT>
  auto SideIn(const PortT& port) {
    return (*this)[port];
  }
  template <builder_internal::SideOutputPort PortT>
  auto SideOut(const PortT& port) {
    return (*this)[port];
  }

  // The name under which the graph may be used as a subgraph.
  void SetType(absl::string_view type);
  void SetMaxQueueSize(int packets);
  void SetReportDeadlock(bool report_deadlock);
  void SetDeterministic(bool deterministic);
  // "warning", "debug", ...: the level of nodes that set none of their own.
  void SetLogLevel(absl::string_view level);
  // The clock of the graph, and its scheduler. The caller may change more of
  // their fields.
  ClockConfig& SetClock(absl::string_view type);
  SchedulerConfig& SetScheduler(absl::string_view type);
  // The handler of all nodes that set none of their own.
  InputStreamHandler& SetInputStreamHandler(absl::string_view type);
  // The options of the graph of this type, which the caller may change: in
  // `options` if T extends them, otherwise in `graph_options`.
  template <typename T>
  T& GetOptions();

  // The config. INVALID_ARGUMENT with every mistake, each with node, tag and
  // index: an input without a source or with two, a source of another graph, an
  // index that is out of range, an output of the graph that is a back edge.
  //
  // This gives a name to each source without one. Afterwards the graph may be
  // changed, and its config asked for again.
  absl::StatusOr<CalculatorGraphConfig> BuildConfig();
  // The same, but a mistake is a misuse (base/misuse.h). A misuse ends the call
  // of the calculator or subgraph that builds the graph, or else the process.
  CalculatorGraphConfig GetConfig();

 private:
  struct Contents;

  NodeBase& Own(std::unique_ptr<NodeBase> node);
  builder_internal::GraphId id() const { return contents_.get(); }
  builder_internal::Ports& ports();
  CalculatorGraphConfig& config();
  builder_internal::AnyOptions& any_options();

  std::unique_ptr<Contents> contents_;
};

template <typename T>
T& Graph::GetOptions() {
  if constexpr (builder_internal::IsExtensionOf<T, SynclineOptions>) {
    return *config().mutable_options()->MutableExtension(T::ext);
  } else {
    return any_options().Get<T>();
  }
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_BUILDER_H_
