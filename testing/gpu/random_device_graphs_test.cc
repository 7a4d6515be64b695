// Random graphs on devices: what comes out equals plain arithmetic, and no call
// fails; with one wait of one node left out, those runs fail in which nothing
// else puts the read after the write.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/call_streams.h"
#include "gpu/device_buffer.h"
#include "gpu/device_service.h"
#include "gpu/device_work.h"
#include "gpu/stream.h"
#include "gpu/stream_core.h"
#include "gpu/test_kernels.h"
#include "gpu/work_point.h"
#include "gtest/gtest.h"
#include "testing/gpu/device_graph.h"
#include "testing/gpu/random_device_graph.h"

namespace syncline::gpu {
namespace {

// What each stream comes after, as sets of writes. For runs in which one call
// comes after the other and the host waits for nothing.
class OrderBySets {
 public:
  using Write = std::pair<const StreamCore*, std::uint64_t>;

  void Add(const StreamCore* stream, std::uint64_t number) {
    known_[stream].insert({stream, number});
    newest_[stream] = number;
  }
  bool IsKnown(const StreamCore* stream, Write write) {
    return known_[stream].contains(write);
  }
  // `stream` is told to wait for the write: by the newest event of the other
  // stream if that is new enough, else by one that covers all until now.
  void Wait(const StreamCore* stream, Write write) {
    if (IsKnown(stream, write)) return;
    Event& event = events_[write.first];
    if (event.covered < write.second) {
      event = {newest_[write.first], known_[write.first]};
    }
    known_[stream].insert(event.known.begin(), event.known.end());
  }

 private:
  struct Event {
    std::uint64_t covered = 0;
    std::set<Write> known;
  };
  std::map<const StreamCore*, std::set<Write>> known_;
  std::map<const StreamCore*, std::uint64_t> newest_;
  std::map<const StreamCore*, Event> events_;
};

struct RandomGraphRunOptions {
  Workers workers;
  StandInOptions stand_in;
  bool check_access = true;
  // This one of the waits between two streams; none if negative.
  int left_out = -1;
  bool leave_out_all = false;
};

class RandomGraphRun {
 public:
  RandomGraphRun(const RandomDeviceGraph& graph, RandomGraphRunOptions options)
      : graph_(graph), options_(std::move(options)) {
    options_.stand_in.num_devices = graph.num_devices;
    devices_ = MakeStandInDevices(options_.stand_in, options_.check_access);
    context_ = DeviceContext::Make(devices_.devices);
    context_->SetWaitFilterForTest(
        [this](const NodeWait& wait) { return OnWait(wait); });
  }

  absl::Status Run() {
    WorkersGraph graph(options_.workers);
    SYNCLINE_RETURN_IF_ERROR(graph.Initialize(graph_.Config()));
    SYNCLINE_RETURN_IF_ERROR(graph.SetServiceObject(kDeviceService, context_));
    std::map<std::string, Packet> functions;
    // What is not sent is settled at once, and not when a node is closed.
    functions["open"] =
        MakePacket<DeviceFunction>([](CalculatorContext* cc, CallStreams&) {
          cc->SetOffset(TimestampDiff(0));
          return absl::OkStatus();
        });
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      functions[absl::StrCat("node", i, "_process")] =
          MakePacket<DeviceFunction>(
              [this, i](CalculatorContext* cc, CallStreams& streams) {
                return Process(i, cc, streams);
              });
    }
    SYNCLINE_RETURN_IF_ERROR(graph.StartRun(functions));
    for (std::int64_t time = 0; time < graph_.num_packets; ++time) {
      const absl::Status added = graph.AddPacketToInputStream(
          "in", MakePacket<int>(0).At(Timestamp(time)));
      if (!added.ok()) break;
    }
    // No node is closed before all calls are done.
    graph.WaitUntilIdle().IgnoreError();
    graph.CloseAllInputStreams().IgnoreError();
    return graph.WaitUntilDone();
  }

  // Whether all that nobody reads is as arithmetic says.
  bool HasRightResults() {
    MutexLock lock(&mutex_);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (graph_.nodes[i].has_readers) continue;
      for (std::int64_t time = 0; time < graph_.num_packets; ++time) {
        const auto found = sent_.find({i, time});
        const auto wanted = graph_.Value(i, time);
        if (wanted.has_value() != (found != sent_.end())) return false;
        if (!wanted.has_value()) continue;
        const absl::StatusOr<std::uint32_t> value = NumberOf(found->second);
        if (!value.ok() || *value != *wanted) return false;
      }
    }
    return true;
  }

