#include "benchmarks/graph_subject.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/busy_work.h"
#include "benchmarks/graph_calculators.h"
#include "benchmarks/graph_configs.h"
#include "framework/calculator_graph.h"
#include "framework/packet.h"
#include "framework/port/status_macros.h"
#include "framework/timestamp.h"

namespace syncline {
namespace {

using SidePackets = std::map<std::string, Packet>;

SidePackets SidePacketsFor(BenchmarkState* state) {
  return {{"state", MakePacket<BenchmarkState*>(state)}};
}

Packet PacketAt(std::int64_t time) {
  return MakePacket<std::int64_t>(time).At(Timestamp(time));
}

double Quantile(std::vector<double>* values, double share) {
  if (values->empty()) return 0;
  const auto at =
      values->begin() + static_cast<std::ptrdiff_t>(
                            share * static_cast<double>(values->size() - 1));
  std::nth_element(values->begin(), at, values->end());
  return *at;
}

// How often threads of this process have waited so far (voluntary context
// switches).
double Sleeps() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_nvcsw);
}

double AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

// The memory of this process that is in use, once what is free was given back.
double ResidentBytes() {
  malloc_trim(0);
  std::ifstream pages("/proc/self/statm");
  double total = 0;
  double resident = 0;
  pages >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// The number of packets that arrive at sinks if the source sends `packets`.
std::int64_t ExpectedAtSinks(const Workload& workload, std::int64_t packets) {
  switch (workload.shape) {
    case Shape::kLayers:
      return packets * (workload.size / kLayers);
    case Shape::kChains:
      return packets * workload.size;
    default:
      return packets;
  }
}

// Adds a packet to each of the graph's inputs at each of `packets` times, and
// closes them.
absl::Status Feed(const Workload& workload, std::int64_t packets,
                  CalculatorGraph* graph) {
  const std::vector<std::string> names = workload.shape == Shape::kFedJoin
                                             ? JoinedStreams(workload.size)
                                             : std::vector<std::string>{"in"};
  for (std::int64_t i = 0; i < packets; ++i) {
    Packet packet = PacketAt(i);
    for (const std::string& name : names) {
      SYNCLINE_RETURN_IF_ERROR(graph->AddPacketToInputStream(name, packet));
    }
  }
  return graph->CloseAllInputStreams();
}

// How long it takes to read the clock of the machine.
double ClockReadNs() {
  constexpr int kReads = 100000;
  const Stopwatch stopwatch;
  for (int i = 0; i < kReads; ++i) MonotonicNs();
  return stopwatch.ElapsedNs() / kReads;
}

// Runs a graph whose source, or the application, sends as fast as possible.
absl::StatusOr<Measurement> RunThroughput(const Workload& workload, int threads,
                                          std::int64_t packets) {
  BenchmarkState state;
  state.packets = packets;
  state.work_steps =
      workload.work_us > 0 ? StepsForMicroseconds(workload.work_us) : 0;
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(MakeGraphConfig(workload, threads)));
  const bool is_traced = workload.shape == Shape::kTracedChain;
  if (is_traced) SYNCLINE_RETURN_IF_ERROR(graph.EnableFlightRecorder());
  const Stopwatch stopwatch;
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun(SidePacketsFor(&state)));
  if (workload.shape == Shape::kFedChain || workload.shape == Shape::kFedJoin) {
    SYNCLINE_RETURN_IF_ERROR(Feed(workload, packets, &graph));
  }
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  const double ns = stopwatch.ElapsedNs();
  // A join gets `size` packets for each timestamp of its source.
  const std::int64_t delivered_each =
      workload.shape == Shape::kJoin || workload.shape == Shape::kFedJoin
          ? workload.size
          : 1;
  SYNCLINE_ASSIGN_OR_RETURN(
      Measurement result,
      TimePerPacket(workload, ns, packets, state.delivered.load(),
                    ExpectedAtSinks(workload, packets)));
  result.ns_per_packet /= static_cast<double>(delivered_each);
  if (is_traced) result.figures = {{"clock read ns", ClockReadNs()}};
  return result;
}

