#include "framework/base/unread_options.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "google/protobuf/any.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// Fields are as good as extensions here: 1 is type_url, 2 is value.
TEST(UnreadOptionsTest, RefusesWhatIsNotRead) {
  google::protobuf::Any options;
  EXPECT_TRUE(CheckOptionsAreRead(options, {}, "clock").ok());
  options.set_type_url("a");
  EXPECT_TRUE(CheckOptionsAreRead(options, {2, 1}, "clock").ok());
  const absl::Status status = CheckOptionsAreRead(options, {2}, "clock");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(status.message()),
            "its options have [google.protobuf.Any.type_url], which this type "
            "of clock does not read. Remove them, or set the type that they "
            "belong to.");
}

TEST(UnreadOptionsTest, RefusesWhatThisBinaryDoesNotKnow) {
  google::protobuf::Any options;
  options.GetReflection()->MutableUnknownFields(&options)->AddVarint(29999, 1);
  EXPECT_THAT(std::string(CheckOptionsAreRead(options, {}, "x").message()),
              HasSubstr("the field 29999"));
}

}  // namespace
}  // namespace syncline
