// Packets by port, from packets by name.
#include "framework/tool/fill_packet_set.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/port_layout.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace tool {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;

PacketTypeSet Types() {
  PacketTypeSet types(
      PortLayout::Create(std::vector<std::string>{"A:a", "B:b"}).value());
  types.Tag("A").Set<int>();
  types.Tag("B").Set<float>();
  return types;
}

TEST(FillPacketSetTest, FindsPacketsByTheNamesOfThePorts) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<PacketSet> packets,
                                FillPacketSet(Types(),
                                              {{"a", MakePacket<int>(1)},
                                               {"b", MakePacket<float>(2)},
                                               {"other", MakePacket<int>(3)}},
                                              nullptr));
  EXPECT_EQ(packets->Tag("A").Get<int>(), 1);
  EXPECT_EQ(packets->Tag("B").Get<float>(), 2);
}

TEST(FillPacketSetTest, MissingPacketsAreCountedOrAnError) {
  const std::map<std::string, Packet> some = {{"a", MakePacket<int>(1)}};
  int missing = -1;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<PacketSet> packets,
                                FillPacketSet(Types(), some, &missing));
  EXPECT_EQ(missing, 1);
  EXPECT_TRUE(packets->Tag("B").IsEmpty());
  EXPECT_THAT(FillPacketSet(Types(), some, nullptr),
              StatusIs(StatusCode::kInvalidArgument, HasSubstr("\"b\"")));
}

TEST(FillPacketSetTest, WrongTypesAreReportedTogether) {
  int missing = 0;
  EXPECT_THAT(
      FillPacketSet(Types(),
                    {{"a", MakePacket<float>(1)}, {"b", MakePacket<int>(1)}},
                    &missing),
      StatusIs(StatusCode::kInvalidArgument,
               AllOf(HasSubstr("\"a\""), HasSubstr("\"b\""))));
}

}  // namespace
}  // namespace tool
}  // namespace syncline
