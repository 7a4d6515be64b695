// Memory that runs out: whichever allocation of Initialize, StartRun, a hundred
// packets and the end fails, alone or with others that follow, there is a
// status. No crash, no hang, and no packet that is lost under a good status.

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph_text/testdata/foreign.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/run/output_stream_poller.h"
#include "gtest/gtest.h"

namespace {

// Allocations until one fails, and how many fail then. Counted while armed.
std::atomic<bool> is_armed{false};
std::atomic<long> left{0};
std::atomic<long> failing{0};
std::atomic<bool> has_failed{false};

void* Allocate(std::size_t bytes) {
  if (is_armed.load(std::memory_order_relaxed) && left.fetch_sub(1) <= 1 &&
      failing.fetch_sub(1) > 0) {
    has_failed.store(true);
    return nullptr;
  }
  return std::malloc(bytes == 0 ? 1 : bytes);
}

}  // namespace

#ifdef __SANITIZE_ADDRESS__
// Protobuf loses the part of a message that it had when memory ran out.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:google::protobuf::\nleak:libprotobuf.so\n";
}
#endif

void* operator new(std::size_t bytes) {
  void* const memory = Allocate(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return Allocate(bytes);
}
// Inlined where operator new is not, they look like a mismatch to g++.
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace syncline {
namespace {

constexpr int kPackets = 100;
constexpr long kAll = 1'000'000'000;

// Two ways to a join, so that queues hold something.
constexpr char kGraph[] = R"(
  input_stream: "in"
  node { calculator: "OomPass" input_stream: "in" output_stream: "a" }
  node { calculator: "OomPass" input_stream: "a" output_stream: "b" }
  node { calculator: "OomJoin" input_stream: "in" input_stream: "b"
         output_stream: "out" })";

// Nodes that wait for conditions, for times and for batches.
constexpr char kGatedGraph[] = R"(
  input_stream: "in"
  node {
    calculator: "OomPass" input_stream: "in" output_stream: "a"
    condition { type: "MessageAvailableCondition" }
    condition { type: "DownstreamMessageAffordableCondition" }
  }
  node {
    calculator: "OomPass" input_stream: "a" output_stream: "b"
    batch { max_size: 3 max_delay_ns: 100000 }
  }
  node {
    calculator: "OomJoin" input_stream: "in" input_stream: "b"
    output_stream: "out"
    input_stream_handler {
      input_stream_handler: "TimeoutInputStreamHandler"
      options {
        [syncline.TimeoutInputStreamHandlerOptions.ext] {
          timeout_ns: 1000000000000
        }
      }
    }
  })";

class OomPass : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(OomPass);

class OomJoin : public OomPass {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(1).Set<int>();
    return OomPass::GetContract(cc);
  }
};
REGISTER_CALCULATOR(OomJoin);

struct Armed {
  Armed() { is_armed.store(true); }
  ~Armed() { is_armed.store(false); }
};

class OutOfMemoryTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    signal(SIGALRM, [](int) {
      char text[100];
      const int size = std::snprintf(text, sizeof(text),
                                     "hangs with allocation %ld\n", now_);
      [[maybe_unused]] const auto written = write(2, text, size);
      _exit(1);
    });
  }

  // All allocations but those from the `first` on, so many of them, succeed.
  // False if there are not so many.
  bool RunWith(const char* graph_text, int threads, long first, long count) {
    now_ = first;
    alarm(30);
    CalculatorGraphConfig config = TestConfig(graph_text);
    config.set_num_threads(threads);
    if (threads == 0) {
      config.clear_num_threads();
      config.add_executor()->set_type("ApplicationThreadExecutor");
    }
    std::vector<Packet> packets;
    for (int i = 0; i < kPackets; ++i) {
      packets.push_back(MakePacket<int>(i).At(Timestamp(i)));
    }
    std::atomic<int> seen{0};
    auto graph = std::make_unique<CalculatorGraph>();
    left.store(first);
    failing.store(count);
    has_failed.store(false);
    absl::Status status = Run(graph.get(), std::move(config), &packets, &seen);
    graph.reset();
    alarm(0);
    if (status.ok()) {
      EXPECT_EQ(seen, kPackets) << "allocation " << first;
    } else {
      EXPECT_TRUE(has_failed) << status;
      EXPECT_TRUE(TellsOfMemory(status))
          << "allocation " << first << ": " << status;
    }
    return has_failed;
  }

  // And not that a name is unknown, say.
  static bool TellsOfMemory(const absl::Status& status) {
    if (absl::StrContains(status.message(), "Unable to find")) return false;
    // Several errors in one status have no code in common.
    return status.code() == absl::StatusCode::kResourceExhausted ||
           absl::StrContains(status.message(), "Out of memory");
  }

  // The first status that is not OK.
  static absl::Status Run(CalculatorGraph* graph, CalculatorGraphConfig config,
                          std::vector<Packet>* packets,
                          std::atomic<int>* seen) {
    absl::Status status;
    status = graph->Initialize(std::move(config));
    if (!status.ok()) return status;
    status = graph->ObserveOutputStream("out", [seen](const Packet&) {
      ++*seen;
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    const Armed armed;
    status = graph->StartRun({});
    if (!status.ok()) return status;
    for (Packet& packet : *packets) {
      status.Update(graph->AddPacketToInputStream("in", std::move(packet)));
    }
    status.Update(graph->CloseAllInputStreams());
    status.Update(graph->WaitUntilDone());
    return status;
  }

  inline static long now_ = 0;
};

// Twice: what a process makes once, as the first graph does, is there then.
TEST_F(OutOfMemoryTest, AnyAllocationOfInitializeMayFail) {
  for (const long count : {1L, kAll}) {
    for (const bool is_first : {true, false}) {
      now_ = 0;
      alarm(60);
      bool goes_on = true;
      while (goes_on) {
        ++now_;
        CalculatorGraphConfig config = TestConfig(kGraph);
        if (!is_first) config.set_num_threads(2);
        auto graph = std::make_unique<CalculatorGraph>();
        absl::Status status;
        left.store(now_);
        failing.store(count);
        has_failed.store(false);
        {
          const Armed armed;
          status = graph->Initialize(std::move(config));
        }
        goes_on = has_failed;
        EXPECT_EQ(status.ok(), !goes_on) << "allocation " << now_;
        EXPECT_TRUE(status.ok() || TellsOfMemory(status))
            << "allocation " << now_ << ": " << status;
        graph.reset();
      }
      alarm(0);
      EXPECT_GT(now_, 100) << "allocations";
    }
  }
}

// As from the thread of a recorder whose run is over.
// Builds a graph without any of its text, whose parser would ask Protobuf for
// what compiling asks for; once without the `first` allocation, then with all.
void BuildTwice(long first) {
  CalculatorGraphConfig config;
  config.set_num_threads(2);
  config.add_input_stream("in");
  CalculatorGraphConfig::Node* const node = config.add_node();
  node->set_calculator("OomPass");
  node->add_input_stream("in");
  node->add_output_stream("out");
  node->mutable_options()
      ->MutableExtension(mediapipe::ForeignOptions::ext)
      ->set_text("x");
  left.store(first);
  failing.store(1);
  {
    CalculatorGraph graph;
    CalculatorGraphConfig copy = config;
    const Armed armed;
    graph.Initialize(std::move(copy)).IgnoreError();
  }
  CalculatorGraph graph;
  const absl::Status status = graph.Initialize(config);
  if (!status.ok()) std::fprintf(stderr, "%s", status.ToString().c_str());
  std::_Exit(status.ok() ? 0 : 1);
}

// Each in a process of its own, where nothing was built before.
TEST(OutOfMemoryDeathTest, AfterAGraphWithoutMemoryAnotherCanBeBuilt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (long first = 1; first < 700; first += 15) {
    EXPECT_EXIT(BuildTwice(first), ::testing::ExitedWithCode(0), "") << first;
  }
}

TEST_F(OutOfMemoryTest, AnErrorWithoutARunThrowsNothing) {
  const absl::Status error = absl::ResourceExhaustedError(
      "an error with a text that is longer than what a string has room for");
  CalculatorGraph graph;
  has_failed.store(true);
  for (long first = 1; has_failed; ++first) {
    left.store(first);
    failing.store(kAll);
    has_failed.store(false);
    const Armed armed;
    EXPECT_NO_THROW(graph.RecordError(error)) << first;
  }
}

TEST_F(OutOfMemoryTest, WhatIsAskedOfAGraphThrowsNothing) {
  const std::string name = "out";
  for (long first = 1; first < 30; ++first) {
    for (const bool is_poller : {true, false}) {
      CalculatorGraph graph;
      SYNCLINE_ASSERT_OK(graph.Initialize(TestConfig(kGraph)));
      std::function<absl::Status(const Packet&)> observer = [](const Packet&) {
        return absl::OkStatus();
      };
      left.store(first);
      failing.store(kAll);
      absl::Status status;
      {
        const Armed armed;
        EXPECT_NO_THROW(
            status = is_poller
                         ? graph.AddOutputStreamPoller(name).status()
                         : graph.ObserveOutputStream(name, std::move(observer)))
            << first;
      }
      EXPECT_TRUE(status.ok() || TellsOfMemory(status)) << status;
    }
  }
}

TEST_F(OutOfMemoryTest, WhatComesTooLateIsRefusedWithoutMemory) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(TestConfig(kGraph)));
  for (long first = 1; first < 10; ++first) {
    left.store(first);
    failing.store(kAll);
    const Armed armed;
    absl::Status status;
    EXPECT_NO_THROW(status = graph.SetErrorCallback(nullptr)) << first;
    EXPECT_FALSE(status.ok());
  }
}

