// Names in configs, layouts from lists, and options by type, under the names
// that tools know.
#include "framework/tool/name_util.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/tool/options_map.h"
#include "framework/tool/tag_map.h"
#include "framework/tool/tag_map_helper.h"
#include "framework/tool/validate_name.h"

namespace syncline {
namespace tool {
namespace {

using ::testing::ElementsAre;

CalculatorGraphConfig Config() {
  return ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_side_packet: "MODEL:model"
    node { name: "a" calculator: "X" }
    node { name: "a_02" calculator: "X" output_side_packet: "SIZE:size" }
    node { calculator: "X" }
    node { calculator: "Y" }
    node { calculator: "X" }
  )pb");
}

TEST(NameUtilTest, AnUnusedNodeNameIsTheBaseOrTheFirstFreeNumber) {
  EXPECT_EQ(GetUnusedNodeName(Config(), "b"), "b");
  EXPECT_EQ(GetUnusedNodeName(Config(), "a"), "a_03");
}

TEST(NameUtilTest, AnUnusedSidePacketNameIsNoPortsName) {
  EXPECT_EQ(GetUnusedSidePacketName(Config(), "x"), "x");
  EXPECT_EQ(GetUnusedSidePacketName(Config(), "model"), "model_02");
  EXPECT_EQ(GetUnusedSidePacketName(Config(), "size"), "size_02");
}

TEST(NameUtilTest, NodesThatShareANameAreAllNumbered) {
  EXPECT_EQ(CanonicalNodeName(Config(), 0), "a");
  EXPECT_EQ(CanonicalNodeName(Config(), 2), "X_1");
  EXPECT_EQ(CanonicalNodeName(Config(), 3), "Y");
  EXPECT_EQ(CanonicalNodeName(Config(), 4), "X_2");
}

TEST(NameUtilTest, ATagIndexIsSplit) {
  EXPECT_EQ(ParseTagIndex("TAG:3"), std::make_pair(std::string("TAG"), 3));
  EXPECT_EQ(ParseTagIndex("TAG"), std::make_pair(std::string("TAG"), 0));
  EXPECT_EQ(ParseTagIndex("tag"), std::make_pair(std::string(), -1));
}

TEST(ValidateNameTest, PortsBecomeTagsBesideNamesAndPortsAgain) {
  CalculatorGraphConfig config;
  config.add_input_stream("A:a");
  config.add_input_stream("B:b");
  TagAndNameInfo info;
  SYNCLINE_ASSERT_OK(GetTagAndNameInfo(config.input_stream(), &info));
  EXPECT_THAT(info.tags, ElementsAre("A", "B"));
  EXPECT_THAT(info.names, ElementsAre("a", "b"));
  SYNCLINE_ASSERT_OK(
      SetFromTagAndNameInfo(info, config.mutable_output_stream()));
  EXPECT_THAT(config.output_stream(), ElementsAre("A:a", "B:b"));
  info.tags.clear();
  SYNCLINE_ASSERT_OK(
      SetFromTagAndNameInfo(info, config.mutable_output_stream()));
  EXPECT_THAT(config.output_stream(), ElementsAre("a", "b"));
}

TEST(ValidateNameTest, PortsWithAndWithoutTagsAreNotMixed) {
  CalculatorGraphConfig config;
  config.add_input_stream("A:a");
  config.add_input_stream("b");
  TagAndNameInfo info;
  EXPECT_THAT(GetTagAndNameInfo(config.input_stream(), &info),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       ::testing::HasSubstr("\"b\"")));
  config.set_input_stream(1, "not a name");
  EXPECT_FALSE(GetTagAndNameInfo(config.input_stream(), &info).ok());
  info.tags = {"A"};
  EXPECT_FALSE(
      SetFromTagAndNameInfo(info, config.mutable_output_stream()).ok());
  info.names = {"Not A Name"};
  EXPECT_FALSE(
      SetFromTagAndNameInfo(info, config.mutable_output_stream()).ok());
  EXPECT_EQ(internal::kMaxCollectionItemId, 10000);
}

TEST(TagMapHelperTest, MakesALayoutOfPortsCountsOrTags) {
  EXPECT_THAT((*CreateTagMap({"B:b", "A:a"}))->CanonicalEntries(),
              ElementsAre("A:a", "B:b"));
  EXPECT_THAT((*CreateTagMap(2))->CanonicalEntries(),
              ElementsAre("name0", "name1"));
  EXPECT_THAT((*CreateTagMapFromTags({"T:1", "T", ""}))->CanonicalEntries(),
              ElementsAre("name2", "T:0:name1", "T:1:name0"));
  EXPECT_EQ(CreateTagMap(-1).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(OptionsMapTest, FindsAndChangesOptionsByType) {
  CalculatorGraphConfig::Node node;
  MutableOptionsMap options;
  options.Initialize(node);
  EXPECT_FALSE(options.Has<PacketGeneratorWrapperCalculatorOptions>());
  PacketGeneratorWrapperCalculatorOptions wrapper;
  wrapper.set_packet_generator("G");
  options.Set(wrapper);
  ThreadPoolExecutorOptions threads;
  threads.set_num_threads(3);
  options.Set(threads);

  OptionsMap read;
  read.Initialize(node);
  EXPECT_EQ(
      read.Get<PacketGeneratorWrapperCalculatorOptions>().packet_generator(),
      "G");
  EXPECT_EQ(read.Get<ThreadPoolExecutorOptions>().num_threads(), 3);
  EXPECT_TRUE(node.options().HasExtension(
      PacketGeneratorWrapperCalculatorOptions::ext));
  EXPECT_EQ(node.node_options_size(), 1);
}

}  // namespace
}  // namespace tool
}  // namespace syncline
