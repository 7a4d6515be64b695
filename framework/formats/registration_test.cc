// Packets of formats have the names that MediaPipe gave them, with "syncline".

#include <vector>

#include "framework/formats/detection.pb.h"
#include "framework/formats/landmark.pb.h"
#include "framework/packet/packet.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(RegistrationTest, ProtosAndVectorsOfThemHaveNames) {
  EXPECT_EQ(MakePacket<Detection>().RegisteredTypeName(),
            "::syncline::Detection");
  EXPECT_EQ(MakePacket<std::vector<Detection>>().RegisteredTypeName(),
            "::std::vector<::syncline::Detection>");
  EXPECT_EQ(
      MakePacket<std::vector<NormalizedLandmarkList>>().RegisteredTypeName(),
      "::std::vector<::syncline::NormalizedLandmarkList>");
}

}  // namespace
}  // namespace syncline
