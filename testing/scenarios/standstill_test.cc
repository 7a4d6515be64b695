// A real flow limiter whose FINISHED never comes, or comes no more: the graph
// itself says which node has lost the packet, though the camera pauses. One in
// whose loop a delay line holds some, as it should, or which goes on after some
// time, waits for its camera, and that is no standstill.

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/condition/boolean_condition.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class StandstillScenarioTest : public WorkersTest {};
SYNCLINE_TEST_WITH_THREADS(StandstillScenarioTest);

// Takes packets, and sends none.
class StandstillDetector : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(StandstillDetector);

TEST_P(StandstillScenarioTest, AFlowLimiterWhoseFinishedNeverComes) {
  std::string told;
  absl::Notification is_told;
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "in"
        node {
          name: "limiter"
          calculator: "FlowLimiterCalculator"
          input_stream: "in"
          input_stream: "FINISHED:done"
          input_stream_info { tag_index: "FINISHED" back_edge: true }
          output_stream: "some"
        }
        node {
          name: "detector"
          calculator: "StandstillDetector"
          input_stream: "some"
          output_stream: "done"
        }
      )pb")));
  auto poller = graph.AddOutputStreamPoller("done");
  SYNCLINE_ASSERT_OK(poller.status());
  graph.ExplainStandstills(absl::Milliseconds(100),
                           [&](const std::string& text) {
                             if (is_told.HasBeenNotified()) return;
                             told = text;
                             is_told.Notify();
                           });
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  for (int i = 0; i < 3; ++i) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "in", MakePacket<int>(i).At(Timestamp(i))));
  }
  std::thread waits([&] {
    Packet packet;
    while (poller->Next(&packet)) {
    }
  });
  EXPECT_TRUE(is_told.WaitForNotificationWithTimeout(absl::Seconds(20)));
  graph.Cancel();
  waits.join();
  EXPECT_EQ(graph.WaitUntilDone().code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(told, StartsWith("\"limiter\" waits for stream \"done\", and "
                               "\"detector\", which sends it, has taken 1 "
                               "packet, and has sent none on \"done\".\n"));
}

// What a test and the nodes of its graph know of each other.
struct StandstillLoop {
  // The detector says that the packets which it loses have no result.
  bool sends_bounds = false;
  // Packets that the detector has taken.
  std::atomic<int> num_taken{0};
  // The camera may end.
  absl::Notification ends;
};

// Sends the first two packets back, and loses the others.
class StandstillLoser : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->InputSidePackets().Index(0).Set<StandstillLoop*>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    auto* const loop = cc->InputSidePackets().Index(0).Get<StandstillLoop*>();
    if (++loop->num_taken <= 2) {
      cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    } else if (loop->sends_bounds) {
      cc->Outputs().Index(0).SetNextTimestampBound(
          cc->InputTimestamp().NextAllowedInStream());
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(StandstillLoser);

// A camera that has frames until the detector has taken three of them, and one
// more. Then it waits for the next one, which does not come.
class StandstillCamera : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<int>();
    cc->InputSidePackets().Index(0).Set<StandstillLoop*>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    auto* const loop = cc->InputSidePackets().Index(0).Get<StandstillLoop*>();
    if (is_last_) {
      loop->ends.WaitForNotification();
      return tool::StatusStop();
    }
    is_last_ = loop->num_taken >= 3;
    absl::SleepFor(absl::Milliseconds(1));
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(0).At(next_));
    ++next_;
    return absl::OkStatus();
  }

 private:
  bool is_last_ = false;
  Timestamp next_{0};
};
REGISTER_CALCULATOR(StandstillCamera);

// A limiter of stream "camera" and, in its loop, a StandstillLoser.
std::string LosingLoop(absl::string_view limiter, absl::string_view options) {
  return absl::Substitute(R"(
    node { name: "limiter" calculator: "$0" input_stream: "camera"
           input_stream: "FINISHED:done" output_stream: "some" $1
           input_stream_info { tag_index: "FINISHED" back_edge: true } }
    node { name: "detector" calculator: "StandstillLoser" input_stream: "some"
           output_stream: "done" input_side_packet: "loop" })",
                          limiter, options);
}

