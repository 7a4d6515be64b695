// The size of a payload comes from a function of the user's. It is called
// without any lock, so it may ask the graph anything.

#include <cstddef>

#include "absl/status/status.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/payload_size.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

struct Curious {
  const CalculatorGraph* graph = nullptr;
  int* times_asked = nullptr;
};

}  // namespace

template <>
struct PayloadSize<Curious> {
  static std::size_t Bytes(const Curious& value) {
    ++*value.times_asked;
    // Looks at every node, with each node's lock.
    (void)value.graph->Explain();
    return 100;
  }
};

namespace {

struct Mistaken {
  double value = 0;
};

}  // namespace

template <>
struct PayloadSize<Mistaken> {
  static std::size_t Bytes(const Mistaken&) {
    return MakePacket<double>(1).Get<std::size_t>();  // of the wrong type
  }
};

namespace {

// Drops everything.
class CuriousSink : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.Set<Curious>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(CuriousSink);

class MistakenSink : public CuriousSink {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.Set<Mistaken>();
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(MistakenSink);

class PayloadSizeCallsTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(PayloadSizeCallsTest);

TEST_P(PayloadSizeCallsTest, ASizeMayAskTheGraph) {
  TestGraph graph(GetParam(), R"(
      max_queue_size: -1 max_queue_bytes: 1000
      input_stream: "a" input_stream: "b"
      node { calculator: "CuriousSink" input_stream: "a" input_stream: "b" })");
  graph.Start();
  int times_asked = 0;
  const Packet packet =
      MakePacket<Curious>(Curious{&graph.graph(), &times_asked});
  for (int i = 0; i < 5; ++i) {
    SYNCLINE_EXPECT_OK(
        graph.graph().AddPacketToInputStream("a", packet.At(Timestamp(i))));
  }
  EXPECT_EQ(times_asked, 5) << "once for each packet that waits";
  graph.Finish();
}

// Outside of a call of the graph's, such a mistake would end the process.
TEST_P(PayloadSizeCallsTest, ASizeThatIsMistakenCountsAsThatOfTheType) {
  TestGraph graph(GetParam(), R"(
      max_queue_bytes: 1000
      input_stream: "a" input_stream: "b"
      node { calculator: "MistakenSink"
             input_stream: "a" input_stream: "b" })");
  graph.Start();
  SYNCLINE_EXPECT_OK(graph.graph().AddPacketToInputStream(
      "a", MakePacket<Mistaken>().At(Timestamp(1))));
  graph.Finish();
}

}  // namespace
}  // namespace syncline
