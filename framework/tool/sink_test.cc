// Sinks deliver what a stream or side packet carries, with any number of
// threads, also from a config that was copied or written out. A forged address
// is an error.
#include "framework/tool/sink.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/config/callback_packet_calculator.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/tool/address_token.h"
#include "framework/tool/source.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Packet Int(int value, int time) {
  return MakePacket<int>(value).At(Timestamp(time));
}

CalculatorGraphConfig PassThrough() {
  return ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node {
      calculator: "PassThroughCalculator"
      input_stream: "in"
      output_stream: "out"
    }
  )pb");
}

// Sends packets to "in" until it is closed.
absl::Status RunOn(CalculatorGraph* graph, const std::vector<Packet>& packets,
                   const std::map<std::string, Packet>& side_packets = {}) {
  SYNCLINE_RETURN_IF_ERROR(graph->StartRun(side_packets));
  for (const Packet& packet : packets) {
    SYNCLINE_RETURN_IF_ERROR(graph->AddPacketToInputStream("in", packet));
  }
  SYNCLINE_RETURN_IF_ERROR(graph->CloseAllInputStreams());
  return graph->WaitUntilDone();
}

class SinkTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(SinkTest);

TEST_P(SinkTest, AVectorGetsEveryPacketOfItsStreamInOrder) {
  CalculatorGraphConfig config = PassThrough();
  std::vector<Packet> inputs;
  std::vector<Packet> outputs;
  tool::AddVectorSink("in", &config, &inputs);
  tool::AddVectorSink("out", &config, &outputs);
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  SYNCLINE_ASSERT_OK(RunOn(&graph, {Int(1, 10), Int(2, 20)}));
  EXPECT_THAT(inputs, StreamIs({{10, 1}, {20, 2}}));
  EXPECT_THAT(outputs, StreamIs({{10, 1}, {20, 2}}));
  // The second run appends to what the first run left.
  SYNCLINE_ASSERT_OK(RunOn(&graph, {Int(3, 10)}));
  EXPECT_THAT(outputs, StreamIs({{10, 1}, {20, 2}, {10, 3}}));
}

TEST_P(SinkTest, AConfigThatWasWrittenOutAndReadStillReachesItsVector) {
  CalculatorGraphConfig config = PassThrough();
  std::vector<Packet> outputs;
  tool::AddVectorSink("out", &config, &outputs);
  CalculatorGraphConfig from_bytes;
  ASSERT_TRUE(from_bytes.ParseFromString(config.SerializeAsString()));
  const auto from_text =
      ParseTextProtoOrDie<CalculatorGraphConfig>(from_bytes.DebugString());
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(from_text));
  SYNCLINE_ASSERT_OK(RunOn(&graph, {Int(1, 10)}));
  EXPECT_THAT(outputs, StreamIs({{10, 1}}));
}

TEST_P(SinkTest, PostStreamAndSidePacketSinksGetTheOnePacket) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_side_packet: "summary"
    node {
      calculator: "SidePacketsToStreamsCalculator"
      input_side_packet: "summary"
      output_stream: "whole"
      node_options {
        [type.googleapis.com/syncline.SidePacketsToStreamsCalculatorOptions] {
          set_timestamp: WHOLE_STREAM
          vectors_of_packets: false
        }
      }
    }
  )pb");
  Packet from_stream;
  Packet from_side_packet;
  tool::AddPostStreamPacketSink("whole", &config, &from_stream);
  tool::AddSidePacketSink("summary", &config, &from_side_packet);
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  SYNCLINE_ASSERT_OK(graph.Run({{"summary", MakePacket<int>(7)}}));
  EXPECT_THAT(from_stream, PacketIs<int>(Timestamp::PostStream(), 7));
  EXPECT_THAT(from_side_packet, PacketIs<int>(Timestamp::PostStream(), 7));
}

TEST_P(SinkTest, CallbacksAreCalledWithEachPacketAndWithTheHeader) {
  CalculatorGraphConfig config = PassThrough();
  std::string plain;
  std::string with_header;
  tool::AddCallbackCalculator("out", &config, &plain, true);
  tool::AddCallbackWithHeaderCalculator("out", "in", &config, &with_header,
                                        true);
  std::vector<Packet> packets;
  std::vector<std::string> headers;
  const std::map<std::string, Packet> side_packets = {
      {plain, MakePacket<std::function<void(const Packet&)>>(
                  [&](const Packet& packet) { packets.push_back(packet); })},
      {with_header,
       MakePacket<std::function<void(const Packet&, const Packet&)>>(
           [&](const Packet& packet, const Packet& header) {
             EXPECT_FALSE(packet.IsEmpty());
             headers.push_back(header.Get<std::string>());
           })},
  };
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  SYNCLINE_ASSERT_OK(
      graph.StartRun(side_packets, {{"in", MakePacket<std::string>("rgb")}}));
  SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream("in", Int(1, 10)));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  EXPECT_THAT(packets, StreamIs({{10, 1}}));
  EXPECT_THAT(headers, ElementsAre("rgb"));
}