// What a graph is told of that is fed with frames as by a camera.
class StandstillOfLimiter {
 public:
  StandstillOfLimiter(Workers workers, const std::string& config,
                      bool sends_bounds)
      : graph_(workers) {
    loop_.sends_bounds = sends_bounds;
    SYNCLINE_EXPECT_OK(
        graph_.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
            absl::StrCat("input_stream: \"camera\"", config))));
    CalculatorGraph::StandstillOptions options;
    options.after = kAfter;
    options.program_waits = true;
    options.feeders = {{"camera", "the camera"}};
    options.tell = [this](const std::string& text) {
      MutexLock lock(&mutex_);
      texts_.push_back(text);
    };
    graph_.ExplainStandstills(std::move(options));
    SYNCLINE_EXPECT_OK(
        graph_.StartRun({{"loop", MakePacket<StandstillLoop*>(&loop_)}}));
  }
  ~StandstillOfLimiter() {
    graph_.Cancel();
    graph_.WaitUntilDone().IgnoreError();
  }

  void AddFrame() {
    SYNCLINE_EXPECT_OK(graph_.AddPacketToInputStream(
        "camera", MakePacket<int>(next_).At(Timestamp(next_))));
    ++next_;
    SYNCLINE_EXPECT_OK(graph_.WaitUntilIdle());
  }
  // The first text, or nothing if none comes within `limit`.
  std::string WaitFor(absl::Duration limit) const {
    const absl::Time end = absl::Now() + limit;
    while (absl::Now() < end) {
      {
        MutexLock lock(&mutex_);
        if (!texts_.empty()) return texts_.front();
      }
      absl::SleepFor(kAfter / 20);
    }
    return "";
  }

  std::size_t NumTold() const {
    MutexLock lock(&mutex_);
    return texts_.size();
  }

  static constexpr absl::Duration kAfter = absl::Milliseconds(100);

 private:
  mutable Mutex mutex_;
  std::vector<std::string> texts_ ABSL_GUARDED_BY(mutex_);
  int next_ = 0;
  StandstillLoop loop_;
  WorkersGraph graph_;
};

constexpr char kLosesTheThird[] =
    "\"limiter\" waits for stream \"done\", and \"detector\", which sends it, "
    "has taken 3 packets, and has sent 2 on \"done\".\n";

// Two frames go round, the third is lost, and the limiter turns one away. Then
// the camera pauses.
TEST_P(StandstillScenarioTest, AFlowLimiterWhoseLoopLosesAPacketLater) {
  for (const absl::string_view options :
       {"", "max_in_queue: 1", "max_in_queue: 3"}) {
    StandstillOfLimiter graph(
        GetParam(),
        LosingLoop("FlowLimiterCalculator",
                   absl::StrCat("options { "
                                "[syncline.FlowLimiterCalculatorOptions.ext] {",
                                options, "} }")),
        /*sends_bounds=*/false);
    for (int i = 0; i < 4; ++i) graph.AddFrame();
    EXPECT_THAT(graph.WaitFor(absl::Seconds(20)), StartsWith(kLosesTheThird))
        << options;
  }
}

// The same, and the camera goes on: all its frames are turned away.
TEST_P(StandstillScenarioTest, AFlowLimiterBehindACameraThatGoesOn) {
  for (const absl::string_view limiter :
       {"FlowLimiterCalculator", "RealTimeFlowLimiterCalculator"}) {
    StandstillOfLimiter graph(GetParam(), LosingLoop(limiter, ""),
                              /*sends_bounds=*/false);
    std::string told;
    const absl::Time end = absl::Now() + absl::Seconds(20);
    while (told.empty() && absl::Now() < end) {
      graph.AddFrame();
      told = graph.WaitFor(absl::Milliseconds(10));
    }
    EXPECT_THAT(told, StartsWith(kLosesTheThird)) << limiter;
    for (int i = 0; i < 3; ++i) {
      graph.AddFrame();
      absl::SleepFor(StandstillOfLimiter::kAfter);
    }
    EXPECT_EQ(graph.NumTold(), 1) << "it is the same as before";
  }
}

// Takes two packets at a time, and sends the first.
class StandstillJoin : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Inputs().Index(1).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Packet& first = cc->Inputs().Index(0).Value();
    if (!first.IsEmpty()) cc->Outputs().Index(0).AddPacket(first);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(StandstillJoin);

