// No code of a user runs, and no packet is released, while its thread holds a
// lock of the engine: each kind of node, and what an application may put in
// place of the framework's: executors, clocks, allocators, counters, services,
// input stream handlers.

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/allocator.h"
#include "framework/base/name_registry.h"
#include "framework/calculator_framework.h"
#include "framework/counter_factory.h"
#include "framework/graph_clock.h"
#include "framework/graph_service.h"
#include "framework/input_stream_handler.h"
#include "framework/packet_generator.h"
#include "framework/port/status_matchers.h"
#include "framework/status_handler.h"
#include "framework/thread_pool_executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/looking.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

class WithoutLocksNodesTest : public LooksTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(WithoutLocksNodesTest);

// --- What an application may bring

class LookingExecutor : public Executor {
 public:
  explicit LookingExecutor(int threads) : pool_(threads) {}
  ~LookingExecutor() override { Look("an executor's destructor"); }
  void Schedule(std::function<void()> task) override {
    Look("Executor::Schedule");
    pool_.Schedule(std::move(task));
  }
  int MaxParallelTasks() const override {
    Look("Executor::MaxParallelTasks");
    return 3;
  }
  int MaxTasksInARow() const override {
    Look("Executor::MaxTasksInARow");
    return 2;
  }
  bool OthersWait() override {
    Look("Executor::OthersWait");
    return true;
  }
  bool Watch(TaskQueue*, const WatchedWork*, std::atomic<bool>*) override {
    Look("Executor::Watch");
    return false;
  }
  bool AddTaskAt(TaskQueue*, std::int64_t, bool) override {
    Look("Executor::AddTaskAt");
    return false;
  }
  void Unwatch(TaskQueue*) override { Look("Executor::Unwatch"); }

 private:
  ThreadPoolExecutor pool_;
};

class LookingClock : public GraphClock {
 public:
  ~LookingClock() override { Look("a clock's destructor"); }
  std::int64_t NowNs() override {
    Look("GraphClock::NowNs");
    return real_.NowNs();
  }
  Passing passing() const override {
    Look("GraphClock::passing");
    return Passing::kByItself;
  }
  std::int64_t SteadyNsOf(std::int64_t target_ns) override {
    Look("GraphClock::SteadyNsOf");
    return real_.SteadyNsOf(target_ns);
  }

 protected:
  void WaitUntilNs(std::int64_t target_ns) override {
    Look("GraphClock::WaitUntilNs");
  }

 private:
  RealtimeClock real_;
};

class LookingAllocator : public UnboundedAllocator {
 public:
  static absl::StatusOr<std::shared_ptr<Allocator>> Create(
      absl::string_view name, const SynclineOptions&) {
    Look("Allocator::Create");
    return std::shared_ptr<Allocator>(new LookingAllocator(name));
  }
  explicit LookingAllocator(absl::string_view name)
      : UnboundedAllocator(name) {}
  ~LookingAllocator() override { Look("an allocator's destructor"); }
  bool IsAvailable(std::size_t bytes) const override {
    Look("Allocator::IsAvailable");
    return true;
  }
  bool TryReserve(std::size_t bytes, MemoryReservation* reservation) override {
    Look("Allocator::TryReserve");
    return UnboundedAllocator::TryReserve(bytes, reservation);
  }
  Listener AddReleaseListener(std::function<void()> released) override {
    Look("Allocator::AddReleaseListener");
    return UnboundedAllocator::AddReleaseListener(std::move(released));
  }
};
REGISTER_ALLOCATOR(LookingAllocator);

class LookingCounter : public Counter {
 public:
  LookingCounter() { Look("a counter's constructor"); }
  ~LookingCounter() override { Look("a counter's destructor"); }
  void Increment() override { Look("Counter::Increment"); }
  void IncrementBy(int) override { Look("Counter::IncrementBy"); }
  std::int64_t Get() override {
    Look("Counter::Get");
    return 0;
  }
};

