// The graphs of oneTBB's subjects, for a form: which messages, which policies
// of nodes and joins, and whether what is in flight is limited.
//
// Thread rule: one call at a time.
#ifndef SYNCLINE_BENCHMARKS_TBB_GRAPHS_H_
#define SYNCLINE_BENCHMARKS_TBB_GRAPHS_H_

#include <oneapi/tbb/flow_graph.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "benchmarks/busy_work.h"
#include "benchmarks/subject.h"
#include "benchmarks/workload.h"

namespace syncline {

namespace flow = oneapi::tbb::flow;

// The same limit as that of a graph input of Syncline.
inline constexpr std::int64_t kFedAtOnce = 100;
// How many packets of a source are in a graph at once, where that is limited.
inline constexpr std::size_t kInFlight = 100;

struct DefaultForm {
  static constexpr absl::string_view kName = "oneTBB";
  struct Message {
    std::int64_t timestamp = 0;
    std::shared_ptr<const std::int64_t> value;
  };
  static Message MessageAt(std::int64_t time) {
    return {time, std::make_shared<const std::int64_t>(time)};
  }
  using Policy = flow::queueing;
  using JoinPolicy = flow::key_matching<std::int64_t>;
  static constexpr bool kIsLimited = false;
};

struct PlainForm {
  static constexpr absl::string_view kName = "oneTBB plain";
  struct Message {
    std::int64_t timestamp = 0;
    std::int64_t value = 0;
  };
  static Message MessageAt(std::int64_t time) { return {time, time}; }
  using Policy = flow::queueing_lightweight;
  using JoinPolicy = flow::queueing;
  static constexpr bool kIsLimited = true;
};

// What reaches a sink.
struct Arrivals {
  std::int64_t count = 0;
  std::int64_t last = -1;
  // Packets that came after a later one, or sets of packets of different times.
  std::int64_t violations = 0;

  template <typename Message>
  void AddOne(const Message& message) noexcept {
    ++count;
    if (message.timestamp <= last) ++violations;
    last = message.timestamp;
  }
  template <typename... Messages>
  void Add(const std::tuple<Messages...>& set) noexcept {
    const std::int64_t first = std::get<0>(set).timestamp;
    const bool is_whole = std::apply(
        [first](const auto&... one) {
          return ((one.timestamp == first) && ...);
        },
        set);
    if (!is_whole) ++violations;
    AddOne(std::get<0>(set));
  }
  template <typename Message>
  void Add(const Message& message) noexcept {
    AddOne(message);
  }
};

// The measurement of a run in which `arrivals` reached the sinks.
inline absl::StatusOr<Measurement> Result(const Workload& workload, double ns,
                                          std::int64_t packets,
                                          absl::Span<const Arrivals> arrivals,
                                          std::int64_t expected) {
  std::int64_t count = 0;
  std::int64_t violations = 0;
  for (const Arrivals& one : arrivals) {
    count += one.count;
    violations += one.violations;
  }
  auto result = TimePerPacket(workload, ns, packets, count, expected);
  if (result.ok()) {
    result->figures = {{kOrderViolations, static_cast<double>(violations)}};
  }
  return result;
}

template <typename Form>
class TbbGraphs {
 public:
  static absl::StatusOr<Measurement> Run(const Workload& workload,
                                         std::int64_t packets) {
    switch (workload.shape) {
      case Shape::kChain:
      case Shape::kStages:
        return RunChain(workload, packets);
      case Shape::kFedChain:
        return RunFedChain(workload, packets);
      case Shape::kFanOut:
        return workload.size == 2 ? RunFanOut<2>(workload, packets)
                                  : RunFanOut<8>(workload, packets);
      case Shape::kJoin:
        return RunJoinOfTwo(workload, packets);
      case Shape::kChains:
        return RunChains(workload, packets);
      case Shape::kLayers:
        return RunLayers(workload, packets);
      case Shape::kLifeCycle:
        return RunLifeCycle(workload, packets);
      case Shape::kLatency:
        return RunLatency(workload, packets);
      default:
        return absl::UnimplementedError(workload.name);
    }
  }

 private:
  using Message = typename Form::Message;
  using Pass = flow::function_node<Message, Message, typename Form::Policy>;
  template <typename In>
  using Sink =
      flow::function_node<In, flow::continue_msg, typename Form::Policy>;
  template <std::size_t kInputs>
  using Tuple = decltype(std::tuple_cat(std::array<Message, kInputs>()));
  template <std::size_t kInputs>
  using Join = flow::join_node<Tuple<kInputs>, typename Form::JoinPolicy>;

  // A source, and the limit of what is in flight behind it, if there is one.
  struct Source {
    Source(flow::graph& graph, std::int64_t packets)
        : input(graph, [next = std::int64_t{0},
                        packets](oneapi::tbb::flow_control& end) mutable {
            if (next < packets) return Form::MessageAt(next++);
            end.stop();
            return Message();
          }) {
      if constexpr (Form::kIsLimited) {
        limiter =
            std::make_unique<flow::limiter_node<Message>>(graph, kInFlight);
        flow::make_edge(input, *limiter);
      }
    }
    flow::sender<Message>& out() {
      if (limiter != nullptr) return *limiter;
      return input;
    }
    // Each packet that reaches `sink` makes room for another one.
    template <typename AnySink>
    void EndsAt(AnySink& sink) {
      if (limiter != nullptr) flow::make_edge(sink, limiter->decrementer());
    }