TEST_F(OutOfMemoryTest, ARunningGraphAndItsPollerEndWithoutMemory) {
  for (long first = 1; first < 30; ++first) {
    alarm(30);
    now_ = first;
    auto graph = std::make_unique<CalculatorGraph>();
    SYNCLINE_ASSERT_OK(graph->Initialize(TestConfig(kGatedGraph)));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(OutputStreamPoller opened,
                                  graph->AddOutputStreamPoller("out"));
    auto poller = std::make_unique<OutputStreamPoller>(std::move(opened));
    SYNCLINE_ASSERT_OK(graph->StartRun({}));
    SYNCLINE_ASSERT_OK(graph->AddPacketToInputStream(
        "in", MakePacket<int>(1).At(Timestamp(1))));
    left.store(first);
    failing.store(kAll);
    const Armed armed;
    EXPECT_NO_THROW(graph->GetGraphRuntimeInfo().IgnoreError());
    poller.reset();
    graph.reset();
  }
  alarm(0);
}

TEST_F(OutOfMemoryTest, AnyAllocationMayFailOnTheThreadOfTheApplication) {
  for (const char* const graph : {kGraph, kGatedGraph}) {
    long first = 1;
    while (RunWith(graph, /*threads=*/0, first, /*count=*/1)) ++first;
    EXPECT_GT(first, 50) << "allocations";
  }
}

TEST_F(OutOfMemoryTest, AllAllocationsFromOneOnMayFail) {
  for (const char* const graph : {kGraph, kGatedGraph}) {
    for (long first = 1; RunWith(graph, /*threads=*/0, first, kAll); ++first) {
    }
  }
}

TEST_F(OutOfMemoryTest, AFewAllocationsMayFailOnThreadsOfTheGraph) {
  for (const char* const graph : {kGraph, kGatedGraph}) {
    for (const long count : {1L, 5L, 50L}) {
      for (long first = 1; RunWith(graph, /*threads=*/2, first, count);
           first += 3) {
      }
    }
  }
}

TEST_F(OutOfMemoryTest, AllAllocationsFromOneOnMayFailOnThreadsOfTheGraph) {
  for (const char* const graph : {kGraph, kGatedGraph}) {
    for (long first = 1; RunWith(graph, /*threads=*/2, first, kAll);
         first += 3) {
    }
  }
}

}  // namespace
}  // namespace syncline