class LookingCounters : public CounterFactory {
 public:
  Counter* GetCounter(absl::string_view name) override {
    Look("CounterFactory::GetCounter");
    return counter_set_.Emplace<LookingCounter>(name);
  }
};

struct LookingService {
  ~LookingService() { Look("a service's destructor"); }
};
const GraphService<LookingService> kLookingService(
    "looking", GraphServiceBase::kDisallowDefaultInitialization);

class CountsAndAsks : public TokenPass {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->UseService(kLookingService);
    return TokenPass::GetContract(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->GetCounter(absl::StrCat("calls", cc->InputTimestamp().Value() % 5))
        ->Increment();
    cc->Service(kLookingService).GetObject();
    return TokenPass::Process(cc);
  }
};
REGISTER_CALCULATOR(CountsAndAsks);

class TokenGenerator : public PacketGenerator {
 public:
  static absl::Status FillExpectations(const PacketGeneratorOptions&,
                                       PacketTypeSet* inputs,
                                       PacketTypeSet* outputs) {
    Look("a generator's FillExpectations");
    for (PacketType& output : *outputs) output.Set<Token>();
    return absl::OkStatus();
  }
  static absl::Status Generate(const PacketGeneratorOptions&, const PacketSet&,
                               PacketSet* outputs) {
    Look("a generator's Generate");
    for (Packet& output : *outputs) output = MakePacket<Token>();
    return absl::OkStatus();
  }
};
REGISTER_PACKET_GENERATOR(TokenGenerator);

class TokenStatusHandler : public StatusHandler {
 public:
  static absl::Status FillExpectations(const SynclineOptions&,
                                       PacketTypeSet* inputs) {
    for (PacketType& input : *inputs) input.Set<Token>();
    return absl::OkStatus();
  }
  static absl::Status HandlePreRunStatus(const SynclineOptions&,
                                         const PacketSet&,
                                         const absl::Status&) {
    Look("HandlePreRunStatus");
    return absl::OkStatus();
  }
  static absl::Status HandleStatus(const SynclineOptions&, const PacketSet&,
                                   const absl::Status&) {
    Look("HandleStatus");
    return absl::OkStatus();
  }
};
REGISTER_STATUS_HANDLER(TokenStatusHandler);

// --- Kinds of nodes

