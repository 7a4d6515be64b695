#include "tools/option_comments.h"

#include <deque>
#include <string>

#include "framework/port/parse_text_proto.h"
#include "google/protobuf/descriptor.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::google::protobuf::FileDescriptorSet;

bool Add(const std::string& files) {
  // Borrowed for as long as the program runs.
  static auto& all = *new std::deque<std::string>;
  all.push_back(
      ParseTextProtoOrDie<FileDescriptorSet>(files).SerializeAsString());
  return AddOptionComments(all.back().data(), all.back().size());
}

// Fields of message M with comments above, behind, both, and none.
constexpr char kFiles[] = R"pb(
  file {
    name: "of_test/comments.proto"
    package: "of_test"
    message_type {
      name: "M"
      field { name: "above" number: 1 label: LABEL_OPTIONAL type: TYPE_INT32 }
      field { name: "behind" number: 2 label: LABEL_OPTIONAL type: TYPE_INT32 }
      field { name: "both" number: 3 label: LABEL_OPTIONAL type: TYPE_INT32 }
      field { name: "none" number: 4 label: LABEL_OPTIONAL type: TYPE_INT32 }
    }
    source_code_info {
      location {
        path: [ 4, 0, 2, 0 ]
        span: [ 1, 0, 9 ]
        leading_comments: " On two\n  lines.\n"
      }
      location {
        path: [ 4, 0, 2, 1 ]
        span: [ 2, 0, 9 ]
        trailing_comments: " Behind it.\n"
      }
      location {
        path: [ 4, 0, 2, 2 ]
        span: [ 3, 0, 9 ]
        leading_comments: " Above.\n"
        trailing_comments: " Behind.\n"
      }
    }
  }
)pb";

TEST(OptionCommentsTest, ACommentIsOneLineFromAboveOrBehind) {
  ASSERT_TRUE(Add(kFiles));
  EXPECT_EQ(FieldComment("of_test.M.above"), "On two lines.");
  EXPECT_EQ(FieldComment("of_test.M.behind"), "Behind it.");
  EXPECT_EQ(FieldComment("of_test.M.both"), "Above.");
}

TEST(OptionCommentsTest, WhereNothingIsWrittenThereIsNoComment) {
  ASSERT_TRUE(Add(kFiles));
  EXPECT_EQ(FieldComment("of_test.M.none"), "");
  EXPECT_EQ(FieldComment("of_test.M.no_such_field"), "");
  EXPECT_EQ(FieldComment("of_nobody.M.above"), "");
}

// Each library of a program brings the files that it needs.
TEST(OptionCommentsTest, AFileThatIsThereStaysAndOthersOfItsSetAreAdded) {
  ASSERT_TRUE(Add(kFiles));
  ASSERT_TRUE(Add(R"pb(
    file { name: "of_test/comments.proto" package: "of_test_again" }
    file {
      name: "of_test/more.proto"
      package: "of_test"
      dependency: "of_test/comments.proto"
      message_type {
        name: "More"
        field {
          name: "m"
          number: 1
          label: LABEL_OPTIONAL
          type: TYPE_MESSAGE
          type_name: ".of_test.M"
        }
      }
      source_code_info {
        location {
          path: [ 4, 0, 2, 0 ]
          span: [ 1, 0, 9 ]
          leading_comments: " Of the second set.\n"
        }
      }
    }
  )pb"));
  EXPECT_EQ(FieldComment("of_test.M.above"), "On two lines.");
  EXPECT_EQ(FieldComment("of_test.More.m"), "Of the second set.");
}

TEST(OptionCommentsTest, BytesOfNoSetAreRefused) {
  EXPECT_FALSE(AddOptionComments("\xff", 1));
  EXPECT_TRUE(AddOptionComments("", 0));
}

}  // namespace
}  // namespace syncline
