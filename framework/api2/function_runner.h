// FunctionRunner: runs a graph as a plain function.
//
//   absl::StatusOr<FunctionRunner<Packet<int>(Packet<int>, Packet<int>)>> sum =
//       Runner::For([](Stream<int> a, Stream<int> b, Graph& graph) {
//         auto& add = graph.AddNode("AddCalculator");
//         a >> add.In(0);
//         b >> add.In(1);
//         return add.Out(0).Cast<int>();
//       }).Create();
//   absl::StatusOr<Packet<int>> seven =
//       sum->Run(MakePacket<int>(3), MakePacket<int>(4));
//
// The function that builds the graph says what the runner takes and gives: each
// Stream<T> among its parameters is a Packet<T> of Run, each SidePacket<T> one
// of Create, and a Graph& may stand anywhere among them, or not at all. It
// returns a Stream<T>, or a std::tuple of them, or either in an absl::StatusOr.
// So a function that builds a part of a graph can be run by itself. So can a
// typed calculator, with AddCalculator (calculator_function.h).
//
// Run adds its packets at a timestamp that the runner chooses, one later with
// each call, and returns the packets of the outputs at that timestamp. An empty
// argument only settles its stream, and a result is empty if its stream is
// settled without a packet. The run of the graph goes on between calls, so a
// calculator may keep state.
//
// By default everything runs on the thread that calls Run. The graph must have
// no sources, since only a call makes it run. Its outputs must answer at the
// timestamp of the call, with a packet or by settling. Otherwise Run returns an
// error; it does not wait for ever.
//
// Thread rule: a runner may be used by any thread, by one at a time. A call
// during another call returns an error. For parallel calls, make a runner for
// each thread.
// Tested by function_runner_test.

#ifndef SYNCLINE_FRAMEWORK_API2_FUNCTION_RUNNER_H_
#define SYNCLINE_FRAMEWORK_API2_FUNCTION_RUNNER_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "framework/api2/builder.h"
#include "framework/api2/packet.h"
#include "framework/calculator/service.h"
#include "framework/packet/packet.h"
#include "framework/scheduler/executor.h"

namespace syncline {
namespace api2 {
namespace builder {

namespace builder_internal {

// The settings of a runner.
struct RunnerSettings {
  std::vector<std::pair<const GraphServiceBase*, ::syncline::Packet>> services;
  std::shared_ptr<::syncline::Executor> default_executor;
};

// A running graph with inputs and outputs by position: FunctionRunner and
// RunnerBuilder without their types.
class GraphFunction {
 public:
  // The inputs and side packets of `graph` are the parameters of the function,
  // without tags. Its outputs are the result of the function, without tags.
  static absl::StatusOr<std::unique_ptr<GraphFunction>> Create(
      Graph& graph, int num_inputs, int num_outputs,
      absl::Span<const ::syncline::Packet> side_packets,
      const RunnerSettings& settings);
  ~GraphFunction();

  absl::Status Run(absl::Span<::syncline::Packet> inputs,
                   absl::Span<::syncline::Packet> outputs);
  absl::Status Close();