std::vector<std::string> Graphs() {
  return {
      R"(node { name: "ends" fused_node { calculator: "TokenPass"
                  input_stream: "a" output_stream: "a2" }
                fused_node { calculator: "TokenPass" input_stream: "a2"
                  input_stream: "b" output_stream: "out" } })",
      // Fused, with parts that wait for each other, at a limit.
      R"(max_queue_size: 2
         node { fused_node { calculator: "TokenPass" input_stream: "a"
                  output_stream: "a2" output_side_packet: "s" }
                fused_node { calculator: "TokenPass" input_stream: "b"
                  input_side_packet: "s" output_stream: "b2" }
                fused_node { calculator: "TokenPass" input_stream: "a2"
                  input_stream: "b2" output_stream: "out" } }
         node { name: "ends" calculator: "TokenPass" input_stream: "out" })",
      R"(node { name: "ends" calculator: "TokenPass" input_stream: "a"
                output_stream: "out" persistent: true }
         node { calculator: "TokenPass" output_stream: "s" persistent: true })",
      // A loop that somebody begins, and one that nobody does.
      R"(node { name: "ends" calculator: "TokenPass" input_stream: "a"
                input_stream: "back" output_stream: "out"
                input_stream_info { tag_index: ":1" back_edge: true }
                input_stream_handler {
                  input_stream_handler: "ImmediateInputStreamHandler" } }
         node { calculator: "TokenPass" input_stream: "b"
                output_stream: "back" })",
      R"(node { name: "ends" calculator: "TokenPass" input_stream: "a"
                input_stream: "back" output_stream: "out"
                input_stream_info { tag_index: ":1" back_edge: true } }
         node { calculator: "TokenPass" input_stream: "out"
                output_stream: "back" })",
      R"(packet_generator { packet_generator: "TokenGenerator"
                            output_side_packet: "made" }
         status_handler { status_handler: "TokenStatusHandler" }
         node { name: "ends" calculator: "TokenPass" input_stream: "a"
                input_stream: "b" input_side_packet: "made" })",
      // Sources in layers, that queues hold back.
      R"(max_queue_size: 2
         node { calculator: "TokenPass" output_stream: "s" source_layer: 1 }
         node { calculator: "TokenPass" output_stream: "t" }
         node { name: "ends" calculator: "TokenPass" input_stream: "s"
                input_stream: "a" input_stream: "t" output_stream: "out" })",
      // Merged, and settled by another stream.
      R"(node { name: "ends" calculator: "TokenPass" input_stream: "IN:0:a"
                input_stream: "IN:1:b" output_stream: "out"
                input_stream_info { tag_index: "IN" merge: true } })",
      R"(node { name: "ends" calculator: "TokenPass" input_stream: "a"
                input_stream: "b" output_stream: "out"
                input_stream_info { tag_index: ":0"
                  idle_after { stream: ":1" gap: 1 } } })",
      R"(runtime_info { enable_graph_runtime_info: true }
         queue_warning_size: 2 queue_error_size: 5
         node { name: "ends" calculator: "TokenPass" input_stream: "a"
                input_stream: "b" })",
      R"(max_queue_bytes: 200 max_memory_bytes: 900
         node { name: "ends" calculator: "TokenPass" input_stream: "a"
                input_stream: "b" max_in_flight: 2 })",
      R"(allocator { name: "mine" type: "LookingAllocator" }
         executor { name: "mine" }
         node { name: "ends" calculator: "CountsAndAsks" input_stream: "a"
                input_stream: "b" output_stream: "out" executor: "mine"
                condition { type: "MemoryAvailableCondition" options {
                  [syncline.MemoryAvailableConditionOptions.ext] {
                    allocator: "mine" min_bytes: 10 } } } }
         node { calculator: "CountsAndAsks" input_stream: "out"
                condition { type: "PeriodicCondition" options {
                  [syncline.PeriodicConditionOptions.ext] {
                    recess_period: "100us" } } } }
         node { calculator: "CountsAndAsks" input_stream: "out" executor: "mine"
                input_stream: "b" input_stream_handler {
                  input_stream_handler: "TimeoutInputStreamHandler" options {
                    [syncline.TimeoutInputStreamHandlerOptions.ext] {
                      timeout_ns: 100000 } } } }
         node { calculator: "CountsAndAsks" input_stream: "out"
                batch { max_size: 4 max_delay_ns: 100000 } })",
  };
}

TEST_P(WithoutLocksNodesTest, EachKindOfNodeInTwoRunsToEachEnd) {
  for (const std::string& text : Graphs()) {
    for (const End end : kEnds) {
      {
        WorkersGraph graph(GetParam());
        if (text.find("\"mine\" }\n") != std::string::npos) {
          SYNCLINE_ASSERT_OK(
              graph.SetExecutor("mine", std::make_shared<LookingExecutor>(2)));
          SYNCLINE_ASSERT_OK(graph.SetClock(std::make_shared<LookingClock>()));
          graph.SetCounterFactory(new LookingCounters);
          SYNCLINE_ASSERT_OK(graph.SetServiceObject(
              kLookingService, std::make_shared<LookingService>()));
        }
        SYNCLINE_ASSERT_OK(graph.Initialize(LookingConfig(text))) << text;
        // A graph that is paused makes no room.
        graph.SetGraphInputStreamAddMode(
            CalculatorGraph::GraphInputStreamAddMode::ADD_IF_NOT_FULL);
        for (int run = 0; run < 2; ++run) {
          RunToEnd(&graph, end, {}, [&](int i) {
            graph.GetGraphRuntimeInfo().status().IgnoreError();
            graph.Explain();
            if (i == 5) graph.Pause();
            if (i == 7) graph.Resume();
          }).IgnoreError();
          if (end == End::kDestroy) break;
          graph.GetCounterFactory()->GetCounterSet()->GetCountersValues();
        }
      }
      ExpectNobodyWasCaught(absl::StrCat(text, ", end ", static_cast<int>(end)),
                            20);
    }
  }
}

