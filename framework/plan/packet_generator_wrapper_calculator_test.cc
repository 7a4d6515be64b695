// The wrapper as a calculator, without a graph around it.

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/calculator/packet_set.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr char kWrapper[] = "PacketGeneratorWrapperCalculator";

CalculatorGraphConfig::Node Wrapper(const char* generator, const char* ports) {
  CalculatorGraphConfig::Node node;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      absl::StrCat("calculator: \"", kWrapper, "\" ", ports,
                   " options { [syncline.PacketGeneratorWrapperCalculator"
                   "Options.ext] { packet_generator: \"",
                   generator, "\" } }"),
      &node));
  return node;
}

// The only output side packet of a wrapper that was opened.
absl::StatusOr<Packet> Generate(
    const CalculatorGraphConfig::Node& node,
    const std::map<std::string, Packet>& side_packets = {}) {
  SYNCLINE_ASSIGN_OR_RETURN(
      const std::unique_ptr<CalculatorBaseFactory> factory,
      CalculatorBaseRegistry::CreateByName(kWrapper));
  CalculatorContract contract;
  SYNCLINE_RETURN_IF_ERROR(contract.Initialize(node));
  SYNCLINE_RETURN_IF_ERROR(InvokeGetContract(*factory, &contract));
  NodeEnvironment::Run run;
  SYNCLINE_ASSIGN_OR_RETURN(run.input_side_packets,
                            FillInputSidePackets(contract.InputSidePackets(),
                                                 [&](const std::string& name) {
                                                   return side_packets.at(name);
                                                 }));
  const NodeEnvironment environment(contract, std::move(run));
  CalculatorContext context(environment);
  context.BeginCall(CallPhase::kOpen, Timestamp::Unstarted());
  SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<CalculatorBase> calculator,
                            InvokeCreate(*factory, &context));
  SYNCLINE_RETURN_IF_ERROR(InvokeOpen(calculator.get(), &context));
  return environment.node_output_side_packets()[0]->packet();
}

TEST(PacketGeneratorWrapperCalculatorTest, GeneratesFromInputSidePackets) {
  const absl::StatusOr<Packet> generated =
      Generate(Wrapper("IntGenerator",
                       "input_side_packet: \"A:a\" input_side_packet: \"B:b\" "
                       "output_side_packet: \"OUT:c\""),
               {{"a", MakePacket<int>(1)}, {"b", MakePacket<int>(2)}});
  ASSERT_TRUE(generated.ok()) << generated.status();
  EXPECT_EQ(generated->Get<int>(), 2) << "the generator counts its inputs";
}

TEST(PacketGeneratorWrapperCalculatorTest, AnUnknownGeneratorIsAnError) {
  EXPECT_THAT(
      std::string(Generate(Wrapper("NoGenerator", "")).status().message()),
      HasSubstr("NoGenerator"));
}

TEST(PacketGeneratorWrapperCalculatorTest, GenerateThatFailsNamesTheGenerator) {
  EXPECT_THAT(std::string(Generate(Wrapper("FailingGenerator",
                                           "output_side_packet: \"OUT:c\""))
                              .status()
                              .message()),
              HasSubstr("FailingGenerator::Generate() failed. no packets"));
}

}  // namespace
}  // namespace syncline