    flow::input_node<Message> input;
    std::unique_ptr<flow::limiter_node<Message>> limiter;
  };

  // Lightweight nodes need functions that do not throw.
  static std::unique_ptr<Pass> MakePass(flow::graph& graph,
                                        std::int64_t steps = 0) {
    return std::make_unique<Pass>(graph, flow::serial,
                                  [steps](const Message& message) noexcept {
                                    if (steps > 0) DoBusyWork(steps);
                                    return message;
                                  });
  }

  template <typename In>
  static std::unique_ptr<Sink<In>> MakeSink(flow::graph& graph,
                                            Arrivals* arrivals) {
    return std::make_unique<Sink<In>>(graph, flow::serial,
                                      [arrivals](const In& in) noexcept {
                                        arrivals->Add(in);
                                        return flow::continue_msg();
                                      });
  }

  template <std::size_t kInputs>
  static std::unique_ptr<Join<kInputs>> MakeJoin(flow::graph& graph) {
    if constexpr (std::is_same_v<typename Form::JoinPolicy, flow::queueing>) {
      return std::make_unique<Join<kInputs>>(graph);
    } else {
      const auto key = [](const Message& message) { return message.timestamp; };
      return [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        return std::make_unique<Join<kInputs>>(
            graph, (static_cast<void>(kIndex), key)...);
      }
      (std::make_index_sequence<kInputs>());
    }
  }

  // A chain. With work, a sink follows its last node; otherwise the last node
  // is the sink.
  struct Chain {
    Chain(flow::graph& graph, int size, std::int64_t steps) {
      const int passes = steps > 0 ? size : size - 1;
      for (int i = 0; i < passes; ++i) {
        nodes.push_back(MakePass(graph, steps));
        if (i > 0) flow::make_edge(*nodes[i - 1], *nodes[i]);
      }
      sink = MakeSink<Message>(graph, &arrivals);
      flow::make_edge(*nodes.back(), *sink);
    }
    void Follow(Source* source) {
      flow::make_edge(source->out(), *nodes.front());
      source->EndsAt(*sink);
    }

    std::vector<std::unique_ptr<Pass>> nodes;
    std::unique_ptr<Sink<Message>> sink;
    Arrivals arrivals;
  };

  static double RunSource(flow::graph& graph, Source& source) {
    const Stopwatch stopwatch;
    source.input.activate();
    graph.wait_for_all();
    return stopwatch.ElapsedNs();
  }

  static absl::StatusOr<Measurement> RunChain(const Workload& workload,
                                              std::int64_t packets) {
    flow::graph graph;
    Source source(graph, packets);
    Chain chain(
        graph, workload.size,
        workload.work_us > 0 ? StepsForMicroseconds(workload.work_us) : 0);
    chain.Follow(&source);
    const double ns = RunSource(graph, source);
    return Result(workload, ns, packets, {&chain.arrivals, 1}, packets);
  }

  static absl::StatusOr<Measurement> RunFedChain(const Workload& workload,
                                                 std::int64_t packets) {
    flow::graph graph;
    Chain chain(graph, workload.size, 0);
    const Stopwatch stopwatch;
    for (std::int64_t i = 0; i < packets; ++i) {
      chain.nodes.front()->try_put(Form::MessageAt(i));
      if (i % kFedAtOnce == kFedAtOnce - 1) graph.wait_for_all();
    }
    graph.wait_for_all();
    const double ns = stopwatch.ElapsedNs();
    return Result(workload, ns, packets, {&chain.arrivals, 1}, packets);
  }

  template <std::size_t kBranches>
  static absl::StatusOr<Measurement> RunFanOut(const Workload& workload,
                                               std::int64_t packets) {
    flow::graph graph;
    Source source(graph, packets);
    const auto join = MakeJoin<kBranches>(graph);
    std::vector<std::unique_ptr<Pass>> branches;
    for (std::size_t i = 0; i < kBranches; ++i) {
      branches.push_back(MakePass(graph));
      flow::make_edge(source.out(), *branches.back());
    }
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      (flow::make_edge(*branches[kIndex], flow::input_port<kIndex>(*join)),
       ...);
    }
    (std::make_index_sequence<kBranches>());
    Arrivals arrivals;
    const auto sink = MakeSink<Tuple<kBranches>>(graph, &arrivals);
    flow::make_edge(*join, *sink);
    source.EndsAt(*sink);
    const double ns = RunSource(graph, source);
    return Result(workload, ns, packets, {&arrivals, 1}, packets);
  }

