// Names in MediaPipe's package become ours, wherever in a graph they stand.

#include "framework/graph_text/normalize_names.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/graph_text/testdata/foreign.pb.h"
#include "framework/graph_text/testdata/reading.pb.h"
#include "framework/graph_text/testdata/reading_proto3.pb.h"
#include "google/protobuf/any.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::google::protobuf::Any;

TEST(NormalizeNamesTest, APrefixOfEverySpellingIsReplaced) {
  EXPECT_EQ(NormalizedName("mediapipe"), "syncline");
  EXPECT_EQ(NormalizedName("mediapipe.X"), "syncline.X");
  EXPECT_EQ(NormalizedName(".mediapipe.a.X"), ".syncline.a.X");
  EXPECT_EQ(NormalizedName("mediapipe::X"), "syncline::X");
  EXPECT_EQ(NormalizedName("::mediapipe::X"), "::syncline::X");
}

TEST(NormalizeNamesTest, WhatOnlyLooksLikeThePrefixStays) {
  for (const char* name :
       {"", "X", "syncline.X", "mediapiper.X", "mediapipe_X", "a.mediapipe.X",
        "mediapipe:X", "Mediapipe.X", "..mediapipe"}) {
    EXPECT_EQ(NormalizedName(name), name);
  }
}

TEST(NormalizeNamesTest, EveryRegisteredNameOfAGraphIsReplaced) {
  CalculatorGraphConfig config;
  config.set_package("mediapipe.sub");
  config.set_type("mediapipe.MyGraph");
  config.add_node()->set_calculator("mediapipe.A");
  config.mutable_node(0)
      ->mutable_input_stream_handler()
      ->set_input_stream_handler("mediapipe.In");
  config.mutable_node(0)
      ->mutable_output_stream_handler()
      ->set_output_stream_handler("mediapipe.Out");
  config.mutable_input_stream_handler()->set_input_stream_handler(
      "mediapipe.GraphIn");
  config.add_executor()->set_type("mediapipe.E");
  config.add_packet_generator()->set_packet_generator("mediapipe.G");
  config.add_packet_factory()->set_packet_factory("mediapipe.F");
  config.add_status_handler()->set_status_handler("mediapipe.S");

  NormalizeNames(&config);

  EXPECT_EQ(config.package(), "syncline.sub");
  EXPECT_EQ(config.type(), "syncline.MyGraph");
  const CalculatorGraphConfig::Node& node = config.node(0);
  EXPECT_EQ(node.calculator(), "syncline.A");
  EXPECT_EQ(node.input_stream_handler().input_stream_handler(), "syncline.In");
  EXPECT_EQ(node.output_stream_handler().output_stream_handler(),
            "syncline.Out");
  EXPECT_EQ(config.input_stream_handler().input_stream_handler(),
            "syncline.GraphIn");
  EXPECT_EQ(config.executor(0).type(), "syncline.E");
  EXPECT_EQ(config.packet_generator(0).packet_generator(), "syncline.G");
  EXPECT_EQ(config.packet_factory(0).packet_factory(), "syncline.F");
  EXPECT_EQ(config.status_handler(0).status_handler(), "syncline.S");
}

TEST(NormalizeNamesTest, ANodeOfNothingButNamesIsLookedAtToo) {
  CalculatorGraphConfig config;
  config.add_node()->set_calculator("mediapipe.A");
  config.add_node()->set_calculator("B");
  config.add_node()->set_calculator("::mediapipe::C");
  for (CalculatorGraphConfig::Node& node : *config.mutable_node()) {
    node.add_input_stream("mediapipe.in");
    ASSERT_TRUE(HasNoMessages(node));
  }
  NormalizeNames(&config);
  EXPECT_EQ(config.node(0).calculator(), "syncline.A");
  EXPECT_EQ(config.node(1).calculator(), "B");
  EXPECT_EQ(config.node(2).calculator(), "::syncline::C");
  EXPECT_EQ(config.node(0).input_stream(0), "mediapipe.in");
}

TEST(NormalizeNamesTest, NodesInsideFusedNodesAreReached) {
  CalculatorGraphConfig config;
  config.add_node()->add_fused_node()->set_calculator("mediapipe.A");
  NormalizeNames(&config);
  EXPECT_EQ(config.node(0).fused_node(0).calculator(), "syncline.A");
}

TEST(NormalizeNamesTest, OtherStringsStay) {
  CalculatorGraphConfig config;
  CalculatorGraphConfig::Node* node = config.add_node();
  node->set_name("mediapipe.node");
  node->set_executor("mediapipe");
  node->add_input_stream("mediapipe");
  node->mutable_options()
      ->MutableExtension(ReadingOptions::ext)
      ->set_text("mediapipe.text");
  config.add_executor()->set_name("mediapipe");
  const std::string before = config.SerializeAsString();
  NormalizeNames(&config);
  EXPECT_EQ(config.SerializeAsString(), before);
}

