// What the tests of the calculators of vectors share: packets, nodes, and runs
// in which a calculator is the only reader of its input.

#ifndef SYNCLINE_CALCULATORS_CORE_VECTOR_CALCULATORS_TEST_H_
#define SYNCLINE_CALCULATORS_CORE_VECTOR_CALCULATORS_TEST_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"

namespace syncline {

using Ints = std::vector<int>;
using Owned = std::unique_ptr<int>;

inline Packet PacketAt(int time, Ints values) {
  return MakePacket<Ints>(std::move(values)).At(Timestamp(time));
}
inline Packet PacketAt(int time, int value) {
  return MakePacket<int>(value).At(Timestamp(time));
}
inline Packet BoundAt(int time) { return Packet().At(Timestamp(time)); }
inline std::vector<Owned> Own(const Ints& values) {
  std::vector<Owned> result;
  for (const int value : values) result.push_back(std::make_unique<int>(value));
  return result;
}
inline Packet OwnedAt(int time, const Ints& values) {
  return MakePacket<std::vector<Owned>>(Own(values)).At(Timestamp(time));
}
inline Packet OneOwnedAt(int time, int value) {
  return MakePacket<Owned>(std::make_unique<int>(value)).At(Timestamp(time));
}
inline Ints Values(const Packet& packet) {
  Ints result;
  for (const Owned& value : packet.Get<std::vector<Owned>>()) {
    result.push_back(*value);
  }
  return result;
}

// The packets of "out0" of the node for these inputs, which nobody else holds.
inline absl::StatusOr<std::vector<Packet>> RunAsOnlyReader(
    const std::string& node, Packet in0, Packet in1 = Packet()) {
  const bool has_two = !in1.IsEmpty();
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
          absl::StrCat("node {", node, "} input_stream: \"in0\"",
                       has_two ? " input_stream: \"in1\"" : ""))));
  std::vector<Packet> result;
  SYNCLINE_RETURN_IF_ERROR(
      graph.ObserveOutputStream("out0", [&result](const Packet& packet) {
        result.push_back(packet);
        return absl::OkStatus();
      }));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  SYNCLINE_RETURN_IF_ERROR(graph.AddPacketToInputStream("in0", std::move(in0)));
  if (has_two) {
    SYNCLINE_RETURN_IF_ERROR(
        graph.AddPacketToInputStream("in1", std::move(in1)));
  }
  SYNCLINE_RETURN_IF_ERROR(graph.CloseAllInputStreams());
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  return result;
}

inline std::string Node(const std::string& calculator, int inputs, int outputs,
                        const std::string& options = "") {
  std::string text = absl::StrCat("calculator: \"", calculator, "\"");
  for (int i = 0; i < inputs; ++i) {
    absl::StrAppend(&text, " input_stream: \"in", i, "\"");
  }
  for (int i = 0; i < outputs; ++i) {
    absl::StrAppend(&text, " output_stream: \"out", i, "\"");
  }
  return absl::StrCat(text, options);
}

inline std::string Split(
    int outputs, const std::string& options,
    const std::string& calculator = "TestSplitIntsCalculator") {
  return Node(
      calculator, 1, outputs,
      absl::StrCat(" options { [syncline.SplitVectorCalculatorOptions.ext] {",
                   options, "} }"));
}

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_VECTOR_CALCULATORS_TEST_H_