// A frame waits in a join for what the detector has lost.
TEST_P(StandstillScenarioTest, ALoopWithAJoinBehindACameraThatGoesOn) {
  StandstillOfLimiter graph(GetParam(), R"(
    node { name: "limiter" calculator: "FlowLimiterCalculator"
           input_stream: "camera" input_stream: "FINISHED:done"
           output_stream: "some"
           input_stream_info { tag_index: "FINISHED" back_edge: true } }
    node { name: "detector" calculator: "StandstillLoser" input_stream: "some"
           output_stream: "face" input_side_packet: "loop" }
    node { name: "join" calculator: "StandstillJoin" input_stream: "some"
           input_stream: "face" output_stream: "done" })",
                            /*sends_bounds=*/false);
  std::string told;
  const absl::Time end = absl::Now() + absl::Seconds(20);
  while (told.empty() && absl::Now() < end) {
    graph.AddFrame();
    told = graph.WaitFor(absl::Milliseconds(10));
  }
  EXPECT_THAT(told, HasSubstr("\"detector\", which sends it, has taken 3 "
                              "packets, and has sent 2 on \"face\""));
}

// Is long in each call, and answers.
class StandstillSlow : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    absl::SleepFor(3 * StandstillOfLimiter::kAfter);
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(StandstillSlow);

// Sends the fourth packet of four, and no other.
class StandstillFourth : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->InputSidePackets().Index(0).Set<StandstillLoop*>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    auto* const loop = cc->InputSidePackets().Index(0).Get<StandstillLoop*>();
    if (++loop->num_taken % 4 == 0) {
      cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(StandstillFourth);

// Of four frames that were let in, one node of the loop has had all that came
// to it, and waits for the next one, which another node is busy with.
TEST_P(StandstillScenarioTest, ASlowLoopBehindACameraThatGoesOnIsNone) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        node {
          name: "source"
          calculator: "StandstillCamera"
          output_stream: "camera"
          input_side_packet: "loop"
        }
        node {
          name: "limiter"
          calculator: "FlowLimiterCalculator"
          input_stream: "camera"
          input_stream: "FINISHED:done"
          input_stream_info { tag_index: "FINISHED" back_edge: true }
          output_stream: "some"
          options {
            [syncline.FlowLimiterCalculatorOptions.ext] { max_in_flight: 4 }
          }
        }
        node {
          calculator: "StandstillSlow"
          input_stream: "some"
          output_stream: "slow"
        }
        node {
          name: "fourth"
          calculator: "StandstillFourth"
          input_stream: "slow"
          output_stream: "done"
          input_side_packet: "loop"
        }
      )pb")));
  StandstillLoop loop;
  // Once the camera has ended, the slow call is a standstill.
  std::atomic<int> num_told{0};
  graph.ExplainStandstills(StandstillOfLimiter::kAfter,
                           [&](const std::string& text) {
                             if (absl::StartsWith(text, "\"limiter\"")) {
                               ++num_told;
                             }
                           });
  loop.ends.Notify();
  SYNCLINE_ASSERT_OK(
      graph.StartRun({{"loop", MakePacket<StandstillLoop*>(&loop)}}));
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
  EXPECT_EQ(num_told, 0);
}

// In a loop, it collects a batch, which goes when its time comes.
class StandstillBatch : public CalculatorBase {
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
REGISTER_CALCULATOR(StandstillBatch);

TEST(StandstillLoopTest, ALoopThatWaitsForATimeIsNone) {
  WorkersGraph graph({.threads = 2});
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "camera"
        node {
          name: "limiter"
          calculator: "FlowLimiterCalculator"
          input_stream: "camera"
          input_stream: "FINISHED:done"
          input_stream_info { tag_index: "FINISHED" back_edge: true }
          output_stream: "some"
          options {
            [syncline.FlowLimiterCalculatorOptions.ext] { max_in_flight: 2 }
          }
        }
        node {
          name: "batch"
          calculator: "StandstillBatch"
          input_stream: "some"
          output_stream: "done"
          batch { max_size: 8 max_delay_ns: 600000000 }
        }
      )pb")));
  std::atomic<int> num_told{0};
  std::atomic<int> num_done{0};
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("done", [&](const Packet&) {
    ++num_done;
    return absl::OkStatus();
  }));
  CalculatorGraph::StandstillOptions options;
  options.after = StandstillOfLimiter::kAfter;
  options.program_waits = true;
  options.tell = [&](const std::string&) { ++num_told; };
  graph.ExplainStandstills(std::move(options));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  const absl::Time end = absl::Now() + absl::Seconds(20);
  for (int i = 0; num_done < 2 && absl::Now() < end; ++i) {
    SYNCLINE_EXPECT_OK(graph.AddPacketToInputStream(
        "camera", MakePacket<int>(i).At(Timestamp(i))));
    absl::SleepFor(absl::Milliseconds(5));
  }
  EXPECT_GE(num_done, 2);
  EXPECT_EQ(num_told, 0);
  graph.Cancel();
  EXPECT_EQ(graph.WaitUntilDone().code(), absl::StatusCode::kCancelled);
}

