// Packets that cross between the program and a library that it opened.

#include <dlfcn.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/misuse.h"
#include "framework/base/plugin.h"
#include "framework/packet/packet.h"
#include "framework/packet/testdata/plugin_point.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr char kPath[] = "framework/packet/testdata/packet_plugin.so";

class PacketPluginTest : public testing::Test {
 protected:
  PacketPluginTest() : plugin_(Plugin::Open(kPath)) {}

  void SetUp() override {
    SYNCLINE_ASSERT_OK(plugin_);
    functions_ = static_cast<const PluginFunctions*>(
        plugin_->Symbol("kPluginFunctions"));
    ASSERT_NE(functions_, nullptr);
  }

  absl::StatusOr<Plugin> plugin_;
  const PluginFunctions* functions_ = nullptr;
};

TEST_F(PacketPluginTest, TheProgramReadsAPacketOfTheLibrary) {
  EXPECT_EQ(functions_->make_number(7).Get<int>(), 7);
  int destroyed = 0;
  {
    const Packet packet = functions_->make_point(1, 2, &destroyed);
    EXPECT_EQ(packet.GetTypeId(), TypeIdOf<PluginPoint>());
    EXPECT_EQ(packet.Get<PluginPoint>().y, 2);
    EXPECT_THAT(packet.ValidateAsType<int>(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("\"syncline::PluginPoint\"")));
  }
  EXPECT_EQ(destroyed, 1);
}

TEST_F(PacketPluginTest, TheLibraryReadsAPacketOfTheProgram) {
  int destroyed = 0;
  {
    const Packet packet = MakePacket<PluginPoint>(3, 4, &destroyed);
    EXPECT_EQ(functions_->sum_point(packet), 7);
  }
  EXPECT_EQ(destroyed, 1);
}

TEST_F(PacketPluginTest, TheLastCopyDestroysTheValueOnWhicheverSideItIs) {
  int destroyed = 0;
  functions_->drop(MakePacket<PluginPoint>(1, 1, &destroyed));
  EXPECT_EQ(destroyed, 1);
  Packet packet = functions_->make_point(1, 1, &destroyed);
  functions_->drop(packet);
  EXPECT_EQ(destroyed, 1);
  packet = Packet();
  EXPECT_EQ(destroyed, 2);
}

TEST_F(PacketPluginTest, TheProgramConsumesAValueOfTheLibrary) {
  Packet packet = functions_->make_number(5);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<int> number,
                                packet.Consume<int>());
  EXPECT_EQ(*number, 5);
}

TEST_F(PacketPluginTest, ATypeThatOnlyTheLibraryKnowsHasItsName) {
  EXPECT_THAT(functions_->make_private().DebugTypeName(),
              HasSubstr("KnownToThePluginOnly"));
}

TEST_F(PacketPluginTest, AWrongGetInTheLibraryEndsTheCallWithBothTypes) {
  const absl::Status status = CallUserCode([this] {
    functions_->sum_point(MakePacket<int>(1));
    return absl::OkStatus();
  });
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                               HasSubstr("The Packet stores \"int\", but "
                                         "\"syncline::PluginPoint\" was")));
}

TEST_F(PacketPluginTest, TheLibraryLeavesTheProcessWhenItIsClosed) {
  functions_->make_private();
  plugin_ = absl::UnknownError("closed");
  EXPECT_EQ(dlopen(kPath, RTLD_NOW | RTLD_NOLOAD), nullptr);
}

}  // namespace
}  // namespace syncline