  int num_waits() {
    MutexLock lock(&mutex_);
    return num_waits_;
  }
  // Whether nothing else gave the order of the wait that was left out.
  bool was_needed() {
    MutexLock lock(&mutex_);
    return was_needed_;
  }

 private:
  // Returns whether the wait is left out.
  bool OnWait(const NodeWait& wait) {
    const StreamCore* const stream = &wait.stream.core();
    const OrderBySets::Write write = {wait.point.work().stream.get(),
                                      wait.point.work().number};
    if (write.first == stream) return false;
    MutexLock lock(&mutex_);
    if (num_waits_++ == options_.left_out) {
      left_out_ = {stream, write};
      return true;
    }
    if (options_.leave_out_all) return true;
    order_.Wait(stream, write);
    return false;
  }

  absl::StatusOr<Stream> Receive(const RandomDeviceGraph::Node& node,
                                 CallStreams& streams) {
    const ReceiveOptions options = {
        .allocate = node.rule != RandomDeviceGraph::StreamRule::kOfInput};
    if (!node.asks_port_by_port) return streams.ReceiveCudaStream("", options);
    const std::size_t num_ports = std::max<std::size_t>(1, node.inputs.size());
    for (std::size_t port = num_ports - 1; port > 0; --port) {
      SYNCLINE_RETURN_IF_ERROR(
          streams.ReceiveCudaStream(absl::StrCat(":", port), options).status());
    }
    return streams.ReceiveCudaStream(":0", options);
  }

  absl::Status Process(std::size_t i, CalculatorContext* cc,
                       CallStreams& streams) {
    const RandomDeviceGraph::Node& node = graph_.nodes[i];
    const std::int64_t time = cc->InputTimestamp().Value();
    if (!graph_.Sends(i, time)) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, Receive(node, streams));
    NoteWhetherNeeded();
    std::vector<Access> accesses;
    std::vector<DeviceBuffer> kept;
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
      const InputStream& input = cc->Inputs().Index(static_cast<int>(port));
      if (input.IsEmpty()) continue;
      kept.push_back(input.Get<DeviceBuffer>());
      if (kept.back().device() != stream.device()) {
        SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer copy, NewBuffer(stream));
        SYNCLINE_RETURN_IF_ERROR(stream.Copy(Writes(copy), Reads(kept.back())));
        kept.push_back(copy);
      }
      accesses.push_back(Reads(kept.back()));
    }
    SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer out, NewBuffer(stream));
    SYNCLINE_RETURN_IF_ERROR(FillWith(0, stream, out));
    accesses.push_back(Writes(out));
    SYNCLINE_RETURN_IF_ERROR(stream.Launch(
        kMix, kElements,
        MixParameters{node.seed + static_cast<std::uint32_t>(time)}, accesses));
    Keep(i, time, out, std::move(kept));
    return streams.Send("", out);
  }

  void NoteWhetherNeeded() {
    MutexLock lock(&mutex_);
    if (!left_out_.has_value()) return;
    was_needed_ = !order_.IsKnown(left_out_->first, left_out_->second);
    left_out_.reset();
  }

  // All memory is kept, so that none of it is asked for and no event recorded.
  void Keep(std::size_t node, std::int64_t time, const DeviceBuffer& out,
            std::vector<DeviceBuffer> others) {
    DeviceWork work;
    work.Add(out);
    const WorkPoint written = work.PointsBeforeReading().at(0);
    MutexLock lock(&mutex_);
    order_.Add(written.work().stream.get(), written.work().number);
    sent_[{node, time}] = out;
    for (DeviceBuffer& other : others) kept_.push_back(std::move(other));
  }

  const RandomDeviceGraph& graph_;
  RandomGraphRunOptions options_;
  StandInDevices devices_;
  std::shared_ptr<DeviceContext> context_;

  Mutex mutex_;
  OrderBySets order_ ABSL_GUARDED_BY(mutex_);
  int num_waits_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::optional<std::pair<const StreamCore*, OrderBySets::Write>> left_out_
      ABSL_GUARDED_BY(mutex_);
  bool was_needed_ ABSL_GUARDED_BY(mutex_) = false;
  std::map<std::pair<std::size_t, std::int64_t>, DeviceBuffer> sent_
      ABSL_GUARDED_BY(mutex_);
  std::vector<DeviceBuffer> kept_ ABSL_GUARDED_BY(mutex_);
};