// A node of the loop is switched off three times, behind a camera that goes on:
// the third time for good, so that it lasts longer than before.
TEST(StandstillLoopTest, ALoopThatStandsForGoodIsToldThoughItWasToldBefore) {
  WorkersGraph graph({.threads = 2});
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "camera"
        node {
          name: "limiter"
          calculator: "FlowLimiterCalculator"
          input_stream: "camera"
          input_stream: "FINISHED:done"
          input_stream_info { tag_index: "FINISHED" back_edge: true }
          output_stream: "some"
        }
        node {
          name: "work"
          calculator: "StandstillBatch"
          input_stream: "some"
          output_stream: "done"
          condition {
            name: "on"
            type: "BooleanCondition"
            options {
              [syncline.BooleanConditionOptions.ext] { on_false: PAUSE }
            }
          }
        }
      )pb")));
  std::atomic<int> num_told{0};
  CalculatorGraph::StandstillOptions options;
  options.after = StandstillOfLimiter::kAfter;
  options.program_waits = true;
  options.tell = [&](const std::string& text) {
    if (absl::StrContains(text, "is held by condition \"on\"")) ++num_told;
  };
  graph.ExplainStandstills(std::move(options));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  const absl::StatusOr<std::shared_ptr<BooleanCondition>> on =
      graph.GetCondition<BooleanCondition>("work/on");
  SYNCLINE_ASSERT_OK(on.status());
  int frame = 0;
  const auto feed_until = [&](const std::function<bool()>& is_over) {
    const absl::Time end = absl::Now() + absl::Seconds(20);
    while (!is_over() && absl::Now() < end) {
      SYNCLINE_EXPECT_OK(graph.AddPacketToInputStream(
          "camera", MakePacket<int>(frame).At(Timestamp(frame))));
      ++frame;
      absl::SleepFor(absl::Milliseconds(5));
    }
  };
  const auto feed_for = [&](absl::Duration time) {
    feed_until([end = absl::Now() + time] { return absl::Now() >= end; });
  };
  for (int told = 1; told <= 2; ++told) {
    (*on)->disable_tick();
    feed_until([&] { return num_told == told; });
    EXPECT_EQ(num_told, told);
    (*on)->enable_tick();
    feed_for(StandstillOfLimiter::kAfter / 4);
  }
  (*on)->disable_tick();
  feed_until([&] { return num_told == 3; });
  EXPECT_EQ(num_told, 3);
  graph.Cancel();
  graph.WaitUntilDone().IgnoreError();
}

// The limiter that counts packets does not go on for a bound.
TEST_P(StandstillScenarioTest, ALimiterThatCountsPacketsWhoseLoopSendsABound) {
  StandstillOfLimiter graph(GetParam(),
                            LosingLoop("RealTimeFlowLimiterCalculator", ""),
                            /*sends_bounds=*/true);
  for (int i = 0; i < 4; ++i) graph.AddFrame();
  EXPECT_THAT(graph.WaitFor(absl::Seconds(20)), StartsWith(kLosesTheThird));
}

TEST_P(StandstillScenarioTest, ALimiterThatTurnsNoFrameAwayWaitsForItsCamera) {
  for (const auto& [limiter, options, frames] :
       std::vector<std::tuple<std::string, std::string, int>>{
           // The third frame is lost, and no other has come.
           {"FlowLimiterCalculator", "", 3},
           {"RealTimeFlowLimiterCalculator", "", 3},
           // A later frame goes in, whatever has become of the third.
           {"FlowLimiterCalculator",
            "options { [syncline.FlowLimiterCalculatorOptions.ext] { "
            "in_flight_timeout: 1 } }",
            4},
           // Two more have room.
           {"FlowLimiterCalculator",
            "options { [syncline.FlowLimiterCalculatorOptions.ext] { "
            "max_in_flight: 4 } }",
            4}}) {
    StandstillOfLimiter graph(GetParam(), LosingLoop(limiter, options),
                              /*sends_bounds=*/false);
    for (int i = 0; i < frames; ++i) graph.AddFrame();
    EXPECT_EQ(graph.WaitFor(3 * StandstillOfLimiter::kAfter), "")
        << limiter << " " << options;
  }
}