 private:
  struct State;
  explicit GraphFunction(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// --- the types of a function that builds a graph

// What a parameter of the function becomes: an argument of Run, or of Create.
template <typename P>
struct ParameterOf {
  static_assert(sizeof(P) == 0,
                "a parameter is a Stream<T>, a SidePacket<T> or a Graph&");
};
template <>
struct ParameterOf<Graph&> {
  using Inputs = std::tuple<>;
  using SidePackets = std::tuple<>;
  using Argument = Graph&;
};
template <typename T>
struct ParameterOf<SourceImpl<false, T>> {
  using Inputs = std::tuple<Packet<T>>;
  using SidePackets = std::tuple<>;
  using Argument = Stream<T>;
};
template <typename T>
struct ParameterOf<SourceImpl<true, T>> {
  using Inputs = std::tuple<>;
  using SidePackets = std::tuple<Packet<T>>;
  using Argument = SidePacket<T>;
};
template <typename T>
struct ParameterOf<const T&> : ParameterOf<T> {};

// Gives the arguments of the function one after the other, from left to right.
class Arguments {
 public:
  explicit Arguments(Graph* graph) : graph_(graph) {}
  operator Graph&() const { return *graph_; }
  template <typename T>
  operator Stream<T>() {
    return graph_->In(inputs_++).template Cast<T>();
  }
  template <typename T>
  operator SidePacket<T>() {
    return graph_->SideIn(side_packets_++).template Cast<T>();
  }

 private:
  Graph* const graph_;
  int inputs_ = 0;
  int side_packets_ = 0;
};

// Whether the packet can be a Packet<T>. An empty packet always can.
template <typename T>
struct PacketCheck {
  static absl::Status Of(const ::syncline::Packet& packet) {
    return packet.IsEmpty() ? absl::OkStatus() : packet.ValidateAsType<T>();
  }
};
template <>
struct PacketCheck<AnyType> {
  static absl::Status Of(const ::syncline::Packet&) { return absl::OkStatus(); }
};
template <typename... T>
struct PacketCheck<OneOf<T...>> {
  static absl::Status Of(const ::syncline::Packet& packet) {
    absl::Status status;
    static_cast<void>(((status = PacketCheck<T>::Of(packet)).ok() || ...));
    return status;
  }
};

// The result of Run: the number of its packets, and how it is made of them.
template <typename ResultT>
struct PacketsOf;
template <typename T>
struct PacketsOf<Packet<T>> {
  static constexpr int kCount = 1;
  static absl::StatusOr<Packet<T>> Make(
      absl::Span<const ::syncline::Packet> packets) {
    absl::Status status = PacketCheck<T>::Of(packets[0]);
    if (!status.ok()) return status;
    return FromOldPacket(packets[0]).template As<T>();
  }
};
template <typename... T>
struct PacketsOf<std::tuple<Packet<T>...>> {
  static constexpr int kCount = sizeof...(T);
  static absl::StatusOr<std::tuple<Packet<T>...>> Make(
      absl::Span<const ::syncline::Packet> packets) {
    return [packets]<std::size_t... I>(std::index_sequence<I...>)
        ->absl::StatusOr<std::tuple<Packet<T>...>> {
      absl::Status status;
      (status.Update(PacketCheck<T>::Of(packets[I])), ...);
      if (!status.ok()) return status;
      return std::tuple<Packet<T>...>(
          FromOldPacket(packets[I]).template As<T>()...);
    }
    (std::index_sequence_for<T...>());
  }
};

// Connects the result of the function to the outputs of the graph.
template <typename R>
struct ResultOf {
  static_assert(sizeof(R) == 0,
                "the function returns a Stream<T>, a std::tuple of them, or an "
                "absl::StatusOr of either");
};
template <typename T>
struct ResultOf<SourceImpl<false, T>> {
  using Type = Packet<T>;
  static absl::Status Connect(const Stream<T>& stream, Graph& graph) {
    stream >> graph.Out(0);
    return absl::OkStatus();
  }
};
template <typename... T>
struct ResultOf<std::tuple<SourceImpl<false, T>...>> {
  static_assert(sizeof...(T) > 0, "the function returns no stream");
  using Type = std::tuple<Packet<T>...>;
  static absl::Status Connect(const std::tuple<Stream<T>...>& streams,
                              Graph& graph) {
    int index = 0;
    std::apply(
        [&](const auto&... stream) { ((stream >> graph.Out(index++)), ...); },
        streams);
    return absl::OkStatus();
  }
};
template <typename R>
struct ResultOf<absl::StatusOr<R>> : ResultOf<R> {
  static absl::Status Connect(const absl::StatusOr<R>& streams, Graph& graph) {
    if (!streams.ok()) return streams.status();
    return ResultOf<R>::Connect(*streams, graph);
  }
};

template <typename ResultT, typename InputsT>
struct SignatureOf;
template <typename ResultT, typename... In>
struct SignatureOf<ResultT, std::tuple<In...>> {
  using Type = ResultT(In...);
};

}  // namespace builder_internal

template <typename Signature>
class FunctionRunner;

// ResultT is Packet<Out> or std::tuple<Packet<Out>...>.
template <typename ResultT, typename... In>
class FunctionRunner<ResultT(Packet<In>...)> {
 public:
  // INVALID_ARGUMENT for a packet that has a timestamp, and UNAVAILABLE during
  // another call; neither changes the runner. An error of the graph names the
  // node and is final: later calls return it, too. The returned packets have no
  // timestamp, so they may be passed to another runner.
  absl::StatusOr<ResultT> Run(Packet<In>... packets) {
    ::syncline::Packet inputs[] = {ToOldPacket(std::move(packets))...};
    ::syncline::Packet outputs[Packets::kCount];
    absl::Status status =
        function_->Run(absl::MakeSpan(inputs), absl::MakeSpan(outputs));
    if (!status.ok()) return status;
    return Packets::Make(absl::MakeConstSpan(outputs));
  }

