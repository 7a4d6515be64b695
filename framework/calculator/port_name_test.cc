// The grammar of names, tags and port names, and what errors say.
#include "framework/calculator/port_name.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace tool {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Pair;

struct Parsed {
  absl::Status status;
  std::string tag = "untouched";
  int index = -7;
  std::string name = "untouched";
};

Parsed ParsePort(absl::string_view port) {
  Parsed result;
  result.status =
      ParseTagIndexName(port, &result.tag, &result.index, &result.name);
  return result;
}

// "tag|index|name", or "error".
std::string PortParts(absl::string_view port) {
  const Parsed parsed = ParsePort(port);
  if (!parsed.status.ok()) return "error";
  return absl::StrCat(parsed.tag, "|", parsed.index, "|", parsed.name);
}

std::string TagIndexParts(absl::string_view tag_index) {
  std::string tag;
  int index = -7;
  if (!ParseTagIndex(tag_index, &tag, &index).ok()) return "error";
  return absl::StrCat(tag, "|", index);
}

TEST(PortNameTest, NamesAreLowerCaseAndStartWithNoDigit) {
  for (const char* name : {"a", "_", "a1", "_1", "abc_def_0", "a__"}) {
    SYNCLINE_EXPECT_OK(ValidateName(name)) << name;
  }
  for (const char* name : {"", "A", "1", "1a", "a b", "a-b", "a.b", "aB",
                           "a:", "\xc3\xa4", "a\n"}) {
    EXPECT_THAT(ValidateName(name), StatusIs(StatusCode::kInvalidArgument))
        << name;
  }
}

TEST(PortNameTest, TagsAreUpperCaseAndStartWithNoDigit) {
  for (const char* tag : {"A", "_", "A1", "_1", "ABC_DEF_0"}) {
    SYNCLINE_EXPECT_OK(ValidateTag(tag)) << tag;
  }
  for (const char* tag : {"", "a", "1", "1A", "A B", "A-B", "Ab"}) {
    EXPECT_THAT(ValidateTag(tag), StatusIs(StatusCode::kInvalidArgument))
        << tag;
  }
}

TEST(PortNameTest, NumbersHaveNoLeadingZeros) {
  for (const char* number : {"0", "1", "9", "10", "123456"}) {
    SYNCLINE_EXPECT_OK(ValidateNumber(number)) << number;
  }
  for (const char* number : {"", "00", "01", "-1", "+1", "1a", " 1", "a"}) {
    EXPECT_THAT(ValidateNumber(number), StatusIs(StatusCode::kInvalidArgument))
        << number;
  }
}

TEST(PortNameTest, APortIsANameWithATagAndAnIndexOrOnlyTheTag) {
  EXPECT_EQ(PortParts("frames"), "|-1|frames");
  EXPECT_EQ(PortParts("IMAGE:frames"), "IMAGE|0|frames");
  EXPECT_EQ(PortParts("IMAGE:0:frames"), "IMAGE|0|frames");
  EXPECT_EQ(PortParts("IMAGE:12:frames"), "IMAGE|12|frames");
  EXPECT_EQ(PortParts("_:_"), "_|0|_");
}

TEST(PortNameTest, OtherFormsOfPortsAreErrors) {
  for (const char* port :
       {"", ":", "::", ":name", ":1:name", "TAG:", "TAG::name",
        "TAG:1:", "TAG:01:name", "TAG:-1:name", "TAG:x:name", "tag:name",
        "TAG:NAME", "1:name", "A:1:b:c", " a", "a ", "TAG: name"}) {
    EXPECT_EQ(PortParts(port), "error") << port;
  }
}

TEST(PortNameTest, AnErrorLeavesTheResultsAlone) {
  const Parsed parsed = ParsePort("TAG:1:");
  EXPECT_EQ(parsed.tag, "untouched");
  EXPECT_EQ(parsed.index, -7);
  EXPECT_EQ(parsed.name, "untouched");
}