// --- An input stream handler of the application's

// Takes what comes, and lets go of every second packet. It runs under the lock
// of its node, as input_policy.h says; its packets, and its making and end, do
// not.
class LookingPolicy : public InputPolicy {
 public:
  explicit LookingPolicy(const PolicyPorts& ports) : queues_(ports.queues) {
    Look("an input policy's constructor");
  }
  ~LookingPolicy() override { Look("an input policy's destructor"); }
  void OnChange(int port) override {
    was_under_lock.store(LocksHeld() == 1);
    if (queues_[port].size() > 1) queues_[port].DropFront();
  }
  Readiness Evaluate() const override {
    bool is_over = true;
    for (const InputQueue& queue : queues_) {
      if (!queue.empty()) {
        return {Readiness::State::kProcess, queue.front().Timestamp()};
      }
      is_over &= queue.Finished();
    }
    return {is_over ? Readiness::State::kClose : Readiness::State::kWait,
            Timestamp::Unset()};
  }
  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    auto input = inputs->begin();
    bool is_taken = false;
    for (InputQueue& queue : queues_) {
      const bool takes =
          !is_taken && !queue.empty() && queue.front().Timestamp() == timestamp;
      is_taken |= takes;
      (input++)->Fill(
          takes ? queue.TakeFront() : Packet().At(queue.SettledTimestamp()),
          queue.Done());
    }
    return timestamp;
  }
  bool SeesEveryPacket() const override { return true; }
  bool DropsPackets() const override { return true; }
  bool RepeatsTimestamps() const override { return true; }

  static inline std::atomic<bool> was_under_lock{false};

 private:
  const absl::Span<InputQueue> queues_;
};

TEST_P(WithoutLocksNodesTest, AnInputStreamHandlerOfOnesOwnDropsWithoutLocks) {
  const Unregister looking(TokenOrReport(RegisterInputPolicyKind(
      "test.LookingInputStreamHandler",
      {.create =
           [](const PolicyPorts& ports) {
             Look("the function that creates a policy");
             return std::make_unique<LookingPolicy>(ports);
           },
       .is_deterministic = false},
      /*check=*/{}, SYNCLINE_LOC.ToString())));
  for (const End end : kEnds) {
    LookingPolicy::was_under_lock.store(false);
    {
      WorkersGraph graph(GetParam());
      SYNCLINE_ASSERT_OK(graph.Initialize(LookingConfig(R"(
        node { name: "ends" calculator: "TokenPass" input_stream: "a"
               input_stream: "b" input_stream_handler {
                 input_stream_handler: "test.LookingInputStreamHandler" } })")));
      RunToEnd(&graph, end).IgnoreError();
    }
    EXPECT_TRUE(LookingPolicy::was_under_lock) << "as the docs say";
    ExpectNobodyWasCaught(absl::StrCat("end ", static_cast<int>(end)), 30);
  }
}

TEST(OwnInputStreamHandlerTest, OneThatIsNotMadeIsAnErrorThatNamesIt) {
  const Unregister nothing(TokenOrReport(RegisterInputPolicyKind(
      "test.NothingInputStreamHandler",
      {.create =
           [](const PolicyPorts&) { return std::unique_ptr<InputPolicy>(); }},
      /*check=*/{}, "nothing.cc:12")));
  for (const char* more : {"", "max_in_flight: 2"}) {
    CalculatorGraph graph;
    absl::Status status = graph.Initialize(LookingConfig(
        absl::StrCat("node { calculator: \"TokenPass\" input_stream: \"a\" "
                     "input_stream_handler { input_stream_handler: "
                     "\"test.NothingInputStreamHandler\" } ",
                     more, " }")));
    if (status.ok()) status = graph.StartRun({});
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("\"test.NothingInputStreamHandler\", registered at "
                          "nothing.cc:12"));
  }
}

}  // namespace
}  // namespace syncline