// The camera is a node, and its call does not return.
TEST_P(StandstillScenarioTest, AFlowLimiterBehindACameraThatPauses) {
  std::string told;
  absl::Notification is_told;
  StandstillLoop loop;
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
          absl::StrCat(R"(node { name: "source"
                                 calculator: "StandstillCamera"
                                 output_stream: "camera"
                                 input_side_packet: "loop" })",
                       LosingLoop("FlowLimiterCalculator", "")))));
  graph.ExplainStandstills(StandstillOfLimiter::kAfter,
                           [&](const std::string& text) {
                             if (is_told.HasBeenNotified()) return;
                             told = text;
                             is_told.Notify();
                           });
  SYNCLINE_ASSERT_OK(
      graph.StartRun({{"loop", MakePacket<StandstillLoop*>(&loop)}}));
  std::thread waits([&] { SYNCLINE_EXPECT_OK(graph.WaitUntilDone()); });
  EXPECT_TRUE(is_told.WaitForNotificationWithTimeout(absl::Seconds(20)));
  loop.ends.Notify();
  waits.join();
  EXPECT_THAT(told, StartsWith(kLosesTheThird));
}

// A delay line of two packets, which sends nothing before GO.
class StandstillDelay : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Inputs().Tag("GO").Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    if (!packet.IsEmpty()) held_.push_back(packet);
    goes_ |= !cc->Inputs().Tag("GO").IsEmpty();
    for (; goes_ && held_.size() > 2; held_.pop_front()) {
      cc->Outputs().Index(0).AddPacket(held_.front());
    }
    return absl::OkStatus();
  }

 private:
  std::deque<Packet> held_;
  bool goes_ = false;
};
REGISTER_CALCULATOR(StandstillDelay);

TEST_P(StandstillScenarioTest, ADelayLineBehindAFlowLimiterIsNoStandstill) {
  constexpr absl::Duration kAfter = absl::Milliseconds(100);
  Mutex mutex;
  std::vector<std::string> texts;
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "camera"
        input_stream: "go"
        node {
          name: "limiter"
          calculator: "FlowLimiterCalculator"
          input_stream: "camera"
          input_stream: "FINISHED:out"
          input_stream_info { tag_index: "FINISHED" back_edge: true }
          output_stream: "frames"
          options {
            [syncline.FlowLimiterCalculatorOptions.ext] { max_in_flight: 4 }
          }
        }
        node {
          name: "delay"
          calculator: "StandstillDelay"
          input_stream: "frames"
          input_stream: "GO:go"
          output_stream: "out"
        }
      )pb")));
  std::atomic<int> seen{0};
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("out", [&](const Packet&) {
    ++seen;
    return absl::OkStatus();
  }));
  CalculatorGraph::StandstillOptions options;
  options.after = kAfter;
  options.program_waits = true;
  options.feeders = {{"camera", "the camera"}, {"go", "the button"}};
  options.tell = [&](const std::string& text) {
    MutexLock lock(&mutex);
    texts.push_back(text);
  };
  graph.ExplainStandstills(std::move(options));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  int next = 0;
  const auto add_frame = [&] {
    SYNCLINE_EXPECT_OK(graph.AddPacketToInputStream(
        "camera", MakePacket<int>(next).At(Timestamp(next))));
    ++next;
    SYNCLINE_EXPECT_OK(graph.WaitUntilIdle());
  };
  // Four go in, and two are dropped. Then two come out.
  for (int i = 0; i < 6; ++i) add_frame();
  SYNCLINE_EXPECT_OK(
      graph.AddPacketToInputStream("go", MakePacket<int>(1).At(Timestamp(0))));
  SYNCLINE_EXPECT_OK(graph.WaitUntilIdle());
  EXPECT_EQ(seen, 2);
  for (int i = 0; i < 3; ++i) {
    absl::SleepFor(4 * kAfter);
    add_frame();
    EXPECT_EQ(seen, 3 + i) << "each frame goes through at once";
  }
  {
    MutexLock lock(&mutex);
    EXPECT_THAT(texts, IsEmpty());
  }
  EXPECT_THAT(graph.Explain(),
              StartsWith("the run waits for the end of graph input "
                         "\"camera\", and the camera, which sends it, has "
                         "nothing more so far"));
  graph.Cancel();
  EXPECT_EQ(graph.WaitUntilDone().code(), absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace syncline