  // Ends the graph, so that its calculators are closed, and returns its error
  // if there was any. Afterwards Run returns an error. The destructor cancels
  // the graph if Close was not called; its calculators are closed all the same.
  absl::Status Close() { return function_->Close(); }

 private:
  template <typename Build, typename R, typename... P>
  friend class RunnerBuilder;
  using Packets = builder_internal::PacketsOf<ResultT>;
  static_assert(sizeof...(In) > 0,
                "nothing would set the graph in motion: the function needs a "
                "Stream");

  explicit FunctionRunner(
      std::unique_ptr<builder_internal::GraphFunction> function)
      : function_(std::move(function)) {}

  std::unique_ptr<builder_internal::GraphFunction> function_;
};

// Makes runners of one function. Made by Runner::For.
template <typename Build, typename R, typename... P>
class RunnerBuilder {
  using Inputs = decltype(std::tuple_cat(
      std::declval<typename builder_internal::ParameterOf<P>::Inputs>()...));
  using SidePackets = decltype(std::tuple_cat(
      std::declval<
          typename builder_internal::ParameterOf<P>::SidePackets>()...));
  using Result = builder_internal::ResultOf<R>;

 public:
  using RunnerT = FunctionRunner<typename builder_internal::SignatureOf<
      typename Result::Type, Inputs>::Type>;

  explicit RunnerBuilder(Build build) : build_(std::move(build)) {}

  // Sets the object for the calculators that ask for the service.
  template <typename T>
  RunnerBuilder& SetService(const GraphService<T>& service,
                            std::shared_ptr<T> object) {
    settings_.services.emplace_back(
        &service,
        ::syncline::MakePacket<std::shared_ptr<T>>(std::move(object)));
    return *this;
  }
  // Calculators run on this executor instead of the thread that calls Run. It
  // must have at least one thread that does not call Run.
  RunnerBuilder& SetDefaultExecutor(
      std::shared_ptr<::syncline::Executor> executor) {
    settings_.default_executor = std::move(executor);
    return *this;
  }

  // Builds the graph, and opens its calculators. Takes a packet for each
  // SidePacket of the function, in their order. Returns the errors of the
  // function, of the builder and of CalculatorGraph; INVALID_ARGUMENT for a
  // graph with sources, or with other inputs and outputs than those of the
  // function.
  template <typename... S>
  absl::StatusOr<RunnerT> Create(S&&... side_packets) {
    static_assert(sizeof...(S) == std::tuple_size_v<SidePackets>,
                  "Create takes a packet for each SidePacket of the function");
    const std::vector<::syncline::Packet> sides =
        ToOldPackets(SidePackets(std::forward<S>(side_packets)...));
    Graph graph;
    builder_internal::Arguments arguments(&graph);
    // In braces, since only these evaluate arguments from left to right.
    std::tuple<typename builder_internal::ParameterOf<P>::Argument...> all{
        static_cast<typename builder_internal::ParameterOf<P>::Argument>(
            arguments)...};
    absl::Status status =
        Result::Connect(std::apply(build_, std::move(all)), graph);
    if (!status.ok()) return status;
    auto function = builder_internal::GraphFunction::Create(
        graph, std::tuple_size_v<Inputs>,
        builder_internal::PacketsOf<typename Result::Type>::kCount, sides,
        settings_);
    if (!function.ok()) return function.status();
    return RunnerT(*std::move(function));
  }

 private:
  static std::vector<::syncline::Packet> ToOldPackets(
      const SidePackets& packets) {
    return std::apply(
        [](const auto&... packet) {
          return std::vector<::syncline::Packet>{ToOldPacket(packet)...};
        },
        packets);
  }

  Build build_;
  builder_internal::RunnerSettings settings_;
};

struct Runner {
  // `build` is a function, or an object with one operator(); see the head of
  // this file.
  template <typename Build>
  static auto For(Build build) {
    return ForSignature(std::move(build),
                        static_cast<decltype(std::function(build))*>(nullptr));
  }

 private:
  template <typename Build, typename R, typename... P>
  static RunnerBuilder<Build, R, P...> ForSignature(
      Build build, const std::function<R(P...)>*) {
    return RunnerBuilder<Build, R, P...>(std::move(build));
  }
};

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_FUNCTION_RUNNER_H_
