// ConstantSidePacketCalculator: side packets with values from the graph's text.
//
//   node {
//     calculator: "ConstantSidePacketCalculator"
//     output_side_packet: "PACKET:0:threshold"
//     output_side_packet: "PACKET:1:name"
//     options { [syncline.ConstantSidePacketCalculatorOptions.ext] {
//       packet { float_value: 0.5 }
//       packet { string_value: "face" } } }
//   }
//
// The type of a side packet is that of the field: int, float, bool,
// std::string, std::uint64_t, double, std::int64_t, one of the messages, or a
// std::vector of std::string, float or int. The node may have output side
// packets with other tags; they get no value, so nothing else may need them.
//
// Thread rule: no state of its own.
#include <cstdint>
#include <string>
#include <vector>

#include "calculators/core/constant_side_packet_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/classification.pb.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/matrix_data.pb.h"
#include "framework/formats/time_series_header.pb.h"

namespace syncline {
namespace {

using Options = ConstantSidePacketCalculatorOptions;

template <typename T, typename Field>
Packet VectorOf(const Field& field) {
  return MakePacket<std::vector<T>>(field.begin(), field.end());
}

// A packet of the value; the field that is set decides its type. Empty if no
// field is set.
Packet PacketOf(const Options::ConstantSidePacket& value) {
  switch (value.value_case()) {
    case Options::ConstantSidePacket::kIntValue:
      return MakePacket<int>(value.int_value());
    case Options::ConstantSidePacket::kFloatValue:
      return MakePacket<float>(value.float_value());
    case Options::ConstantSidePacket::kBoolValue:
      return MakePacket<bool>(value.bool_value());
    case Options::ConstantSidePacket::kStringValue:
      return MakePacket<std::string>(value.string_value());
    case Options::ConstantSidePacket::kUint64Value:
      return MakePacket<std::uint64_t>(value.uint64_value());
    case Options::ConstantSidePacket::kClassificationListValue:
      return MakePacket<ClassificationList>(value.classification_list_value());
    case Options::ConstantSidePacket::kLandmarkListValue:
      return MakePacket<LandmarkList>(value.landmark_list_value());
    case Options::ConstantSidePacket::kDoubleValue:
      return MakePacket<double>(value.double_value());
    case Options::ConstantSidePacket::kTimeSeriesHeaderValue:
      return MakePacket<TimeSeriesHeader>(value.time_series_header_value());
    case Options::ConstantSidePacket::kInt64Value:
      return MakePacket<std::int64_t>(value.int64_value());
    case Options::ConstantSidePacket::kMatrixDataValue:
      return MakePacket<MatrixData>(value.matrix_data_value());
    case Options::ConstantSidePacket::kStringVectorValue:
      return VectorOf<std::string>(value.string_vector_value().string_value());
    case Options::ConstantSidePacket::kFloatVectorValue:
      return VectorOf<float>(value.float_vector_value().float_value());
    case Options::ConstantSidePacket::kIntVectorValue:
      return VectorOf<int>(value.int_vector_value().int_value());
    case Options::ConstantSidePacket::VALUE_NOT_SET:
      break;
  }
  return Packet();
}

}  // namespace

class ConstantSidePacketCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<Options>();
    PacketTypeSet& outputs = cc->OutputSidePackets();
    if (outputs.NumEntries("PACKET") != options.packet_size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "ConstantSidePacketCalculator needs an option packet for each output "
          "side packet PACKET, but has ",
          options.packet_size(), " and ", outputs.NumEntries("PACKET")));
    }
    for (PacketType& type : outputs) type.SetAny();
    for (int i = 0; i < options.packet_size(); ++i) {
      const Packet packet = PacketOf(options.packet(i));
      if (packet.IsEmpty()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "The option packet number ", i, " (from 0) sets no value"));
      }
      outputs.Get("PACKET", i).SetTypeId(packet.GetTypeId());
    }
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<Options>();
    for (int i = 0; i < options.packet_size(); ++i) {
      cc->OutputSidePackets().Get("PACKET", i).Set(PacketOf(options.packet(i)));
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* /*cc*/) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ConstantSidePacketCalculator);

}  // namespace syncline
