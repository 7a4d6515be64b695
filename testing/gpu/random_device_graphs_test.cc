// Random graphs on devices: what comes out equals plain arithmetic, and no call
// fails; with one wait of one node left out, those runs fail in which nothing
// else puts the read after the write.
//
// In every fourth graph nodes have pools, whose memory they use again, pinned
// memory, and conditions on memory and on devices.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/allocator.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/allocate_buffer.h"
#include "gpu/call_streams.h"
#include "gpu/device_buffer.h"
#include "gpu/device_memory.h"
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

// A device without threads of its own that goes on beside the host, in steps
// that a seed chooses, so that conditions on it come true.
class Stepper {
 public:
  Stepper(std::shared_ptr<StandIn> stand_in, std::uint64_t seed)
      : stand_in_(std::move(stand_in)),
        random_(seed),
        thread_([this] { Run(); }) {}
  ~Stepper() {
    is_ending_ = true;
    thread_.join();
  }
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

 private:
  void Run() {
    while (!is_ending_) {
      const bool has_stepped = stand_in_->StepBySeed();
      if (!has_stepped || random_() % 4 == 0) {
        absl::SleepFor(absl::Microseconds(20));
      }
    }
  }

  const std::shared_ptr<StandIn> stand_in_;
  std::mt19937_64 random_;
  std::atomic<bool> is_ending_{false};
  std::thread thread_;
};

struct RandomGraphRunOptions {
  Workers workers;
  StandInOptions stand_in;
  bool check_access = true;
  // This one of the waits between two streams; none if negative.
  int left_out = -1;
  bool leave_out_all = false;
  // Where the stand-in has no threads: whether it goes on beside the host.
  bool has_stepper = false;
};

class RandomGraphRun {
 public:
  RandomGraphRun(const RandomDeviceGraph& graph, RandomGraphRunOptions options)
      : graph_(graph), options_(std::move(options)) {
    options_.stand_in.num_devices = graph.num_devices;
    devices_ = MakeStandInDevices(options_.stand_in, options_.check_access);
    allocators_use_.emplace(devices_.devices);
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
    absl::optional<Stepper> stepper;
    if (options_.has_stepper) {
      stepper.emplace(devices_.stand_in, options_.stand_in.step_seed);
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
    SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer out, NewOutput(i, cc, stream));
    SYNCLINE_RETURN_IF_ERROR(FillFirst(i, cc, stream, out));
    accesses.push_back(Writes(out));
    SYNCLINE_RETURN_IF_ERROR(stream.Launch(
        kMix, kElements,
        MixParameters{node.seed + static_cast<std::uint32_t>(time)}, accesses));
    Keep(i, time, out, std::move(kept));
    return streams.Send("", out);
  }

  absl::StatusOr<DeviceBuffer> NewOutput(std::size_t i, CalculatorContext* cc,
                                         const Stream& stream) {
    const RandomDeviceGraph::Node& node = graph_.nodes[i];
    // The stream of an input may be of another device than the pool.
    const bool is_near =
        stream.device() == devices_[static_cast<std::size_t>(node.device)];
    if (node.memory == RandomDeviceGraph::Memory::kDevice || !is_near) {
      return NewBuffer(stream);
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        const std::shared_ptr<Allocator> allocator,
        cc->FindAllocator(RandomDeviceGraph::AllocatorOf(i)));
    return AllocateBuffer(stream, *allocator, MemoryStorageType::kDevice,
                          kBufferBytes, "pooled");
  }

