// The options of a node, with those of a packet merged on top.
#include "framework/tool/options_util.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/misuse.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/calculator_options.pb.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_proto.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace tool {
namespace {

using Options = PacketGeneratorWrapperCalculatorOptions;

Options MakeOptions(const std::string& generator, const std::string& package) {
  Options options;
  if (!generator.empty()) options.set_packet_generator(generator);
  if (!package.empty()) options.set_package(package);
  return options;
}

std::string Shown(const Options& options) {
  return options.packet_generator() + "," + options.package();
}

std::shared_ptr<const PortLayout> Layout(const std::string& port) {
  return PortLayout::Create(std::vector<std::string>{port}).value();
}

TEST(OptionsUtilTest, ThePacketsFieldsComeBeforeTheNodes) {
  const Options base = MakeOptions("a", "b");
  EXPECT_EQ(Shown(RetrieveOptions(base, Packet())), "a,b");
  EXPECT_EQ(
      Shown(RetrieveOptions(base, MakePacket<Options>(MakeOptions("", "c")))),
      "a,c");
}

TEST(OptionsUtilTest, ThePacketMayHoldTheContainer) {
  CalculatorOptions container;
  *container.MutableExtension(Options::ext) = MakeOptions("x", "");
  EXPECT_EQ(Shown(RetrieveOptions(MakeOptions("a", "b"),
                                  MakePacket<CalculatorOptions>(container))),
            "x,b");
}

TEST(OptionsUtilTest, APacketOfThemCanBeMadeOfBytes) {
  // No other code in this test uses the type as the value of a packet.
  using Rare = ThreadPoolExecutorOptions;
  Rare rare;
  rare.set_num_threads(7);
  const absl::StatusOr<Packet> packet = packet_internal::PacketFromDynamicProto(
      "syncline.ThreadPoolExecutorOptions", rare.SerializeAsString());
  SYNCLINE_ASSERT_OK(packet.status());
  EXPECT_EQ(RetrieveOptions(Rare(), *packet).num_threads(), 7);
}

TEST(OptionsUtilTest, ASidePacketOrStreamCountsWhereTheNodeHasIt) {
  const Options base = MakeOptions("a", "b");
  PacketSet side_packets(Layout("OPTIONS:o"));
  side_packets.Tag("OPTIONS") = MakePacket<Options>(MakeOptions("s", ""));
  EXPECT_EQ(Shown(RetrieveOptions(base, side_packets)), "s,b");
  EXPECT_EQ(Shown(RetrieveOptions(base, side_packets, "OTHER")), "a,b");
  EXPECT_EQ(Shown(RetrieveOptions(base, PacketSet())), "a,b");

  InputStreamSet streams = MakeInputStreams(Layout("O:o"));
  EXPECT_EQ(Shown(RetrieveOptions(base, streams, "O")), "a,b");
  streams.Tag("O").Fill(MakePacket<Options>(MakeOptions("i", "")), false);
  EXPECT_EQ(Shown(RetrieveOptions(base, streams, "O")), "i,b");
}

TEST(OptionsUtilTest, APacketOfAnotherTypeIsAMisuse) {
  EXPECT_THAT(CallUserCode([] {
                RetrieveOptions(Options(), MakePacket<int>(1));
                return absl::OkStatus();
              }),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace tool
}  // namespace syncline