TEST_P(SinkTest, AMultiStreamCallbackGetsTheStreamsTimestampByTimestamp) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "foo"
    input_stream: "bar"
  )pb");
  std::vector<int> sums;
  std::pair<std::string, Packet> side_packet;
  tool::AddMultiStreamCallback(
      {"foo", "bar"},
      [&](const std::vector<Packet>& packets) {
        ASSERT_EQ(packets.size(), 2);
        int sum = 0;
        for (const Packet& packet : packets) {
          if (!packet.IsEmpty()) sum += packet.Get<int>();
        }
        sums.push_back(sum);
      },
      &config, &side_packet);
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  SYNCLINE_ASSERT_OK(graph.StartRun({side_packet}));
  for (auto [stream, packet] :
       {std::pair("foo", Int(10, 1)), std::pair("bar", Int(5, 1)),
        std::pair("foo", Int(7, 2)), std::pair("bar", Int(1, 3))}) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(stream, packet));
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  EXPECT_THAT(sums, ElementsAre(15, 7, 1));
}

TEST_P(SinkTest, AMultiStreamCallbackThatAsksForBoundsIsCalledForThem) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "foo"
    input_stream: "bar"
  )pb");
  std::map<std::string, Packet> side_packets;
  std::vector<std::string> calls;
  tool::AddMultiStreamCallback(
      {"foo", "bar"},
      [&](const tool::PacketMap& packets) {
        std::string call;
        for (const auto& [name, packet] : packets) {
          absl::StrAppend(&call, name, "=", packet.Get<int>(), " ");
        }
        calls.push_back(call);
      },
      &config, &side_packets, /*observe_timestamp_bounds=*/true);
  Timestamp settled;
  tool::AddMultiStreamCallback(
      {"foo"},
      [&](const std::vector<Packet>& packets) {
        settled = packets[0].Timestamp();
      },
      &config, &side_packets, /*observe_timestamp_bounds=*/true);
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  SYNCLINE_ASSERT_OK(graph.StartRun(side_packets));
  SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream("foo", Int(1, 1)));
  SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream("bar", Int(2, 1)));
  SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
  SYNCLINE_ASSERT_OK(graph.SetInputStreamTimestampBound("foo", Timestamp(5)));
  SYNCLINE_ASSERT_OK(graph.SetInputStreamTimestampBound("bar", Timestamp(5)));
  SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
  EXPECT_THAT(calls, ElementsAre("bar=2 foo=1 ", ""));
  EXPECT_EQ(settled, Timestamp(4));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
}

// --- Mistakes

// The node that holds the address of a vector sink.
CalculatorGraphConfig::Node* AddressNode(CalculatorGraphConfig* config) {
  for (auto& node : *config->mutable_node()) {
    if (node.calculator() == "CallbackPacketCalculator") return &node;
  }
  return nullptr;
}

TEST(SinkConfigTest, AnAddressThatNobodyHandedOutIsAnError) {
  CalculatorGraphConfig config = PassThrough();
  std::vector<Packet> outputs;
  tool::AddVectorSink("out", &config, &outputs);
  auto* options = AddressNode(&config)->mutable_options()->MutableExtension(
      CallbackPacketCalculatorOptions::ext);
  const std::string good = options->pointer();
  std::string other_address = good;
  other_address[2] = other_address[2] == '1' ? '2' : '1';
  for (const std::string& bad :
       {std::string("0x7ffe12345678"), std::string(""), std::string(":"),
        std::string("0x0:0"), other_address, good + "0"}) {
    options->set_pointer(bad);
    CalculatorGraph graph;
    EXPECT_THAT(graph.Initialize(config),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("did not put there")))
        << bad;
  }
  // Nor can the type of the object at the address be changed.
  options->set_pointer(good);
  options->set_type(CallbackPacketCalculatorOptions::POST_STREAM_PACKET);
  EXPECT_THAT(CalculatorGraph().Initialize(config),
              StatusIs(absl::StatusCode::kInvalidArgument));
  options->clear_type();
  EXPECT_THAT(
      CalculatorGraph().Initialize(config),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("`type`")));
}