  absl::Status FillFirst(std::size_t i, CalculatorContext* cc,
                         const Stream& stream, const DeviceBuffer& out) {
    if (!graph_.nodes[i].is_pinned) return FillWith(0, stream, out);
    SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Allocator> allocator,
                              cc->FindAllocator(graph_.PinnedAllocatorOf(i)));
    SYNCLINE_ASSIGN_OR_RETURN(
        const DeviceBuffer pinned,
        AllocateHostBuffer(*allocator, MemoryStorageType::kHost, kBufferBytes,
                           "pinned"));
    {
      SYNCLINE_ASSIGN_OR_RETURN(const HostView view, pinned.ViewForWriting());
      std::fill_n(reinterpret_cast<std::uint32_t*>(view.mutable_bytes().data()),
                  kElements,
                  graph_.FirstNumber(i, cc->InputTimestamp().Value()));
    }
    return stream.Copy(Writes(out), Reads(pinned));
  }

  void NoteWhetherNeeded() {
    MutexLock lock(&mutex_);
    if (!left_out_.has_value()) return;
    was_needed_ = !order_.IsKnown(left_out_->first, left_out_->second);
    left_out_.reset();
  }

  // In a graph without pools all memory is kept, so that none of it is asked
  // for and no event recorded; else only what nobody reads.
  void Keep(std::size_t node, std::int64_t time, const DeviceBuffer& out,
            std::vector<DeviceBuffer> others) {
    DeviceWork work;
    work.Add(out);
    const WorkPoint written = work.PointsBeforeReading().at(0);
    MutexLock lock(&mutex_);
    order_.Add(written.work().stream.get(), written.work().number);
    if (!graph_.has_pools || !graph_.nodes[node].has_readers) {
      sent_[{node, time}] = out;
    }
    if (graph_.has_pools) return;
    for (DeviceBuffer& other : others) kept_.push_back(std::move(other));
  }

  const RandomDeviceGraph& graph_;
  RandomGraphRunOptions options_;
  StandInDevices devices_;
  absl::optional<MemoryDevicesScope> allocators_use_;
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

RandomGraphRunOptions WithStepper(std::uint64_t seed) {
  RandomGraphRunOptions options = InSteps(seed);
  options.has_stepper = true;
  return options;
}

bool HasPools(std::uint64_t seed) { return seed % 4 == 3; }

TEST(RandomDeviceGraphsTest, ResultsEqualArithmeticWithoutAFalseAlarm) {
  const std::uint64_t num_graphs = NumDeviceGraphs(400);
  std::map<std::string, std::uint64_t> num_with;
  for (std::uint64_t seed = 0; seed < num_graphs; ++seed) {
    SCOPED_TRACE(seed);
    const bool has_pools = HasPools(seed);
    const RandomDeviceGraph graph = RandomDeviceGraph::Make(seed, has_pools);
    RandomGraphRun run(graph, has_pools ? WithStepper(seed) : InSteps(seed));
    SYNCLINE_ASSERT_OK(run.Run());
    ASSERT_TRUE(run.HasRightResults());
    num_with["edges"] += run.num_waits() > 0;
    num_with["pools"] += graph.HasNode([](const auto& node) {
      return node.memory != RandomDeviceGraph::Memory::kDevice;
    });
    num_with["pinned_memory"] +=
        graph.HasNode([](const auto& node) { return node.is_pinned; });
    num_with["conditions_on_memory"] +=
        graph.HasNode([](const auto& node) { return node.waits_for_memory; });
    num_with["conditions_on_devices"] +=
        graph.HasNode([](const auto& node) { return node.waits_for_device; });
  }
  EXPECT_GE(num_with["edges"], num_graphs * 3 / 10);
  for (const auto& [what, number] : num_with) {
    EXPECT_GE(number, num_graphs / 8) << what;
    RecordProperty(what, static_cast<int>(number));
  }
}

// With pools, who comes after whom depends on the memory that comes back. But
// where the checker is silent, nothing was wrong.
TEST(RandomDeviceGraphsTest, WithPoolsASilentCheckerMeansRightResults) {
  int num_silent = 0;
  int num_found = 0;
  for (std::uint64_t seed = 0; seed < NumDeviceGraphs(25); ++seed) {
    SCOPED_TRACE(seed);
    const RandomDeviceGraph graph = RandomDeviceGraph::Make(seed, true);
    RandomGraphRunOptions options = WithStepper(seed);
    options.left_out = static_cast<int>(seed % 5);
    RandomGraphRun run(graph, options);
    const absl::Status status = run.Run();
    if (status.ok()) {
      ++num_silent;
      ASSERT_TRUE(run.HasRightResults());
    } else {
      ++num_found;
      ASSERT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    }
  }
  EXPECT_GT(num_silent, 0);
  EXPECT_GT(num_found, 0);
  RecordProperty("silent", num_silent);
  RecordProperty("found", num_found);
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
  for (std::uint64_t seed = 0; seed < NumDeviceGraphs(30); ++seed) {
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
    const RandomDeviceGraph graph =
        RandomDeviceGraph::Make(seed, HasPools(seed));
    RandomGraphRun run(
        graph, {.workers = GetParam(), .stand_in = {.delay_seed = seed}});
    SYNCLINE_ASSERT_OK(run.Run());
    ASSERT_TRUE(run.HasRightResults());
  }
}

}  // namespace
}  // namespace syncline::gpu