// Measures `graphs` times the part of a graph's life that the workload names.
// The time per packet is per graph; the time per invocation is per node.
absl::StatusOr<Measurement> RunLifeCycle(const Workload& workload, int threads,
                                         std::int64_t graphs) {
  BenchmarkState state;
  const CalculatorGraphConfig config = MakeGraphConfig(workload, threads);
  const SidePackets side_packets = SidePacketsFor(&state);
  double ns = 0;
  if (workload.shape == Shape::kRun) {
    CalculatorGraph graph;
    SYNCLINE_RETURN_IF_ERROR(graph.Initialize(config));
    const Stopwatch stopwatch;
    for (std::int64_t i = 0; i < graphs; ++i) {
      SYNCLINE_RETURN_IF_ERROR(graph.Run(side_packets));
    }
    ns = stopwatch.ElapsedNs();
  } else {
    for (std::int64_t i = 0; i < graphs; ++i) {
      const Stopwatch stopwatch;
      auto graph = std::make_unique<CalculatorGraph>();
      SYNCLINE_RETURN_IF_ERROR(graph->Initialize(config));
      if (workload.shape == Shape::kLifeCycle) {
        SYNCLINE_RETURN_IF_ERROR(graph->Run(side_packets));
        graph.reset();
      }
      ns += stopwatch.ElapsedNs();
    }
  }
  return TimePerPacket(workload, ns, graphs, 0, 0);
}

// The memory of a graph that has started, and waits for packets. The config is
// the graph's: the application does not keep it.
absl::StatusOr<Measurement> RunWaitingGraph(const Workload& workload,
                                            int threads, std::int64_t graphs) {
  BenchmarkState state;
  const double before = ResidentBytes();
  double bytes = 0;
  double ns = 0;
  for (std::int64_t i = 0; i < graphs; ++i) {
    CalculatorGraphConfig config = MakeGraphConfig(workload, threads);
    const Stopwatch stopwatch;
    CalculatorGraph graph;
    SYNCLINE_RETURN_IF_ERROR(graph.Initialize(std::move(config)));
    SYNCLINE_RETURN_IF_ERROR(graph.StartRun(SidePacketsFor(&state)));
    SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilIdle());
    ns += stopwatch.ElapsedNs();
    bytes = ResidentBytes() - before;
    SYNCLINE_RETURN_IF_ERROR(graph.CloseAllInputStreams());
    SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  }
  SYNCLINE_ASSIGN_OR_RETURN(Measurement result,
                            TimePerPacket(workload, ns, graphs, 0, 0));
  result.figures = {
      {"resident bytes per node", bytes / static_cast<double>(workload.size)}};
  return result;
}

// Measures packets one at a time: from adding a packet until it has come out,
// or until the graph is idle.
absl::StatusOr<Measurement> RunLatency(const Workload& workload, int threads,
                                       std::int64_t packets) {
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(MakeGraphConfig(workload, threads)));
  std::int64_t seen = 0;
  SYNCLINE_RETURN_IF_ERROR(graph.ObserveOutputStream("out", [&](const Packet&) {
    ++seen;
    return absl::OkStatus();
  }));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  const bool until_idle = workload.shape == Shape::kUntilIdle;
  // The first tenth is not timed, since caches are cold.
  const std::int64_t warm_up = packets / 10;
  std::vector<double> ns;
  ns.reserve(packets);
  double sleeps = Sleeps();
  for (std::int64_t i = 0; i < packets; ++i) {
    if (i == warm_up) sleeps = Sleeps();
    Packet packet = PacketAt(i);
    const Stopwatch stopwatch;
    SYNCLINE_RETURN_IF_ERROR(
        graph.AddPacketToInputStream("in", std::move(packet)));
    SYNCLINE_RETURN_IF_ERROR(until_idle ? graph.WaitUntilIdle()
                                        : graph.WaitForObservedOutput());
    if (i >= warm_up) ns.push_back(stopwatch.ElapsedNs());
  }
  sleeps = Sleeps() - sleeps;
  SYNCLINE_RETURN_IF_ERROR(graph.CloseAllInputStreams());
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  SYNCLINE_ASSIGN_OR_RETURN(
      Measurement result,
      TimePerPacket(workload, Quantile(&ns, 0.5), 1, seen, packets));
  result.figures = {
      {"p50 us", Quantile(&ns, 0.5) / 1000},
      {"p99 us", Quantile(&ns, 0.99) / 1000},
      {"sleeps per packet", sleeps / static_cast<double>(packets - warm_up)}};
  return result;
}

