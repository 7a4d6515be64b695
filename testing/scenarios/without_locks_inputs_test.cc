// No code of a user runs, and no packet is released, while its thread holds a
// lock of the engine: what goes in and comes out. Graph inputs with each rule
// for timestamps, side packets, headers, pollers with limits, observers,
// recordings, queues that count bytes, and one run after the other.

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/calculator_framework.h"
#include "framework/output_stream_poller.h"
#include "framework/port/status_matchers.h"
#include "framework/recording.h"
#include "framework/type_map.h"
#include "gtest/gtest.h"
#include "testing/scenarios/looking.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

class WithoutLocksInputsTest : public LooksTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(WithoutLocksInputsTest);

std::string Where(const std::string& what, End end) {
  return absl::StrCat(what, ", end ", static_cast<int>(end));
}

TEST_P(WithoutLocksInputsTest, InputsWithEachRuleForTimestampsThatGoBack) {
  for (const char* rule : {"ERROR", "REJECT", "DROP", "CLAMP",
                           "REORDER reorder_window: 10 max_held_packets: 2",
                           "REORDER reorder_window: 100"}) {
    for (const char* bytes : {"", "max_queue_bytes: 300 "}) {
      for (const End end : kEnds) {
        {
          WorkersGraph graph(GetParam());
          SYNCLINE_ASSERT_OK(graph.Initialize(LookingConfig(absl::StrCat(
              bytes,
              "input_stream: \"c\" graph_input_info { stream: \"c\" "
              "bad_timestamps: ",
              rule,
              " } node { name: \"ends\" calculator: "
              "\"TokenPass\" input_stream: \"c\" input_stream: \"a\" "
              "output_stream: \"out\" }"))));
          RunToEnd(&graph, end, {}, [&](int i) {
            for (const int time : {5 * i, 5 * i - 7, 5 * i - 7, 5 * i + 1}) {
              graph.AddPacketToInputStream("c", TokenAt(time)).IgnoreError();
            }
            // Of another type, and without a time.
            graph.AddPacketToInputStream("c", MakePacket<Token>())
                .IgnoreError();
            if (i % 5 == 4) {
              graph.SetInputStreamTimestampBound("c", Timestamp(5 * i))
                  .IgnoreError();
            }
          }).IgnoreError();
        }
        ExpectNobodyWasCaught(Where(absl::StrCat(rule, " ", bytes), end), 40);
      }
    }
  }
}

