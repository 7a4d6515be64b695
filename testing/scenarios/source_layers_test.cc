// Layers of sources: one after the other, each when all that the one below has
// sent is processed, whatever happens meanwhile and however many threads there
// are.
#include <atomic>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/scenarios/call_order.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

class SourceLayersTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(SourceLayersTest);

TEST_P(SourceLayersTest, ALayerWaitsUntilAllOfTheOneBelowIsProcessed) {
  // Numbers need not follow each other, nor the nodes the numbers.
  static constexpr int kLayers[] = {7, 0, 2, 0, 7};
  static constexpr int kPackets = 20;
  std::string text;
  for (int i = 0; i < 5; ++i) {
    text += LambdaNode(absl::StrCat("source", i),
                       absl::Substitute("source_layer: $0 output_stream: 's$1'",
                                        kLayers[i], i)) +
            LambdaNode(absl::StrCat("end", i),
                       absl::Substitute("input_stream: 's$0'", i));
  }
  GraphHarness graph(text, GetParam());
  std::atomic<int> processed[5] = {};
  int sent[5] = {};
  for (int i = 0; i < 5; ++i) {
    graph.SetFunction(absl::StrCat("source", i), [&, i](CalculatorContext* cc) {
      for (int other = 0; other < 5; ++other) {
        if (kLayers[other] < kLayers[i]) {
          EXPECT_EQ(processed[other], kPackets) << other << " before " << i;
        } else if (kLayers[other] > kLayers[i]) {
          EXPECT_EQ(processed[other], 0) << i << " before " << other;
        }
      }
      if (sent[i] == kPackets) return tool::StatusStop();
      cc->Outputs().Index(0).AddPacket(
          MakeCounted<int>(1).At(Timestamp(sent[i]++)));
      return absl::OkStatus();
    });
    graph.SetFunction(absl::StrCat("end", i), [&, i](auto*) {
      ++processed[i];
      return absl::OkStatus();
    });
  }
  SYNCLINE_EXPECT_OK(graph.Run());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(processed[i], kPackets) << i;
}

TEST_P(SourceLayersTest, AFullQueueOfALowerLayerDoesNotStartTheNext) {
  // The join needs the second layer; so the first must be let through.
  GraphHarness graph(
      "max_queue_size: 2 " + LambdaNode("low", "output_stream: 'a'") +
          LambdaNode("high", "source_layer: 1 output_stream: 'b'") +
          "node { calculator: 'SumCalculator' input_stream: 'a'"
          "       input_stream: 'b' output_stream: 'sum' }",
      GetParam());
  std::atomic<bool> low_has_ended{false};
  const auto source = [](CalculatorContext* cc, int* sent) {
    if (*sent == 50) return tool::StatusStop();
    cc->Outputs().Index(0).AddPacket(
        MakeCounted<int>(*sent).At(Timestamp(*sent)));
    ++*sent;
    return absl::OkStatus();
  };
  int low_sent = 0;
  int high_sent = 0;
  graph.SetFunction("low", [&](CalculatorContext* cc) {
    low_has_ended = low_sent == 50;
    return source(cc, &low_sent);
  });
  graph.SetFunction("high", [&](CalculatorContext* cc) {
    EXPECT_TRUE(low_has_ended);
    return source(cc, &high_sent);
  });
  SYNCLINE_ASSERT_OK(graph.Run());
  LiteralStream<int> sums;
  for (int i = 0; i < 50; ++i) sums.push_back({i, 2 * i});
  graph.Expect("sum", sums);
}

TEST_P(SourceLayersTest, ASourceNeverRunsTwiceAtATime) {
  std::string text =
      "max_queue_size: 1 " + LambdaNode("source", "output_stream: 'a'");
  for (const char* const name : {"x", "y", "z"}) {
    text += LambdaNode(name, "input_stream: 'a'");
  }
  GraphHarness graph(text, GetParam());
  std::atomic<int> inside{0};
  int sent = 0;
  graph.SetFunction("source", [&](CalculatorContext* cc) {
    EXPECT_EQ(++inside, 1);
    // A second call would come now.
    for (int i = 0; i < 20; ++i) std::this_thread::yield();
    if (sent < 300) {
      cc->Outputs().Index(0).AddPacket(MakeCounted<int>(1).At(Timestamp(sent)));
    }
    --inside;
    return ++sent > 300 ? tool::StatusStop() : absl::OkStatus();
  });
  std::atomic<int> handled{0};
  for (const char* const name : {"x", "y", "z"}) {
    graph.SetFunction(name, [&](auto*) {
      ++handled;
      return absl::OkStatus();
    });
  }
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(handled, 3 * 300);
  EXPECT_EQ(sent, 301);
}

}  // namespace
}  // namespace syncline