// Adds packets at the rate of BenchmarkPacedSource.
absl::Status FeedPaced(std::int64_t packets, CalculatorGraph* graph) {
  std::int64_t due = MonotonicNs();
  for (std::int64_t i = 0; i < packets; ++i) {
    std::int64_t now = MonotonicNs();
    while (now < due) now = MonotonicNs();
    due += kFlowLimiterPeriodNs;
    if (due < now) due = now;
    SYNCLINE_RETURN_IF_ERROR(graph->AddPacketToInputStream(
        "in", MakePacket<std::int64_t>(now).At(Timestamp(i))));
  }
  return graph->CloseAllInputStreams();
}

// The stage can do at most 1 s / work_us packets a second. This is the part of
// that rate that it reaches.
absl::StatusOr<Measurement> RunFlowLimiter(const Workload& workload,
                                           int threads, std::int64_t packets) {
  BenchmarkState state;
  state.packets = packets;
  state.work_ns = std::int64_t{1000} * workload.work_us;
  state.age_ns.reserve(packets);
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(MakeGraphConfig(workload, threads)));
  const BusyLoops others(workload.busy_loops);
  const Stopwatch stopwatch;
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun(SidePacketsFor(&state)));
  if (workload.shape == Shape::kFedFlowLimiter) {
    SYNCLINE_RETURN_IF_ERROR(FeedPaced(packets, &graph));
  }
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  const double ns = stopwatch.ElapsedNs();
  const auto delivered = static_cast<std::int64_t>(state.age_ns.size());
  if (delivered == 0) return absl::DataLossError("nothing passed the limiter");
  SYNCLINE_ASSIGN_OR_RETURN(
      Measurement result,
      TimePerPacket(workload, ns, delivered, delivered, delivered));
  const double ideal_ns = 1000.0 * workload.work_us;
  result.figures = {{"delivered share", ideal_ns / result.ns_per_packet},
                    {"added us p50", Quantile(&state.age_ns, 0.5) / 1000},
                    {"added us p99", Quantile(&state.age_ns, 0.99) / 1000}};
  return result;
}

// The memory of a waiting packet, without the int64 that it carries.
absl::StatusOr<Measurement> RunQueuedPacket(const Workload& workload,
                                            int threads, std::int64_t packets) {
  BenchmarkState state;
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(MakeGraphConfig(workload, threads)));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun(SidePacketsFor(&state)));
  const double before = AllocatedBytes();
  const Stopwatch stopwatch;
  for (std::int64_t i = 0; i < packets; ++i) {
    SYNCLINE_RETURN_IF_ERROR(graph.AddPacketToInputStream("in", PacketAt(i)));
  }
  const double ns = stopwatch.ElapsedNs();
  const double bytes = AllocatedBytes() - before;
  graph.Cancel();
  graph.WaitUntilDone().IgnoreError();
  SYNCLINE_ASSIGN_OR_RETURN(
      Measurement result,
      TimePerPacket(workload, ns, packets, state.delivered.load(), 0));
  result.figures = {
      {"bytes beyond payload", bytes / static_cast<double>(packets) -
                                   static_cast<double>(sizeof(std::int64_t))}};
  return result;
}

class GraphSubject : public Subject {
 public:
  absl::string_view name() const override { return "syncline"; }

  bool Supports(const Workload&, int) const override { return true; }

  absl::StatusOr<Measurement> Run(const Workload& workload, int threads,
                                  std::int64_t packets) override {
    switch (workload.shape) {
      case Shape::kLifeCycle:
      case Shape::kInitialize:
      case Shape::kRun:
        return RunLifeCycle(workload, threads, packets);
      case Shape::kWaitingGraph:
        return RunWaitingGraph(workload, threads, packets);
      case Shape::kLatency:
      case Shape::kUntilIdle:
        return RunLatency(workload, threads, packets);
      case Shape::kFlowLimiter:
      case Shape::kFreeFlowLimiter:
      case Shape::kFedFlowLimiter:
        return RunFlowLimiter(workload, threads, packets);
      case Shape::kQueuedPacket:
        return RunQueuedPacket(workload, threads, packets);
      default:
        return RunThroughput(workload, threads, packets);
    }
  }
};

}  // namespace

std::unique_ptr<Subject> MakeGraphSubject() {
  return std::make_unique<GraphSubject>();
}

}  // namespace syncline
