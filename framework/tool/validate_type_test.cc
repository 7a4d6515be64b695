// Packet generators by name.
#include "framework/tool/validate_type.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator/legacy/packet_generator.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/packet_generator.pb.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace generator_test {

class DoubleGenerator : public syncline::PacketGenerator {
 public:
  static absl::Status FillExpectations(const syncline::PacketGeneratorOptions&,
                                       syncline::PacketTypeSet* inputs,
                                       syncline::PacketTypeSet* outputs) {
    inputs->Tag("IN").Set<int>();
    outputs->Tag("OUT").Set<int>();
    return absl::OkStatus();
  }
  static absl::Status Generate(const syncline::PacketGeneratorOptions&,
                               const syncline::PacketSet& inputs,
                               syncline::PacketSet* outputs) {
    const int in = inputs.Tag("IN").Get<int>();
    if (in < 0) return absl::OutOfRangeError("negative");
    if (in == 0) return absl::OkStatus();  // makes nothing
    outputs->Tag("OUT") = syncline::MakePacket<int>(2 * in);
    return absl::OkStatus();
  }
};
REGISTER_PACKET_GENERATOR(::generator_test::DoubleGenerator);

}  // namespace generator_test

namespace syncline {
namespace tool {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;

PacketGeneratorConfig Config(const std::string& in, const std::string& out) {
  PacketGeneratorConfig config;
  config.set_packet_generator("DoubleGenerator");
  config.add_input_side_packet(in);
  config.add_output_side_packet(out);
  return config;
}

absl::Status Generate(Packet in, Packet* out) {
  PacketSet inputs(
      PortLayout::Create(std::vector<std::string>{"IN:in"}).value());
  inputs.Tag("IN") = std::move(in);
  PacketSet outputs(
      PortLayout::Create(std::vector<std::string>{"OUT:out"}).value());
  absl::Status status = RunGenerateAndValidateTypes(
      "generator_test.DoubleGenerator", {}, inputs, &outputs);
  *out = outputs.Tag("OUT");
  return status;
}

TEST(PacketGeneratorTest, ExpectationsAreComparedWithThePorts) {
  SYNCLINE_EXPECT_OK(
      RunGeneratorFillExpectations(Config("IN:a", "OUT:b"), "generator_test"));
  EXPECT_THAT(
      RunGeneratorFillExpectations(Config("IM:a", "OUT:b"), "generator_test"),
      StatusIs(StatusCode::kInvalidArgument,
               AllOf(HasSubstr("DoubleGenerator::FillExpectations failed to "
                               "validate"),
                     HasSubstr("\"IN\""), HasSubstr("\"IM\""))));
  EXPECT_THAT(
      RunGeneratorFillExpectations(Config("IN:", "OUT:b"), "generator_test"),
      StatusIs(StatusCode::kInvalidArgument, HasSubstr("\"IN:\"")));
}

TEST(PacketGeneratorTest, AnUnknownGeneratorIsNamed) {
  EXPECT_THAT(RunGeneratorFillExpectations(Config("IN:a", "OUT:b")),
              StatusIs(StatusCode::kNotFound,
                       HasSubstr("Unable to find PacketGenerator "
                                 "\"DoubleGenerator\"")));
}

TEST(PacketGeneratorTest, GenerateMakesTheOutputsFromTheInputs) {
  Packet out;
  SYNCLINE_ASSERT_OK(Generate(MakePacket<int>(4), &out));
  EXPECT_EQ(out.Get<int>(), 8);
}

TEST(PacketGeneratorTest, WrongInputsOutputsAndErrorsNameTheGenerator) {
  Packet out;
  EXPECT_THAT(Generate(MakePacket<float>(4), &out),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("DoubleGenerator's input side packets")));
  EXPECT_THAT(Generate(MakePacket<int>(-1), &out),
              StatusIs(StatusCode::kOutOfRange,
                       HasSubstr("DoubleGenerator::Generate() failed. ")));
  EXPECT_THAT(Generate(MakePacket<int>(0), &out),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("DoubleGenerator's output side packets")));
}

}  // namespace
}  // namespace tool
}  // namespace syncline
