// Which of several ready calls runs first: Open before all else and in the
// order of the nodes, then what is nearest to the outputs, and sources last.
// Said of one thread, of the application or of a pool: with several, calls run
// side by side.
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/lifetimes.h"
#include "testing/scenarios/call_order.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

// A source of packets at these times. With PLANS it says when its next packet
// is; otherwise its order is how far its output has got.
class TimesSourceCalculator : public CountedCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Tag("TIMES").Set<std::vector<int>>();
    cc->InputSidePackets().Tag("PROCESS").Set<LambdaFunction>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    times_ = cc->InputSidePackets().Tag("TIMES").Get<std::vector<int>>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (next_ == times_.size()) return tool::StatusStop();
    const int time = times_[next_++];
    cc->Outputs().Index(0).AddPacket(
        MakeCounted<int>(time).At(Timestamp(time)));
    return cc->InputSidePackets().Tag("PROCESS").Get<LambdaFunction>()(cc);
  }

 protected:
  std::vector<int> times_;
  size_t next_ = 0;
};
REGISTER_CALCULATOR(TimesSourceCalculator);

class PlannedSourceCalculator : public TimesSourceCalculator {
 public:
  Timestamp SourceProcessOrder(const CalculatorContext*) const override {
    return next_ == times_.size() ? Timestamp::Max() : Timestamp(times_[next_]);
  }
};
REGISTER_CALCULATOR(PlannedSourceCalculator);

class OneThreadOrderTest : public WorkersTest {
 protected:
  // Adds a packet to each stream while nothing runs, and runs it all.
  void RunTogether(GraphHarness* graph, const std::vector<std::string>& streams,
                   int packets = 1) {
    SYNCLINE_ASSERT_OK(graph->Start());
    graph->Idle();
    graph->graph().Pause();
    for (int time = 0; time < packets; ++time) {
      for (const std::string& stream : streams)
        graph->Feed(stream, {{time, 1}});
    }
    EXPECT_EQ(order_.Take(), "") << "it is paused";
    graph->graph().Resume();
    graph->Idle();
    SYNCLINE_EXPECT_OK(graph->Finish());
  }

  CallOrder order_;
};
SYNCLINE_TEST_WITH_ONE_THREAD(OneThreadOrderTest);

TEST_P(OneThreadOrderTest, TheLaterOfSeveralReadyNodesGoesFirst) {
  std::string text;
  for (const char* const name : {"a", "b", "c", "d"}) {
    text += absl::Substitute("input_stream: 'to_$0' ", name) +
            LambdaNode(name, absl::Substitute("input_stream: 'to_$0'", name));
  }
  GraphHarness graph(text, GetParam());
  for (const char* const name : {"a", "b", "c", "d"}) {
    graph.SetFunction(name, order_.Of(name));
  }
  for (int run = 0; run < 3; ++run) {
    RunTogether(&graph, {"to_b", "to_d", "to_a", "to_c"});
    EXPECT_EQ(order_.Take(), "d c b a");
  }
}

TEST_P(OneThreadOrderTest, APacketLeavesTheGraphBeforeTheNextComesIn) {
  // However the config lists the nodes.
  const std::string a =
      LambdaNode("a", "input_stream: 'in' output_stream: 'x'");
  const std::string b = LambdaNode("b", "input_stream: 'x' output_stream: 'y'");
  const std::string c = LambdaNode("c", "input_stream: 'y' output_stream: 'z'");
  for (const std::string& nodes :
       {absl::StrCat(a, b, c), absl::StrCat(c, b, a), absl::StrCat(b, c, a)}) {
    GraphHarness graph("input_stream: 'in' " + nodes, GetParam());
    for (const char* const name : {"a", "b", "c"}) {
      graph.SetFunction(name, order_.Of(name));
    }
    RunTogether(&graph, {"in"}, 3);
    EXPECT_EQ(order_.Take(), "a b c a b c a b c") << nodes;
  }
}

TEST_P(OneThreadOrderTest, AThreadGoesOnWithItsOwnConsumerOnlyIfItIsNext) {
  // While "a" runs, "waits" becomes ready. "b", which "a" feeds, is before or
  // behind it.
  const std::string a =
      LambdaNode("a", "input_stream: 'in' output_stream: 'x'");
  const std::string b = LambdaNode("b", "input_stream: 'x'");
  const std::string waits = LambdaNode("waits", "input_stream: 'other'");
  const auto run = [&](const std::string& nodes) {
    GraphHarness graph("input_stream: 'in' input_stream: 'other' " + nodes,
                       GetParam());
    graph.SetFunction("a", [&](CalculatorContext* cc) {
      SYNCLINE_EXPECT_OK(graph.Add("other", cc->InputTimestamp(), 1));
      return order_.Of("a")(cc);
    });
    graph.SetFunction("b", order_.Of("b"));
    graph.SetFunction("waits", order_.Of("waits"));
    RunTogether(&graph, {"in"}, 2);
    return order_.Take();
  };
  EXPECT_EQ(run(a + b + waits), "a waits b a waits b");
  EXPECT_EQ(run(a + waits + b), "a b waits a b waits");
  EXPECT_EQ(run(waits + a + b), "a b a b waits waits");
}

