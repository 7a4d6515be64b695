// A program that links standard_types, and nothing else that knows formats,
// knows their types by name.

#include <string>

#include "absl/status/status.h"
#include "framework/packet/packet_bytes.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

absl::Status Read(const std::string& type) {
  return PacketFromBytes(type, "").status();
}

TEST(StandardTypesTest, ValuesAndVectorsAreReadFromTheirBytes) {
  for (const char* const type : {
           "::syncline::AffineTransform",
           "::std::vector<::syncline::ClassificationList>",
           "::std::vector<::syncline::Detection>",
           "::syncline::Image",
           "::std::vector<::syncline::Image>",
           "::syncline::ImageFrame",
           "::std::vector<::syncline::ImageFrame>",
           "::std::vector<::syncline::NormalizedLandmarkList>",
           "::syncline::Matrix",
           "::std::vector<::syncline::Matrix>",
           "::std::vector<::syncline::NormalizedRect>",
           "::syncline::Tensor",
           "::std::vector<::syncline::Tensor>",
           "::syncline::VideoHeader",
       }) {
    // Not every value may have no bytes, but then its type says so.
    const absl::Status status = Read(type);
    EXPECT_TRUE(status.ok() || absl::IsInvalidArgument(status)) << status;
  }
}

// This program makes no packets of messages, so it cannot read one either.
TEST(StandardTypesTest, MessagesHaveNames) {
  for (const char* const type : {
           "::syncline::Classification",
           "::syncline::Detection",
           "::syncline::ImageFileProperties",
           "::syncline::LandmarkList",
           "::syncline::Rect",
           "::syncline::TimeSeriesHeader",
       }) {
    EXPECT_TRUE(absl::IsUnimplemented(Read(type))) << Read(type);
  }
}

TEST(StandardTypesTest, OtherTypesAreNotFound) {
  EXPECT_TRUE(absl::IsNotFound(Read("::syncline::NoSuchType")));
}

}  // namespace
}  // namespace syncline