// One that is full, and one whose packets go by themselves, in three runs; the
// values of a run may live until the next.
TEST_P(WithoutLocksInputsTest, SidePacketsAndHeadersInSeveralRuns) {
  for (const End end : kEnds) {
    WorkersGraph graph(GetParam());
    SYNCLINE_ASSERT_OK(graph.Initialize(LookingConfig(R"(
      node { calculator: "TokenPass" input_side_packet: "given"
             output_side_packet: "made" }
      node { calculator: "TokenPass" input_side_packet: "made"
             output_side_packet: "made2" }
      node { name: "ends" calculator: "TokenPass" input_stream: "a"
             input_stream: "b" input_side_packet: "made2"
             output_stream: "out" output_side_packet: "late" })")));
    for (int run = 0; run < 3; ++run) {
      if (end == End::kDestroy && run == 2) break;
      RunToEnd(&graph, end == End::kDestroy && run == 0 ? End::kClose : end,
               {{"given", MakePacket<Token>()}},
               [&](int) {
                 for (const char* name : {"given", "made", "made2", "late"}) {
                   graph.GetOutputSidePacket(name).status().IgnoreError();
                 }
               })
          .IgnoreError();
    }
    ExpectNobodyWasCaught(Where("side packets", end));
  }
}

TEST_P(WithoutLocksInputsTest, PollersWithLimitsAndWithout) {
  for (const End end : kEnds) {
    for (int kind = 0; kind < 5; ++kind) {
      {
        WorkersGraph graph(GetParam());
        SYNCLINE_ASSERT_OK(graph.Initialize(LookingConfig(R"(
          node { name: "ends" calculator: "TokenPass" input_stream: "a"
                 output_stream: "out" }
          node { calculator: "TokenPass" input_stream: "b"
                 output_stream: "out2" })")));
        graph.SetGraphInputStreamAddMode(
            CalculatorGraph::GraphInputStreamAddMode::ADD_IF_NOT_FULL);
        auto made = graph.AddOutputStreamPoller("out", kind % 2 == 1);
        SYNCLINE_ASSERT_OK(made);
        auto poller = std::make_unique<OutputStreamPoller>(*std::move(made));
        absl::StatusOr<OutputStreamPoller> other =
            graph.AddOutputStreamPoller("out2");
        SYNCLINE_ASSERT_OK(other);
        if (kind == 1) poller->SetMaxQueueSize(2);
        if (kind == 2) poller->SetMaxQueueBytes(250);
        for (int run = 0; run < 2; ++run) {
          if (end == End::kDestroy && run == 1) break;
          RunToEnd(&graph, end, {}, [&](int i) {
            Packet packet;
            if (poller == nullptr) return;
            if (i % 3 == 1) poller->NextWithin(absl::ZeroDuration(), &packet);
            if (kind == 2 && i == 5) poller->SetMaxQueueSize(1);
            if (kind == 3 && i == 6) poller->SetMaxQueueBytes(1000);
            if (kind == 3 && i % 5 == 4) poller->Reset();
            if (kind == 4 && i == 7) poller.reset();
            // What stays would keep the run from its end.
            if (i == 11 && poller != nullptr) {
              poller->SetMaxQueueSize(-1);
              poller->SetMaxQueueBytes(-1);
            }
          }).IgnoreError();
        }
      }
      ExpectNobodyWasCaught(Where(absl::StrCat("poller ", kind), end), 40);
    }
  }
}

TEST_P(WithoutLocksInputsTest, ObserversOfPacketsBoundsAndTimes) {
  for (const bool fails : {false, true}) {
    for (const End end : kEnds) {
      {
        // Outlive the graph, which may be destroyed while an observer runs.
        Packet kept;
        int seen = 0;
        WorkersGraph graph(GetParam());
        SYNCLINE_ASSERT_OK(graph.SetErrorCallback(
            [](const absl::Status&) { Look("the error callback"); }));
        SYNCLINE_ASSERT_OK(graph.Initialize(LookingConfig(R"(
          node { name: "ends" calculator: "TokenPass" input_stream: "a"
                 output_stream: "out" }
          node { calculator: "TokenPass" input_stream: "out" input_stream: "b"
                 output_stream: "out2"
                 input_stream_info { tag_index: ":0" message_times: true } })")));
        const auto observe = [&](const Packet& packet) {
          Look("an observer");
          kept = packet;
          return fails && ++seen == 5 ? absl::DataLossError("enough")
                                      : absl::OkStatus();
        };
        SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("out", observe, true));
        SYNCLINE_ASSERT_OK(graph.ObserveWholeStream(
            "out",
            [](const Packet&) {
              Look("an observer of a whole stream");
              return absl::OkStatus();
            },
            [](const Packet&, const PacketTimes&) {
              Look("an observer of times");
              return absl::OkStatus();
            }));
        SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("out2", [](const Packet&) {
          Look("another observer");
          return absl::OkStatus();
        }));
        RunToEnd(&graph, end).IgnoreError();
        if (end != End::kDestroy) RunToEnd(&graph, end).IgnoreError();
      }
      ExpectNobodyWasCaught(
          Where(fails ? "observers that fail" : "observers", end));
    }
  }
}

// --- Recordings

absl::Status TokenToBytes(const Packet& packet, std::string* bytes) {
  Look("a function that turns a packet into bytes");
  *bytes = "token";
  return absl::OkStatus();
}
absl::Status TokenFromBytes(const std::string& bytes, Packet* packet) {
  Look("a function that makes a packet of bytes");
  *packet = MakePacket<Token>();
  return absl::OkStatus();
}
SYNCLINE_REGISTER_TYPE(Token, "::syncline::Token", TokenToBytes,
                       TokenFromBytes);

TEST_P(WithoutLocksInputsTest, RecordingsThatWaitOrDrop) {
  const std::string path = absl::StrCat(std::getenv("TEST_TMPDIR"), "/",
                                        GetParam().Name(), ".syncline");
  for (const auto when_full :
       {RecordingQueue::WhenFull::kBlock, RecordingQueue::WhenFull::kDrop}) {
    for (const End end : kEnds) {
      std::remove(path.c_str());
      {
        WorkersGraph graph(GetParam());
        SYNCLINE_ASSERT_OK(graph.Initialize(LookingConfig(R"(
          input_side_packet: "side"
          node { name: "ends" calculator: "TokenPass" input_stream: "a"
                 input_stream: "b" output_stream: "out" })")));
        auto recorder =
            GraphRecorder::Create(&graph, path,
                                  {.streams = {"*"},
                                   .when_full = when_full,
                                   .max_waiting_bytes = 500,
                                   .commit_every = absl::Milliseconds(1)});
        SYNCLINE_ASSERT_OK(recorder);
        const std::map<std::string, Packet> side_packets = {
            {"side", MakePacket<Token>()}};
        SYNCLINE_ASSERT_OK((*recorder)->Start(side_packets));
        const absl::Status status = RunToEnd(&graph, end, side_packets);
        if (end != End::kDestroy) (*recorder)->Finish(status).IgnoreError();
      }
      ExpectNobodyWasCaught(Where("a recording", end));
    }
  }
}

}  // namespace
}  // namespace syncline
