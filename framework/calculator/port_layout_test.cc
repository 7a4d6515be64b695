// Ports of a node as dense ids.
#include "framework/calculator/port_layout.h"

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

using Ports = std::vector<std::string>;

std::shared_ptr<const PortLayout> Layout(const Ports& ports) {
  return PortLayout::Create(ports).value();
}

TEST(PortLayoutTest, IdsFollowSortedTagsAndIndexesNotTheConfig) {
  const auto layout = Layout({"B:b", "A:1:a1", "x", "A:0:a0", "y"});
  EXPECT_THAT(layout->Names(), ElementsAre("x", "y", "a0", "a1", "b"));
  EXPECT_EQ(layout->NumEntries(), 5);
  EXPECT_EQ(layout->GetId("", 1).value(), 1);
  EXPECT_EQ(layout->GetId("A", 1).value(), 3);
  EXPECT_THAT(layout->TagAndIndexFromId(CollectionItemId(3)), Pair("A", 1));
  EXPECT_THAT(layout->GetTags(), ElementsAre("", "A", "B"));
}

TEST(PortLayoutTest, TagsMayBeTakenAsASet) {
  const auto layout = Layout({"B:b", "A:1:a1", "x", "A:0:a0"});
  const std::set<std::string> set = layout->GetTags();
  EXPECT_THAT(set, ElementsAre("", "A", "B"));
  const absl::flat_hash_set<std::string> hashed = layout->GetTags();
  EXPECT_THAT(hashed, UnorderedElementsAre("", "A", "B"));
  EXPECT_EQ(layout->GetTags(), set);
  EXPECT_EQ(set, layout->GetTags());
  EXPECT_FALSE(layout->GetTags() == std::set<std::string>({"A", "B"}));
}

TEST(PortLayoutTest, TagsAreAskedLikeASet) {
  const TagSet& tags = Layout({"B:b", "A:a", "D:d"})->GetTags();
  EXPECT_EQ(*tags.find("B"), "B");
  for (const char* absent : {"", "AA", "C", "E"}) {
    EXPECT_EQ(tags.find(absent), tags.end());
    EXPECT_FALSE(tags.contains(absent));
    EXPECT_EQ(tags.count(absent), 0);
  }
  for (const char* there : {"A", "B", "D"}) {
    EXPECT_TRUE(tags.contains(there));
    EXPECT_EQ(tags.count(there), 1);
  }
}

TEST(PortLayoutTest, PortsThatAreNotThereHaveNoId) {
  const auto layout = Layout({"A:a", "x"});
  EXPECT_FALSE(layout->GetId("A", 1).IsValid());
  EXPECT_FALSE(layout->GetId("A", -1).IsValid());
  EXPECT_FALSE(layout->GetId("C", 0).IsValid());
  EXPECT_THAT(layout->TagAndIndexFromId(CollectionItemId(2)), Pair("", -1));
  EXPECT_THAT(layout->TagAndIndexFromId(CollectionItemId()), Pair("", -1));
  EXPECT_EQ(layout->Name("A", 0), "a");
  EXPECT_EQ(layout->Name("C", 0), "");
  EXPECT_EQ(layout->BeginId("C"), layout->EndId("C"));
}

TEST(PortLayoutTest, TheIdsOfATagAreARange) {
  const auto layout = Layout({"B:b", "A:0:a0", "A:1:a1"});
  EXPECT_EQ(layout->BeginId("A").value(), 0);
  EXPECT_EQ(layout->EndId("A").value(), 2);
  EXPECT_EQ(layout->NumEntries("A"), 2);
  EXPECT_EQ(layout->BeginId("B").value(), 2);
}

TEST(PortLayoutTest, ATagGivenTwiceWithoutIndexesIsAnErrorThatSaysHow) {
  EXPECT_THAT(PortLayout::Create(Ports{"A:a", "A:b"}).status(),
              StatusIs(StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("\"A\" index 0 is given twice"),
                             HasSubstr("\"A:1:"))));
}

TEST(PortLayoutTest, AMissingIndexIsAnErrorThatNamesIt) {
  EXPECT_THAT(PortLayout::Create(Ports{"A:0:a", "A:2:c"}).status(),
              StatusIs(StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("Not all indexes were assigned names"),
                             HasSubstr("\"A\""), HasSubstr("index 1"))));
  EXPECT_THAT(PortLayout::Create(Ports{"A:1:a"}).status(),
              StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(PortLayout::Create(Ports{"A:10000:a"}).status(),
              StatusIs(StatusCode::kFailedPrecondition));
}

TEST(PortLayoutTest, AMalformedPortIsAnErrorThatShowsIt) {
  EXPECT_THAT(PortLayout::Create(Ports{"a", "B:"}).status(),
              StatusIs(StatusCode::kInvalidArgument, HasSubstr("\"B:\"")));
}

TEST(PortLayoutTest, TheSameNameMayStandAtSeveralPorts) {
  EXPECT_THAT(Layout({"a", "a", "X:a"})->Names(), ElementsAre("a", "a", "a"));
}

TEST(PortLayoutTest, NamesDoNotMatterForSameness) {
  EXPECT_TRUE(Layout({"A:0:x", "A:1:y"})->SameAs(*Layout({"A:1:p", "A:0:q"})));
  EXPECT_FALSE(Layout({"A:x"})->SameAs(*Layout({"B:x"})));
  EXPECT_FALSE(Layout({"A:x"})->SameAs(*Layout({"A:0:x", "A:1:y"})));
  EXPECT_TRUE(PortLayout::Empty()->SameAs(*Layout({})));
}