TEST(PortNameTest, TheLargestIndexIsAllowedAndTheNextIsNot) {
  EXPECT_EQ(kMaxCollectionItemId, 10000);
  EXPECT_EQ(PortParts("T:10000:n"), "T|10000|n");
  EXPECT_EQ(PortParts("T:10001:n"), "error");
  EXPECT_EQ(TagIndexParts("T:10000"), "T|10000");
  EXPECT_EQ(TagIndexParts("T:10001"), "error");
  EXPECT_THAT(ParsePort("T:99999999999999999999:n").status,
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"99999999999999999999\""),
                             HasSubstr("10000"))));
}

TEST(PortNameTest, ATagIndexMayLackEitherPart) {
  EXPECT_EQ(TagIndexParts(""), "|0");
  EXPECT_EQ(TagIndexParts("TAG"), "TAG|0");
  EXPECT_EQ(TagIndexParts("TAG:1"), "TAG|1");
  EXPECT_EQ(TagIndexParts(":1"), "|1");
  for (const char* tag_index : {":", "TAG:", "tag", "1", "TAG:01", "A:1:b"}) {
    EXPECT_EQ(TagIndexParts(tag_index), "error") << tag_index;
  }
}

TEST(PortNameTest, ATagAndNameHasNoIndex) {
  std::string tag = "x", name;
  SYNCLINE_EXPECT_OK(ParseTagAndName("name", &tag, &name));
  EXPECT_THAT(std::make_pair(tag, name), Pair("", "name"));
  SYNCLINE_EXPECT_OK(ParseTagAndName("TAG:name", &tag, &name));
  EXPECT_THAT(std::make_pair(tag, name), Pair("TAG", "name"));
  EXPECT_THAT(ParseTagAndName("TAG:0:name", &tag, &name),
              StatusIs(StatusCode::kInvalidArgument));
}

TEST(PortNameTest, ErrorsNameTheTextAndWhatIsExpected) {
  EXPECT_THAT(
      ParsePort("IMAGE:Frames").status,
      StatusIs(
          StatusCode::kInvalidArgument,
          AllOf(HasSubstr("\"IMAGE:Frames\""), HasSubstr("\"TAG:index:name\""),
                HasSubstr("\"Frames\""), HasSubstr("[a-z_][a-z0-9_]*"))));
}

TEST(PortNameTest, ErrorsShowStrangeBytesEscapedAndLongTextsCut) {
  EXPECT_THAT(ValidateName(std::string("a\0\xff", 3)),
              StatusIs(testing::_, HasSubstr("\"a\\x00\\xff\"")));
  const absl::Status status = ValidateName(std::string(1 << 20, 'A'));
  EXPECT_LT(status.message().size(), 300);
}

TEST(PortNameTest, NameTagAndIndexCanBeTakenFromAPort) {
  EXPECT_EQ(ParseNameFromStream("TAG:1:name"), "name");
  EXPECT_EQ(ParseNameFromStream("name"), "name");
  EXPECT_EQ(ParseNameFromStream("TAG:"), "");
  EXPECT_THAT(ParseTagIndexFromStream("TAG:2:name"), Pair("TAG", 2));
  EXPECT_THAT(ParseTagIndexFromStream("TAG:name"), Pair("TAG", 0));
  EXPECT_THAT(ParseTagIndexFromStream("name"), Pair("", -1));
}

TEST(PortNameTest, PartsCanBePutTogether) {
  EXPECT_EQ(CatTag("TAG", 0), "TAG");
  EXPECT_EQ(CatTag("TAG", 2), "TAG:2");
  EXPECT_EQ(CatTag("", 2), ":2");
  EXPECT_EQ(CatTag("", 0), "");
  EXPECT_EQ(CatStream({"TAG", 0}, "name"), "TAG:name");
  EXPECT_EQ(CatStream({"TAG", 2}, "name"), "TAG:2:name");
  EXPECT_EQ(CatStream({"", -1}, "name"), "name");
}

}  // namespace
}  // namespace tool
}  // namespace syncline
