// Copyright 2021 The Acme Authors.
//
// What old graphs have: a packet generator, a status handler, and a subgraph
// that makes its config itself.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "mediapipe/acme/calculators/scale_calculator.pb.h"
#include "mediapipe/framework/calculator_framework.h"
#include "mediapipe/framework/packet_generator.h"
#include "mediapipe/framework/port/parse_text_proto.h"
#include "mediapipe/framework/status_handler.h"

namespace mediapipe {

class FactorPacketGenerator : public PacketGenerator {
 public:
  static absl::Status FillExpectations(
      const PacketGeneratorOptions& extendable_options,
      PacketTypeSet* input_side_packets, PacketTypeSet* output_side_packets) {
    input_side_packets->Tag("TEXT").Set<std::string>();
    output_side_packets->Tag("FACTOR").Set<float>();
    return absl::OkStatus();
  }

  static absl::Status Generate(const PacketGeneratorOptions& extendable_options,
                               const PacketSet& input_side_packets,
                               PacketSet* output_side_packets) {
    const auto& text = input_side_packets.Tag("TEXT").Get<std::string>();
    output_side_packets->Tag("FACTOR") = MakePacket<float>(std::stof(text));
    return absl::OkStatus();
  }
};
REGISTER_PACKET_GENERATOR(FactorPacketGenerator);

class ExpectOkStatusHandler : public StatusHandler {
 public:
  static absl::Status FillExpectations(
      const MediaPipeOptions& extendable_options,
      PacketTypeSet* input_side_packets) {
    return absl::OkStatus();
  }
  static absl::Status HandlePreRunStatus(
      const MediaPipeOptions& extendable_options,
      const PacketSet& input_side_packets,
      const absl::Status& pre_run_status) {
    return absl::OkStatus();
  }
  static absl::Status HandleStatus(const MediaPipeOptions& extendable_options,
                                   const PacketSet& input_side_packets,
                                   const absl::Status& run_status) {
    if (run_status.ok()) return absl::OkStatus();
    return absl::UnknownError(
        absl::StrCat("mediapipe::Graph failed: ", run_status.message()));
  }
};
REGISTER_STATUS_HANDLER(ExpectOkStatusHandler);

// Scales twice, by the factor of its own options.
class MediaPipeScaleTwice : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions& options) override {
    const auto scale = Subgraph::GetOptions<ScaleCalculatorOptions>(options);
    return ParseTextProtoOrDie<CalculatorGraphConfig>(absl::Substitute(
        R"pb(
          input_stream: "VALUE:value"
          output_stream: "VALUE:twice"
          node {
            calculator: "ScaleCalculator"
            input_stream: "VALUE:value"
            output_stream: "VALUE:once"
            options { [mediapipe.ScaleCalculatorOptions.ext] { factor: $0 } }
          }
          node {
            calculator: "ScaleCalculator"
            input_stream: "VALUE:once"
            output_stream: "VALUE:twice"
            node_options {
              [type.googleapis.com/mediapipe.ScaleCalculatorOptions] {
                factor: $0
              }
            }
          }
        )pb",
        scale.factor()));
  }
};
REGISTER_MEDIAPIPE_GRAPH(MediaPipeScaleTwice);

}  // namespace mediapipe