  static absl::StatusOr<Measurement> RunJoinOfTwo(const Workload& workload,
                                                  std::int64_t packets) {
    flow::graph graph;
    Source source(graph, packets);
    const auto join = MakeJoin<2>(graph);
    flow::make_edge(source.out(), flow::input_port<0>(*join));
    flow::make_edge(source.out(), flow::input_port<1>(*join));
    Arrivals arrivals;
    const auto sink = MakeSink<Tuple<2>>(graph, &arrivals);
    flow::make_edge(*join, *sink);
    source.EndsAt(*sink);
    const double ns = RunSource(graph, source);
    auto result = Result(workload, ns, packets, {&arrivals, 1}, packets);
    if (result.ok()) result->ns_per_packet /= 2;
    return result;
  }

  // A node with two inputs: a join and a function.
  struct LayerNode {
    LayerNode(flow::graph& graph, Arrivals* arrivals)
        : join(MakeJoin<2>(graph)) {
      if (arrivals != nullptr) {
        sink = MakeSink<Tuple<2>>(graph, arrivals);
        flow::make_edge(*join, *sink);
      } else {
        pass = std::make_unique<
            flow::function_node<Tuple<2>, Message, typename Form::Policy>>(
            graph, flow::serial, [](const Tuple<2>& messages) noexcept {
              return std::get<0>(messages);
            });
        flow::make_edge(*join, *pass);
      }
    }

    std::unique_ptr<Join<2>> join;
    std::unique_ptr<
        flow::function_node<Tuple<2>, Message, typename Form::Policy>>
        pass;
    std::unique_ptr<Sink<Tuple<2>>> sink;
  };

  static absl::StatusOr<Measurement> RunChains(const Workload& workload,
                                               std::int64_t packets) {
    flow::graph graph;
    std::vector<std::unique_ptr<Source>> sources;
    std::vector<std::unique_ptr<Chain>> chains;
    for (int i = 0; i < workload.size; ++i) {
      sources.push_back(std::make_unique<Source>(graph, packets));
      chains.push_back(
          std::make_unique<Chain>(graph, kNodesOfChains, /*steps=*/0));
      chains[i]->Follow(sources[i].get());
    }
    const Stopwatch stopwatch;
    for (const auto& source : sources) source->input.activate();
    graph.wait_for_all();
    const double ns = stopwatch.ElapsedNs();
    std::vector<Arrivals> arrivals;
    for (const auto& chain : chains) arrivals.push_back(chain->arrivals);
    return Result(workload, ns, packets, arrivals, packets * workload.size);
  }

  static absl::StatusOr<Measurement> RunLayers(const Workload& workload,
                                               std::int64_t packets) {
    const int width = workload.size / kLayers;
    flow::graph graph;
    Source source(graph, packets);
    // Sinks of one layer run at the same time, so each has its own.
    std::vector<Arrivals> arrivals(width);
    std::vector<LayerNode> nodes;
    nodes.reserve(workload.size);
    for (int layer = 0; layer < kLayers; ++layer) {
      for (int i = 0; i < width; ++i) {
        nodes.emplace_back(graph,
                           layer == kLayers - 1 ? &arrivals[i] : nullptr);
        Join<2>& join = *nodes.back().join;
        if (layer == 0) {
          flow::make_edge(source.out(), flow::input_port<0>(join));
          flow::make_edge(source.out(), flow::input_port<1>(join));
        } else {
          const int before = (layer - 1) * width;
          flow::make_edge(*nodes[before + i].pass, flow::input_port<0>(join));
          flow::make_edge(*nodes[before + (i + 1) % width].pass,
                          flow::input_port<1>(join));
        }
      }
    }
    // One sink speaks for its layer.
    source.EndsAt(*nodes.back().sink);
    const double ns = RunSource(graph, source);
    return Result(workload, ns, packets, arrivals, packets * width);
  }

  static absl::StatusOr<Measurement> RunLifeCycle(const Workload& workload,
                                                  std::int64_t graphs) {
    const Stopwatch stopwatch;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < graphs; ++i) {
      flow::graph graph;
      Source source(graph, 0);
      Chain chain(graph, workload.size, 0);
      chain.Follow(&source);
      RunSource(graph, source);
      count += chain.arrivals.count;
    }
    return TimePerPacket(workload, stopwatch.ElapsedNs(), graphs, count, 0);
  }

  static absl::StatusOr<Measurement> RunLatency(const Workload& workload,
                                                std::int64_t packets) {
    flow::graph graph;
    Chain chain(graph, workload.size, 0);
    std::vector<double> ns;
    const std::int64_t warm_up = packets / 10;
    for (std::int64_t i = 0; i < packets; ++i) {
      const Message message = Form::MessageAt(i);
      const Stopwatch stopwatch;
      chain.nodes.front()->try_put(message);
      graph.wait_for_all();
      if (i >= warm_up) ns.push_back(stopwatch.ElapsedNs());
    }
    std::sort(ns.begin(), ns.end());
    auto result =
        Result(workload, ns[ns.size() / 2], 1, {&chain.arrivals, 1}, packets);
    if (result.ok()) {
      result->figures.push_back({"p50 us", ns[ns.size() / 2] / 1000});
      result->figures.push_back({"p99 us", ns[ns.size() * 99 / 100] / 1000});
    }
    return result;
  }
};

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_TBB_GRAPHS_H_