// `usual` graphs, or as many as random_device_graphs_long_test says, which sets
// SYNCLINE_RANDOM_GRAPHS; fewer under a sanitizer.
std::uint64_t NumDeviceGraphs(std::uint64_t usual) {
  const char* const given = std::getenv("SYNCLINE_RANDOM_GRAPHS");
  std::uint64_t number = 0;
  if (given == nullptr || !absl::SimpleAtoi(given, &number)) number = usual;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return number / 5;
#else
  return number;
#endif
}

// Work is done when somebody waits for it, in an order of the seed.
RandomGraphRunOptions InSteps(std::uint64_t seed) {
  return {.workers = {.threads = 0, .seed = seed + 1},
          .stand_in = {.has_threads = false, .step_seed = seed}};
}

TEST(RandomDeviceGraphsTest, ResultsEqualArithmeticWithoutAFalseAlarm) {
  const std::uint64_t num_graphs = NumDeviceGraphs(400);
  std::uint64_t num_with_edges = 0;
  for (std::uint64_t seed = 0; seed < num_graphs; ++seed) {
    SCOPED_TRACE(seed);
    const RandomDeviceGraph graph = RandomDeviceGraph::Make(seed);
    RandomGraphRun run(graph, InSteps(seed));
    SYNCLINE_ASSERT_OK(run.Run());
    ASSERT_TRUE(run.HasRightResults());
    if (run.num_waits() > 0) ++num_with_edges;
  }
  EXPECT_GE(num_with_edges, num_graphs * 3 / 10);
  RecordProperty("with_edges", static_cast<int>(num_with_edges));
}

TEST(RandomDeviceGraphsTest, WithoutAWaitTheCheckerSpeaksWhereItWasNeeded) {
  int num_needed = 0;
  int num_found = 0;
  int num_not_needed = 0;
  for (std::uint64_t seed = 0; seed < NumDeviceGraphs(200); ++seed) {
    SCOPED_TRACE(seed);
    const RandomDeviceGraph graph = RandomDeviceGraph::Make(seed);
    RandomGraphRun whole(graph, InSteps(seed));
    SYNCLINE_ASSERT_OK(whole.Run());
    if (whole.num_waits() == 0) continue;
    RandomGraphRunOptions options = InSteps(seed);
    std::mt19937_64 random(seed);
    options.left_out = static_cast<int>(
        random() % static_cast<std::uint64_t>(whole.num_waits()));
    RandomGraphRun run(graph, options);
    const absl::Status status = run.Run();
    if (!run.was_needed()) {
      ++num_not_needed;
      SYNCLINE_ASSERT_OK(status);
      continue;
    }
    ++num_needed;
    if (absl::IsFailedPrecondition(status)) ++num_found;
  }
  EXPECT_GE(num_found * 100, num_needed * 99) << num_needed;
  EXPECT_GT(num_needed, 0);
  EXPECT_GT(num_not_needed, 0);
  RecordProperty("needed", num_needed);
  RecordProperty("found", num_found);
  RecordProperty("not_needed", num_not_needed);
}

TEST(RandomDeviceGraphsTest, WithoutWaitsAndCheckerResultsAreWrong) {
  int num_wrong = 0;
  for (std::uint64_t seed = 0; seed < NumDeviceGraphs(50); ++seed) {
    const RandomDeviceGraph graph = RandomDeviceGraph::Make(seed);
    RandomGraphRunOptions options = InSteps(seed);
    options.check_access = false;
    options.leave_out_all = true;
    RandomGraphRun run(graph, options);
    SYNCLINE_ASSERT_OK(run.Run());
    if (!run.HasRightResults()) ++num_wrong;
  }
  EXPECT_GT(num_wrong, 0);
  RecordProperty("wrong", num_wrong);
}

class RandomDeviceGraphsThreadsTest : public ::testing::TestWithParam<Workers> {
};
SYNCLINE_TEST_WITH_THREADS(RandomDeviceGraphsThreadsTest);

TEST_P(RandomDeviceGraphsThreadsTest, ResultsEqualArithmetic) {
  for (std::uint64_t seed = 0; seed < NumDeviceGraphs(40); ++seed) {
    SCOPED_TRACE(seed);
    const RandomDeviceGraph graph = RandomDeviceGraph::Make(seed);
    RandomGraphRun run(
        graph, {.workers = GetParam(), .stand_in = {.delay_seed = seed}});
    SYNCLINE_ASSERT_OK(run.Run());
    ASSERT_TRUE(run.HasRightResults());
  }
}

}  // namespace
}  // namespace syncline::gpu