TEST(NormalizeNamesTest, NodesInsideOptionsAreReached) {
  CalculatorGraphConfig config;
  config.add_node()
      ->mutable_options()
      ->MutableExtension(ReadingOptions::ext)
      ->add_node()
      ->set_calculator("mediapipe.Inner");
  NormalizeNames(&config);
  EXPECT_EQ(config.node(0)
                .options()
                .GetExtension(ReadingOptions::ext)
                .node(0)
                .calculator(),
            "syncline.Inner");
}

Any AnyOf(const std::string& type, const google::protobuf::Message& value) {
  Any any;
  any.set_type_url(absl::StrCat("type.googleapis.com/", type));
  any.set_value(value.SerializeAsString());
  return any;
}

TEST(NormalizeNamesTest, TheTypeOfAnAnyIsReplaced) {
  ReadingProto3Options options;
  options.set_text("x");
  Any any = AnyOf("mediapipe.ReadingProto3Options", options);
  NormalizeNames(&any);
  ReadingProto3Options read;
  ASSERT_TRUE(any.UnpackTo(&read)) << any.type_url();
  EXPECT_EQ(read.text(), "x");
}

TEST(NormalizeNamesTest, ATypeOfAnotherNameIsFoundByTheSameRule) {
  Any any = AnyOf("mediapipe.MediaPipeReadingOptions", ReadingOptions());
  NormalizeNames(&any);
  EXPECT_EQ(any.type_url(),
            "type.googleapis.com/syncline.SynclineReadingOptions");
}

TEST(NormalizeNamesTest, ATypeThatNobodyKnowsGetsThePrefix) {
  Any any = AnyOf("mediapipe.Unknown", ReadingOptions());
  NormalizeNames(&any);
  EXPECT_EQ(any.type_url(), "type.googleapis.com/syncline.Unknown");
}

TEST(NormalizeNamesTest, AUsersOwnTypeInThatPackageStays) {
  Any any = AnyOf("mediapipe.ForeignOptions", mediapipe::ForeignOptions());
  NormalizeNames(&any);
  EXPECT_TRUE(any.Is<mediapipe::ForeignOptions>()) << any.type_url();
}

TEST(NormalizeNamesTest, AnysInsideAnysAreReached) {
  ReadingOptions outer;
  *outer.mutable_any() =
      AnyOf("mediapipe.ReadingProto3Options", ReadingProto3Options());
  outer.add_node()->set_calculator("mediapipe.Inner");
  Any any = AnyOf("mediapipe.ReadingOptions", outer);

  NormalizeNames(&any);

  ReadingOptions read;
  ASSERT_TRUE(any.UnpackTo(&read)) << any.type_url();
  EXPECT_TRUE(read.any().Is<ReadingProto3Options>());
  EXPECT_EQ(read.node(0).calculator(), "syncline.Inner");
}

// 1000 levels would cost 1000 x the size.
TEST(NormalizeNamesTest, VeryDeepAnysAreLeftAlone) {
  Any any = AnyOf("mediapipe.ReadingOptions", ReadingOptions());
  for (int i = 0; i < 1000; ++i) {
    ReadingOptions outer;
    *outer.mutable_any() = any;
    any = AnyOf("mediapipe.ReadingOptions", outer);
  }
  NormalizeNames(&any);
  EXPECT_TRUE(any.Is<ReadingOptions>());
  ReadingOptions read;
  int levels = 0;
  while (any.UnpackTo(&read) && read.has_any()) {
    any = read.any();
    ++levels;
  }
  EXPECT_EQ(levels, 17);
}

TEST(NormalizeNamesTest, AValueThatIsNotOfItsTypeStays) {
  Any any;
  any.set_type_url("type.googleapis.com/mediapipe.ReadingOptions");
  any.set_value("\xFFmediapipe");
  NormalizeNames(&any);
  EXPECT_EQ(any.value(), "\xFFmediapipe");
}

TEST(NormalizeNamesTest, AnAnyWithoutSlashOrTypeIsNoTrouble) {
  Any any;
  NormalizeNames(&any);
  EXPECT_EQ(any.type_url(), "");
  any.set_type_url("mediapipe.ReadingOptions");
  NormalizeNames(&any);
  EXPECT_EQ(any.type_url(), "syncline.ReadingOptions");
}

}  // namespace
}  // namespace syncline