TEST(SinkConfigTest, TokensAreForOnePurpose) {
  int value = 0;
  const std::string token = tool::AddressToken("int", &value);
  ASSERT_TRUE(tool::AddressFromToken("int", token).ok());
  EXPECT_EQ(*tool::AddressFromToken("int", token), &value);
  EXPECT_FALSE(tool::AddressFromToken("float", token).ok());
}

TEST(SinkConfigTest, AnEmptyFunctionIsAnError) {
  CalculatorGraphConfig config = PassThrough();
  std::string callback;
  tool::AddCallbackCalculator("out", &config, &callback, true);
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  EXPECT_THAT(
      RunOn(&graph, {},
            {{callback, MakePacket<std::function<void(const Packet&)>>()}}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is empty")));
}

TEST(SinkConfigTest, AStreamWithoutAHeaderIsAnErrorWhereOneIsWanted) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    input_stream: "header"
  )pb");
  std::string callback;
  tool::AddCallbackWithHeaderCalculator("in", "header", &config, &callback,
                                        true);
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  EXPECT_THAT(
      RunOn(&graph, {Int(1, 10)},
            {{callback,
              MakePacket<std::function<void(const Packet&, const Packet&)>>(
                  [](const Packet&, const Packet&) {})}}),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("\"header\"")));
}

TEST(SinkConfigTest, ACallbackNodeNeedsOneKindOfCallback) {
  const auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node { calculator: "CallbackCalculator" input_stream: "in" }
  )pb");
  EXPECT_THAT(CalculatorGraph().Initialize(config),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("VECTOR_CALLBACK")));
}

// --- SidePacketsToStreamsCalculator

// Runs a SidePacketsToStreamsCalculator with two side packets and these
// options, given as text.
absl::Status RunSource(const std::string& options, Packet first, Packet second,
                       std::vector<Packet>* packets) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_side_packet: "first"
    input_side_packet: "second"
    node {
      calculator: "SidePacketsToStreamsCalculator"
      input_side_packet: "first"
      input_side_packet: "second"
      output_stream: "one"
      output_stream: "two"
    }
  )pb");
  *config.mutable_node(0)->mutable_options()->MutableExtension(
      SidePacketsToStreamsCalculatorOptions::ext) =
      ParseTextProtoOrDie<SidePacketsToStreamsCalculatorOptions>(options);
  tool::AddVectorSink("two", &config, packets);
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(config));
  return graph.Run({{"first", first}, {"second", second}});
}

Packet Vector(std::vector<Packet> packets) {
  return MakePacket<std::vector<Packet>>(std::move(packets));
}

TEST(SourceTest, VectorsBecomeStreamsWithTimestampsByPositionOrTheirOwn) {
  std::vector<Packet> packets;
  SYNCLINE_ASSERT_OK(RunSource("", Vector({Int(1, 5), Int(2, 6)}),
                               Vector({Int(3, 7), Int(4, 8)}), &packets));
  EXPECT_THAT(packets, StreamIs({{0, 3}, {1, 4}}));
  packets.clear();
  SYNCLINE_ASSERT_OK(RunSource("num_inputs: 2 set_timestamp: NONE",
                               Vector({Int(1, 5)}), Vector({Int(3, 7)}),
                               &packets));
  EXPECT_THAT(packets, StreamIs({{7, 3}}));
  packets.clear();
  SYNCLINE_ASSERT_OK(RunSource("set_timestamp: PRE_STREAM", Vector({Int(1, 5)}),
                               Vector({Int(3, 7)}), &packets));
  EXPECT_THAT(packets, StreamIs({{Timestamp::PreStream(), 3}}));
}

TEST(SourceTest, WrongOptionsAndLengthsAreErrors) {
  std::vector<Packet> packets;
  const Packet one = Vector({Int(1, 5)});
  EXPECT_THAT(
      RunSource("num_inputs: 3", one, one, &packets),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("num_inputs 3")));
  EXPECT_THAT(RunSource("set_timestamp: NONE vectors_of_packets: false", one,
                        one, &packets),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("cannot be NONE")));
  EXPECT_THAT(RunSource("", one, Vector({}), &packets),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("different sizes")));
}

}  // namespace
}  // namespace syncline
