// Latencies of traces in simulated time: random graphs whose calls take times
// that are known. The times of a packet by node and queue add up to what the
// clock says that it was under way, to the nanosecond.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/config/calculator.pb.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/latency/latency.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/simulation_clock_executor.h"
#include "testing/test_calculators.h"

namespace syncline {
namespace {

// The clock of the graph shows the time of the simulation.
class ClockOfSimulation : public GraphClock {
 public:
  explicit ClockOfSimulation(std::shared_ptr<SimulationClock> clock)
      : clock_(std::move(clock)) {}

  std::int64_t NowNs() override { return absl::ToUnixNanos(clock_->TimeNow()); }
  Passing passing() const override { return Passing::kWhenTold; }
  std::int64_t SteadyNsOf(std::int64_t) override {
    return std::numeric_limits<std::int64_t>::max();
  }

 protected:
  void WaitUntilNs(std::int64_t target_ns) override {
    clock_->SleepUntil(absl::FromUnixNanos(target_ns));
  }

 private:
  const std::shared_ptr<SimulationClock> clock_;
};

// A graph of an input "in" and nodes that join what others send, and how long
// each call takes. Node i sends "s<i>".
struct SleepyGraph {
  CalculatorGraphConfig config;
  // In nanoseconds, by node and packet.
  std::vector<std::vector<std::int64_t>> sleeps;
  std::vector<std::int64_t> pauses;  // before each packet
  // Streams that no node reads.
  std::vector<std::string> outputs;
  // By node: at most so many calls at a time.
  std::vector<int> in_flight;
};

SleepyGraph MakeSleepyGraph(std::uint32_t seed, int packets) {
  std::mt19937 random(seed);
  const auto below = [&random](std::uint32_t limit) {
    return static_cast<int>(random() % limit);
  };
  SleepyGraph graph;
  graph.config.add_input_stream("in");
  std::vector<std::string> streams = {"in"};
  std::vector<bool> is_read = {true};
  const int nodes = 1 + below(8);
  for (int i = 0; i < nodes; ++i) {
    CalculatorGraphConfig::Node* const node = graph.config.add_node();
    node->set_name(absl::StrCat("n", i));
    node->set_calculator("LambdaCalculator");
    node->add_input_side_packet(absl::StrCat("PROCESS:f", i));
    const int inputs = 1 + below(3);
    for (int port = 0; port < inputs; ++port) {
      const auto from = static_cast<std::size_t>(below(streams.size()));
      node->add_input_stream(streams[from]);
      is_read[from] = true;
    }
    node->add_output_stream(absl::StrCat("s", i));
    streams.push_back(absl::StrCat("s", i));
    is_read.push_back(false);
    graph.in_flight.push_back(below(3) == 0 ? 2 + below(3) : 1);
    node->set_max_in_flight(graph.in_flight.back());
    std::vector<std::int64_t>& sleeps = graph.sleeps.emplace_back();
    // Some calls take no time, some stand in the way of others.
    for (int p = 0; p < packets; ++p)
      sleeps.push_back(below(4) * below(40'000));
  }
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (!is_read[i]) graph.outputs.push_back(streams[i]);
  }
  for (int p = 0; p < packets; ++p) graph.pauses.push_back(below(60'000));
  graph.config.set_max_queue_size(-1);
  return graph;
}

// When packets came and went, by the clock.
struct SeenTimes {
  SeenTimes(std::size_t nodes, std::size_t packets)
      : begin(nodes, std::vector<std::int64_t>(packets)), end(begin) {}

  Mutex mutex;
  std::vector<std::int64_t> added;
  // Of calls, by node and packet.
  std::vector<std::vector<std::int64_t>> begin;
  std::vector<std::vector<std::int64_t>> end;
  // By stream.
  std::map<std::string, std::vector<std::int64_t>> arrived;
};

LambdaFunction SleepAndSend(const SleepyGraph& graph, std::size_t node,
                            SimulationClock* clock, SeenTimes* seen) {
  return [&graph, node, clock, seen](CalculatorContext* cc) {
    const auto packet = static_cast<std::size_t>(cc->InputTimestamp().Value());
    const std::int64_t ns = graph.sleeps[node][packet];
    const std::int64_t begin = absl::ToUnixNanos(clock->TimeNow());
    if (ns > 0) clock->Sleep(absl::Nanoseconds(ns));
    MutexLock lock(&seen->mutex);
    seen->begin[node][packet] = begin;
    seen->end[node][packet] = absl::ToUnixNanos(clock->TimeNow());
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(0).At(cc->InputTimestamp()));
    return absl::OkStatus();
  };
}

// Runs it, and returns its trace.
absl::StatusOr<Trace> RunInSimulatedTime(const SleepyGraph& sleepy, int threads,
                                         const std::string& path,
                                         SeenTimes* seen) {
  auto executor = std::make_shared<SimulationClockExecutor>(threads);
  const std::shared_ptr<SimulationClock> clock = executor->GetClock();
  CalculatorGraph graph;
  absl::Status status = graph.SetExecutor("", executor);
  status.Update(graph.SetClock(std::make_shared<ClockOfSimulation>(clock)));
  status.Update(graph.Initialize(sleepy.config));
  for (const std::string& stream : sleepy.outputs) {
    status.Update(graph.ObserveOutputStream(stream, [&, stream](const Packet&) {
      MutexLock lock(&seen->mutex);
      seen->arrived[stream].push_back(absl::ToUnixNanos(clock->TimeNow()));
      return absl::OkStatus();
    }));
  }
  status.Update(graph.StartTrace(path, {.in_graph_time = true}));
  std::map<std::string, Packet> side_packets;
  for (std::size_t i = 0; i < sleepy.sleeps.size(); ++i) {
    side_packets[absl::StrCat("f", i)] =
        MakePacket<LambdaFunction>(SleepAndSend(sleepy, i, clock.get(), seen));
  }
  status.Update(graph.StartRun(side_packets));
  if (!status.ok()) return status;
  // The application takes part in the simulation, too.
  std::thread([&] {
    const SimulatedThread registered(clock.get());
    for (std::size_t p = 0; p < sleepy.pauses.size(); ++p) {
      clock->Sleep(absl::Nanoseconds(sleepy.pauses[p]));
      seen->added.push_back(absl::ToUnixNanos(clock->TimeNow()));
      status.Update(graph.AddPacketToInputStream(
          "in",
          MakePacket<int>(0).At(Timestamp(static_cast<std::int64_t>(p)))));
    }
  }).join();
  status.Update(graph.CloseAllInputStreams());
  status.Update(graph.WaitUntilDone());
  status.Update(graph.StopTrace());
  if (!status.ok()) return status;
  return ReadTraceFile(path);
}

// From when the last of the packets that the call takes was sent to its begin.
// Where calls of a node overlap, one that is done may wait for those before it,
// and it is only known that its packet was sent no earlier than it ended:
// `is_exact` is false then.
std::int64_t WaitOf(const SleepyGraph& graph, const SeenTimes& seen,
                    std::size_t node, std::size_t packet, bool* is_exact) {
  std::int64_t last = 0;
  *is_exact = true;
  for (const std::string& stream :
       graph.config.node(static_cast<int>(node)).input_stream()) {
    if (stream == "in") {
      last = std::max(last, seen.added[packet]);
      continue;
    }
    const std::size_t sender = std::stoul(stream.substr(1));
    last = std::max(last, seen.end[sender][packet]);
    if (graph.in_flight[sender] > 1) *is_exact = false;
  }
  return seen.begin[node][packet] - last;
}

// The parts of a message against what the clock said; returns their sum.
std::int64_t ExpectKnownParts(const SleepyGraph& graph, const SeenTimes& seen,
                              const LatencyPath& path, std::size_t message,
                              int* num_exact) {
  const auto packet =
      static_cast<std::size_t>(path.messages[message].source_timestamp);
  const auto ticks = path.TicksOf(message);
  std::int64_t sum = 0;
  for (std::size_t step = 0; step < path.nodes.size(); ++step) {
    const auto node = static_cast<std::size_t>(path.nodes[step].node);
    const std::int64_t waiting = ticks[2 * step];
    const std::int64_t in_call = ticks[2 * step + 1];
    bool is_exact = false;
    const std::int64_t wait = WaitOf(graph, seen, node, packet, &is_exact);
    if (is_exact) {
      EXPECT_EQ(waiting, wait) << path.name << " " << packet;
      ++*num_exact;
    } else {
      EXPECT_GE(waiting, 0) << path.name << " " << packet;
      EXPECT_LE(waiting, wait) << path.name << " " << packet;
    }
    if (graph.in_flight[node] == 1) {
      EXPECT_EQ(in_call, graph.sleeps[node][packet]) << path.name;
    } else {
      EXPECT_GE(in_call, graph.sleeps[node][packet]) << path.name;
    }
    sum += waiting + in_call;
  }
  return sum;
}

// Compares the messages of a path; returns how many there are.
int ExpectKnownTimes(const SleepyGraph& graph, const SeenTimes& seen,
                     const Trace& trace, const LatencyPath& path,
                     int* num_exact) {
  const std::string stream = trace.header.stream(path.sink_stream).name();
  for (std::size_t i = 0; i < path.messages.size(); ++i) {
    const LatencyMessage& message = path.messages[i];
    EXPECT_EQ(message.timestamp, message.source_timestamp);
    const auto packet = static_cast<std::size_t>(message.source_timestamp);
    const std::int64_t under_way =
        seen.arrived.at(stream)[packet] - seen.added[packet];
    EXPECT_EQ(message.ticks(), under_way) << path.name << " " << packet;
    EXPECT_EQ(trace.Ns(message.end) - trace.Ns(message.begin), under_way);
    EXPECT_EQ(ExpectKnownParts(graph, seen, path, i, num_exact), under_way)
        << path.name << " " << packet;
  }
  return static_cast<int>(path.messages.size());
}

class SimulatedLatencyTest : public testing::TestWithParam<int> {};

TEST_P(SimulatedLatencyTest, PartsAddUpToTheTimeThatTheClockSays) {
  constexpr int kPackets = 30;
  int messages = 0;
  int num_exact = 0;
  std::int64_t under_way = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const SleepyGraph graph = MakeSleepyGraph(seed, kPackets);
    SeenTimes seen(graph.sleeps.size(), kPackets);
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        const Trace trace,
        RunInSimulatedTime(graph, GetParam(),
                           absl::StrCat(testing::TempDir(), "/simulated_",
                                        GetParam(), "_", seed, ".trace"),
                           &seen));
    EXPECT_EQ(trace.num_lost(), 0);
    const Latencies latencies =
        ComputeLatencies(trace, TraceCalls(trace), LatencyOptions());
    EXPECT_EQ(latencies.num_incomplete, 0);
    int of_graph = 0;
    for (const LatencyPath& path : latencies.paths) {
      of_graph += ExpectKnownTimes(graph, seen, trace, path, &num_exact);
      under_way += path.max_ns;
    }
    EXPECT_EQ(of_graph, kPackets * static_cast<int>(graph.outputs.size()));
    messages += of_graph;
    if (HasFailure()) return;
  }
  EXPECT_GT(messages, 1200);
  EXPECT_GT(num_exact, 1000);
  EXPECT_GT(under_way, 0);
}

INSTANTIATE_TEST_SUITE_P(Threads, SimulatedLatencyTest,
                         testing::Values(1, 2, 8));

}  // namespace
}  // namespace syncline
