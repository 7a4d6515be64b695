#include "benchmarks/tbb_subject.h"

#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "benchmarks/busy_work.h"

namespace syncline {
namespace {

namespace flow = oneapi::tbb::flow;

struct Message {
  std::int64_t timestamp = 0;
  std::shared_ptr<const std::int64_t> value;
};

using Input = flow::input_node<Message>;
using Pass = flow::function_node<Message, Message>;
template <typename In>
using Sink = flow::function_node<In, flow::continue_msg>;
template <std::size_t kInputs>
using Tuple = decltype(std::tuple_cat(std::array<Message, kInputs>()));
template <std::size_t kInputs>
using Join = flow::join_node<Tuple<kInputs>, flow::key_matching<std::int64_t>>;

// The same limit as that of a graph input of Syncline.
constexpr std::int64_t kFedAtOnce = 100;

Message MessageAt(std::int64_t time) {
  return {time, std::make_shared<const std::int64_t>(time)};
}

std::unique_ptr<Input> MakeInput(flow::graph& graph, std::int64_t packets) {
  return std::make_unique<Input>(
      graph, [next = std::int64_t{0},
              packets](oneapi::tbb::flow_control& end) mutable {
        if (next < packets) return MessageAt(next++);
        end.stop();
        return Message();
      });
}

std::unique_ptr<Pass> MakePass(flow::graph& graph, std::int64_t steps = 0) {
  return std::make_unique<Pass>(graph, flow::serial,
                                [steps](const Message& message) {
                                  if (steps > 0) DoBusyWork(steps);
                                  return message;
                                });
}

template <typename In>
std::unique_ptr<Sink<In>> MakeSink(flow::graph& graph, std::int64_t* count) {
  return std::make_unique<Sink<In>>(graph, flow::serial, [count](const In&) {
    ++*count;
    return flow::continue_msg();
  });
}

template <std::size_t kInputs>
std::unique_ptr<Join<kInputs>> MakeJoin(flow::graph& graph) {
  const auto key = [](const Message& message) { return message.timestamp; };
  return [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    return std::make_unique<Join<kInputs>>(graph,
                                           (static_cast<void>(kIndex), key)...);
  }
  (std::make_index_sequence<kInputs>());
}

// A chain. With work, a sink follows its last node; otherwise the last node is
// the sink.
struct Chain {
  Chain(flow::graph& graph, int size, std::int64_t steps) {
    const int passes = steps > 0 ? size : size - 1;
    for (int i = 0; i < passes; ++i) {
      nodes.push_back(MakePass(graph, steps));
      if (i > 0) flow::make_edge(*nodes[i - 1], *nodes[i]);
    }
    sink = MakeSink<Message>(graph, &count);
    flow::make_edge(*nodes.back(), *sink);
  }

  std::vector<std::unique_ptr<Pass>> nodes;
  std::unique_ptr<Sink<Message>> sink;
  std::int64_t count = 0;
};

double RunSource(flow::graph& graph, Input& source) {
  const Stopwatch stopwatch;
  source.activate();
  graph.wait_for_all();
  return stopwatch.ElapsedNs();
}

absl::StatusOr<Measurement> RunChain(const Workload& workload,
                                     std::int64_t packets) {
  flow::graph graph;
  const auto source = MakeInput(graph, packets);
  Chain chain(
      graph, workload.size,
      workload.work_us > 0 ? StepsForMicroseconds(workload.work_us) : 0);
  flow::make_edge(*source, *chain.nodes.front());
  const double ns = RunSource(graph, *source);
  return TimePerPacket(workload, ns, packets, chain.count, packets);
}

absl::StatusOr<Measurement> RunFedChain(const Workload& workload,
                                        std::int64_t packets) {
  flow::graph graph;
  Chain chain(graph, workload.size, 0);
  const Stopwatch stopwatch;
  for (std::int64_t i = 0; i < packets; ++i) {
    chain.nodes.front()->try_put(MessageAt(i));
    if (i % kFedAtOnce == kFedAtOnce - 1) graph.wait_for_all();
  }
  graph.wait_for_all();
  const double ns = stopwatch.ElapsedNs();
  return TimePerPacket(workload, ns, packets, chain.count, packets);
}

template <std::size_t kBranches>
absl::StatusOr<Measurement> RunFanOut(const Workload& workload,
                                      std::int64_t packets) {
  flow::graph graph;
  const auto source = MakeInput(graph, packets);
  const auto join = MakeJoin<kBranches>(graph);
  std::vector<std::unique_ptr<Pass>> branches;
  for (std::size_t i = 0; i < kBranches; ++i) {
    branches.push_back(MakePass(graph));
    flow::make_edge(*source, *branches.back());
  }
  [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    (flow::make_edge(*branches[kIndex], flow::input_port<kIndex>(*join)), ...);
  }
  (std::make_index_sequence<kBranches>());
  std::int64_t count = 0;
  const auto sink = MakeSink<Tuple<kBranches>>(graph, &count);
  flow::make_edge(*join, *sink);
  const double ns = RunSource(graph, *source);
  return TimePerPacket(workload, ns, packets, count, packets);
}

absl::StatusOr<Measurement> RunJoinOfTwo(const Workload& workload,
                                         std::int64_t packets) {
  flow::graph graph;
  const auto source = MakeInput(graph, packets);
  const auto join = MakeJoin<2>(graph);
  flow::make_edge(*source, flow::input_port<0>(*join));
  flow::make_edge(*source, flow::input_port<1>(*join));
  std::int64_t count = 0;
  const auto sink = MakeSink<Tuple<2>>(graph, &count);
  flow::make_edge(*join, *sink);
  const double ns = RunSource(graph, *source);
  auto result = TimePerPacket(workload, ns, packets, count, packets);
  if (result.ok()) result->ns_per_packet /= 2;
  return result;
}

// A node with two inputs: a join and a function.
struct LayerNode {
  LayerNode(flow::graph& graph, std::int64_t* count)
      : join(MakeJoin<2>(graph)) {
    if (count != nullptr) {
      sink = MakeSink<Tuple<2>>(graph, count);
      flow::make_edge(*join, *sink);
    } else {
      pass = std::make_unique<flow::function_node<Tuple<2>, Message>>(
          graph, flow::serial,
          [](const Tuple<2>& messages) { return std::get<0>(messages); });
      flow::make_edge(*join, *pass);
    }
  }