TEST(PortLayoutTest, EntriesPrintAsAConfigWouldListThem) {
  const auto layout = Layout({"B:b", "A:1:a1", "x", "A:0:a0"});
  EXPECT_THAT(layout->CanonicalEntries(),
              ElementsAre("x", "A:0:a0", "A:1:a1", "B:b"));
  EXPECT_EQ(layout->DebugString(), "x\nA:0:a0\nA:1:a1\nB:b");
  EXPECT_EQ(layout->ShortDebugString(), R"([ ":0", "A:0", "A:1", "B:0" ])");
  EXPECT_EQ(PortLayout::Empty()->ShortDebugString(), "[]");
}

TEST(PortLayoutTest, TheMappingHasTheFirstIdAndTheCountOfEachTag) {
  const auto mapping = Layout({"B:b", "A:1:a1", "A:0:a0"})->Mapping();
  ASSERT_EQ(mapping.size(), 2);
  EXPECT_EQ(mapping.at("A").count, 2);
  EXPECT_EQ(mapping.at("B").id.value(), 2);
}

TEST(PortLayoutTest, CanBeMadeOfTagsAndNames) {
  PortLayout::TagAndNameInfo info{{"A", "", "A"}, {"a", "b", "c"}};
  EXPECT_THAT(PortLayout::Create(info).value()->CanonicalEntries(),
              ElementsAre("b", "A:0:a", "A:1:c"));
  info = {{}, {"a", "b"}};
  EXPECT_THAT(PortLayout::Create(info).value()->CanonicalEntries(),
              ElementsAre("a", "b"));
  info = {{"A"}, {"a", "b"}};
  EXPECT_THAT(PortLayout::Create(info).status(),
              StatusIs(StatusCode::kInvalidArgument));
  info = {{"a"}, {"a"}};
  EXPECT_THAT(PortLayout::Create(info).status(),
              StatusIs(StatusCode::kInvalidArgument));
}

TEST(PortLayoutTest, MissingPortsAreLeftOutUnlessIndexesWouldShift) {
  const auto layout = Layout({"A:0:a0", "A:1:a1", "A:2:a2", "B:b", "C:c"});
  EXPECT_THAT(
      PortLayout::WithoutMissing(layout, {false, true, false, false, true})
          ->CanonicalEntries(),
      ElementsAre("A:0:a0", "A:1:a1", "C:c"));
  EXPECT_EQ(PortLayout::WithoutMissing(layout, std::vector<bool>(5, true)),
            layout);
}

TEST(PortLayoutTest, ManyTagsAreFoundToo) {
  Ports ports;
  for (int i = 0; i < 100; ++i) ports.push_back(absl::StrCat("T", i, ":n", i));
  const auto layout = Layout(ports);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(layout->Name(absl::StrCat("T", i), 0), absl::StrCat("n", i));
  }
  EXPECT_FALSE(layout->HasTag("T100"));
}

// Ten times the ports take about ten times the time; quadratic would take
// minutes.
TEST(PortLayoutTest, TenThousandPortsTakeMilliseconds) {
  Ports indexed, plain;
  for (int i = 10000; i >= 0; --i) {
    indexed.push_back(absl::StrCat("TAG:", i, ":name_", i));
    plain.push_back(absl::StrCat("name_", i));
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Layout(indexed)->NumEntries("TAG"), 10001);
  EXPECT_EQ(Layout(plain)->NumEntries(""), 10001);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  plain.push_back("one_more");
  EXPECT_THAT(PortLayout::Create(plain).status(),
              StatusIs(StatusCode::kInvalidArgument, HasSubstr("10001")));
}

TEST(PortLayoutTest, NamesMayBeKeptAsAVector) {
  const auto layout =
      PortLayout::Create(std::vector<std::string>{"B:b", "a"}).value();
  const std::vector<std::string>& bound = layout->Names();
  const std::vector<std::string> copy = layout->Names();
  EXPECT_THAT(bound, ElementsAre("a", "b"));
  EXPECT_EQ(copy, bound);
}

TEST(PortLayoutTest, APortThatIsGivenTwiceIsNamedAsTheConfigHasIt) {
  const auto error = [](const std::vector<std::string>& ports) {
    return std::string(PortLayout::Create(ports).status().message());
  };
  EXPECT_THAT(error({"B:1:c", "A:1:y", "A:0:x", "B:1:d", "A:0:z", "B:1:e"}),
              HasSubstr("tag \"B\" index 1 is given twice, the first time as "
                        "\"c\""));
  EXPECT_THAT(error({"A:0:x", "A:0:y", "A:0:z"}), HasSubstr("\"x\""));
}

TEST(PortLayoutTest, AnyNumberOfPortsMayBeWithoutATag) {
  for (const int count : {0, 1, 2, 7, 8, 9, 100}) {
    std::vector<std::string> ports;
    for (int i = 0; i < count; ++i) ports.push_back(absl::StrCat("p", i));
    const auto layout = PortLayout::Create(ports).value();
    EXPECT_EQ(layout->NumEntries(), count);
    EXPECT_EQ(layout->NumUntagged(), count);
    EXPECT_EQ(layout->NumEntries(""), count);
    EXPECT_EQ(layout->HasTag(""), count > 0);
    EXPECT_FALSE(layout->HasTag("A"));
    EXPECT_EQ(std::vector<std::string>(layout->Names()), ports);
    EXPECT_EQ(PortLayout::Create(ports).value()->SameAs(*layout), true);
  }
}

}  // namespace
}  // namespace syncline