TEST_P(OneThreadOrderTest, NodesOpenInTheirOrderBeforeAnythingIsProcessed) {
  GraphHarness graph(
      "input_stream: 'in' " +
          LambdaNode("sets",
                     "input_stream: 'in' output_stream: 'x'"
                     " output_side_packet: 'side'") +
          LambdaNode("a",
                     "input_side_packet: 'side'"
                     " input_side_packet: 'OPEN:open_a' input_stream: 'x'") +
          LambdaNode("b",
                     "input_side_packet: 'side'"
                     " input_side_packet: 'OPEN:open_b' input_stream: 'x'") +
          LambdaNode("open", "input_stream: 'x'"),
      GetParam());
  // One call makes "open" ready, and lets the two before it open.
  graph.SetFunction("sets", [&](CalculatorContext* cc) {
    cc->OutputSidePackets().Index(0).Set(MakePacket<int>(1));
    return order_.Of("sets")(cc);
  });
  for (const char* const name : {"a", "b", "open"}) {
    graph.SetFunction(name, order_.Of(name));
  }
  for (const char* const name : {"a", "b"}) {
    graph.SetFunction(absl::StrCat("open_", name), [&, name](auto*) {
      order_.Note(absl::StrCat("open_", name));
      return absl::OkStatus();
    });
  }
  RunTogether(&graph, {"in"});
  EXPECT_EQ(order_.Take(), "sets open_a open_b open b a");
}

// --- Sources

TEST_P(OneThreadOrderTest, ASourceComesAfterEverythingElse) {
  // The source comes last in the config too; "fed" becomes ready by its call.
  GraphHarness graph(
      "input_stream: 'in' " + LambdaNode("fed", "input_stream: 'in'") +
          LambdaNode("source", "output_stream: 'a'") +
          LambdaNode("middle", "input_stream: 'a' output_stream: 'b'") +
          LambdaNode("end", "input_stream: 'b'"),
      GetParam());
  int sent = 0;
  graph.SetFunction("source", [&](CalculatorContext* cc) {
    if (sent == 3) {
      graph.Close("in");
      return tool::StatusStop();
    }
    order_.Note("source");
    SYNCLINE_EXPECT_OK(graph.Add("in", sent, 1));
    cc->Outputs().Index(0).AddPacket(MakeCounted<int>(1).At(Timestamp(sent)));
    ++sent;
    return absl::OkStatus();
  });
  for (const char* const name : {"fed", "middle", "end"}) {
    graph.SetFunction(name, order_.Of(name));
  }
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Idle();
  SYNCLINE_EXPECT_OK(graph.Finish());
  EXPECT_EQ(
      order_.Take(),
      "source middle end fed source middle end fed source middle end fed");
}

TEST_P(OneThreadOrderTest, SourcesOfALayerTakeTurnsByHowFarTheyAre) {
  const auto run = [&](const std::string& calculator) {
    std::string text;
    for (const char* const name : {"a", "b"}) {
      text += absl::Substitute(
          "node { calculator: '$0' input_side_packet: 'PROCESS:$1'"
          "       input_side_packet: 'TIMES:times_$1' output_stream: 's$1' }",
          calculator, name);
    }
    GraphHarness graph(text, GetParam());
    graph.SetSidePacket(
        "times_a", MakePacket<std::vector<int>>(std::vector<int>{1, 2, 6, 7}));
    graph.SetSidePacket(
        "times_b", MakePacket<std::vector<int>>(std::vector<int>{3, 4, 5, 8}));
    for (const char* const name : {"a", "b"}) {
      graph.SetFunction(name, [&, name](auto*) {
        order_.Note(name);
        return absl::OkStatus();
      });
    }
    SYNCLINE_EXPECT_OK(graph.Run());
    return order_.Take();
  };
  // Whoever's last packet is the earlier one.
  EXPECT_EQ(run("TimesSourceCalculator"), "a b a a b b b a");
  // Whoever has the earlier packet to send.
  EXPECT_EQ(run("PlannedSourceCalculator"), "a a b b b a a b");
}

}  // namespace
}  // namespace syncline