  std::unique_ptr<Join<2>> join;
  std::unique_ptr<flow::function_node<Tuple<2>, Message>> pass;
  std::unique_ptr<Sink<Tuple<2>>> sink;
};

absl::StatusOr<Measurement> RunChains(const Workload& workload,
                                      std::int64_t packets) {
  flow::graph graph;
  std::vector<std::unique_ptr<Input>> sources;
  std::vector<std::unique_ptr<Chain>> chains;
  for (int i = 0; i < workload.size; ++i) {
    sources.push_back(MakeInput(graph, packets));
    chains.push_back(
        std::make_unique<Chain>(graph, kNodesOfChains, /*steps=*/0));
    flow::make_edge(*sources[i], *chains[i]->nodes.front());
  }
  const Stopwatch stopwatch;
  for (const auto& source : sources) source->activate();
  graph.wait_for_all();
  const double ns = stopwatch.ElapsedNs();
  std::int64_t count = 0;
  for (const auto& chain : chains) count += chain->count;
  return TimePerPacket(workload, ns, packets, count, packets * workload.size);
}

absl::StatusOr<Measurement> RunLayers(const Workload& workload,
                                      std::int64_t packets) {
  const int width = workload.size / kLayers;
  flow::graph graph;
  const auto source = MakeInput(graph, packets);
  // Sinks of one layer run at the same time, so each has its own counter.
  std::vector<std::int64_t> counts(width);
  std::vector<LayerNode> nodes;
  nodes.reserve(workload.size);
  for (int layer = 0; layer < kLayers; ++layer) {
    for (int i = 0; i < width; ++i) {
      nodes.emplace_back(graph, layer == kLayers - 1 ? &counts[i] : nullptr);
      Join<2>& join = *nodes.back().join;
      if (layer == 0) {
        flow::make_edge(*source, flow::input_port<0>(join));
        flow::make_edge(*source, flow::input_port<1>(join));
      } else {
        const int before = (layer - 1) * width;
        flow::make_edge(*nodes[before + i].pass, flow::input_port<0>(join));
        flow::make_edge(*nodes[before + (i + 1) % width].pass,
                        flow::input_port<1>(join));
      }
    }
  }
  const double ns = RunSource(graph, *source);
  std::int64_t count = 0;
  for (const std::int64_t one : counts) count += one;
  return TimePerPacket(workload, ns, packets, count, packets * width);
}

absl::StatusOr<Measurement> RunLifeCycle(const Workload& workload,
                                         std::int64_t graphs) {
  const Stopwatch stopwatch;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < graphs; ++i) {
    flow::graph graph;
    const auto source = MakeInput(graph, 0);
    Chain chain(graph, workload.size, 0);
    flow::make_edge(*source, *chain.nodes.front());
    RunSource(graph, *source);
    count += chain.count;
  }
  return TimePerPacket(workload, stopwatch.ElapsedNs(), graphs, count, 0);
}

absl::StatusOr<Measurement> RunLatency(const Workload& workload,
                                       std::int64_t packets) {
  flow::graph graph;
  Chain chain(graph, workload.size, 0);
  std::vector<double> ns;
  const std::int64_t warm_up = packets / 10;
  for (std::int64_t i = 0; i < packets; ++i) {
    const Message message = MessageAt(i);
    const Stopwatch stopwatch;
    chain.nodes.front()->try_put(message);
    graph.wait_for_all();
    if (i >= warm_up) ns.push_back(stopwatch.ElapsedNs());
  }
  std::sort(ns.begin(), ns.end());
  auto result =
      TimePerPacket(workload, ns[ns.size() / 2], 1, chain.count, packets);
  if (result.ok()) {
    result->figures = {{"p50 us", ns[ns.size() / 2] / 1000},
                       {"p99 us", ns[ns.size() * 99 / 100] / 1000}};
  }
  return result;
}

class TbbSubject : public Subject {
 public:
  absl::string_view name() const override { return "oneTBB"; }

  bool Supports(const Workload& workload, int threads) const override {
    switch (workload.shape) {
      case Shape::kFedChain:
      case Shape::kLatency:
      case Shape::kLifeCycle:
        return true;
      case Shape::kChain:
      case Shape::kChains:
      case Shape::kStages:
        return threads > 0;
      case Shape::kFanOut:
        return workload.size == 2 || workload.size == 8;
      case Shape::kJoin:
        return workload.size == 2;
      case Shape::kLayers:
        return workload.size <= 1000;
      default:
        return false;
    }
  }

  absl::StatusOr<Measurement> Run(const Workload& workload, int threads,
                                  std::int64_t packets) override {
    // The application's thread counts as one of the threads.
    const oneapi::tbb::global_control control(
        oneapi::tbb::global_control::max_allowed_parallelism,
        std::max(threads, 1));
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
};

}  // namespace

std::unique_ptr<Subject> MakeTbbSubject() {
  return std::make_unique<TbbSubject>();
}

}  // namespace syncline
