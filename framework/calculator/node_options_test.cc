// Options by type, wherever the node carries them.
#include "framework/calculator/node_options.h"

#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/calculator/mutable_node_options.h"
#include "framework/component/node_config.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;

using Node = CalculatorGraphConfig::Node;
// Stands in `options` as an extension, and may stand in node_options.
using Extension = PacketGeneratorWrapperCalculatorOptions;
// An extension of another container: may stand in node_options only.
using AnyOnly = ThreadPoolExecutorOptions;

Extension MakeExtension(const std::string& name) {
  Extension options;
  options.set_packet_generator(name);
  return options;
}

AnyOnly MakeAnyOnly(int threads) {
  AnyOnly options;
  options.set_num_threads(threads);
  return options;
}

TEST(NodeOptionsTest, WithoutOptionsThereAreDefaults) {
  const Node node;
  const NodeOptions options(node);
  EXPECT_FALSE(options.Has<Extension>());
  EXPECT_FALSE(options.Has<AnyOnly>());
  EXPECT_EQ(options.Get<Extension>().packet_generator(), "");
  EXPECT_EQ(options.Get<AnyOnly>().num_threads(), 0);
}

TEST(NodeOptionsTest, ExtensionsAndAnysAreFoundByType) {
  Node node;
  *node.mutable_options()->MutableExtension(Extension::ext) =
      MakeExtension("e");
  node.add_node_options()->PackFrom(MakeAnyOnly(3));
  const NodeOptions options(node);
  EXPECT_TRUE(options.Has<Extension>());
  EXPECT_TRUE(options.Has<AnyOnly>());
  EXPECT_EQ(options.Get<Extension>().packet_generator(), "e");
  EXPECT_EQ(options.Get<AnyOnly>().num_threads(), 3);
}

TEST(NodeOptionsTest, AnExtensionTypeMayStandInNodeOptions) {
  Node node;
  node.add_node_options()->PackFrom(MakeExtension("a"));
  const NodeOptions options(node);
  EXPECT_TRUE(options.Has<Extension>());
  EXPECT_EQ(options.Get<Extension>().packet_generator(), "a");
}

TEST(NodeOptionsTest, OptionsBeatNodeOptionsOfTheSameType) {
  Node node;
  node.add_node_options()->PackFrom(MakeExtension("any"));
  *node.mutable_options()->MutableExtension(Extension::ext) =
      MakeExtension("extension");
  EXPECT_EQ(NodeOptions(node).Get<Extension>().packet_generator(), "extension");
}

TEST(NodeOptionsTest, OnlyTheNameAfterTheSlashCounts) {
  Node node;
  node.add_node_options()->PackFrom(MakeAnyOnly(3));
  for (const char* url :
       {"type.googleapis.com/mediapipe.ThreadPoolExecutorOptions",
        "type.googleapis.com/syncline.ThreadPoolExecutorOptions",
        "example.com/a/syncline.ThreadPoolExecutorOptions",
        "syncline.ThreadPoolExecutorOptions"}) {
    node.mutable_node_options(0)->set_type_url(url);
    EXPECT_EQ(NodeOptions(node).Get<AnyOnly>().num_threads(), 3) << url;
  }
  for (const char* url :
       {"type.googleapis.com/other.ThreadPoolExecutorOptions",
        "type.googleapis.com/ThreadPoolExecutorOptions", "", "/"}) {
    node.mutable_node_options(0)->set_type_url(url);
    EXPECT_FALSE(NodeOptions(node).Has<AnyOnly>()) << url;
  }
}

TEST(NodeOptionsTest, AskingAgainGivesTheSameObject) {
  Node node;
  node.add_node_options()->PackFrom(MakeAnyOnly(3));
  const NodeOptions options(node);
  EXPECT_EQ(&options.Get<AnyOnly>(), &options.Get<AnyOnly>());
}

TEST(NodeOptionsTest, ManyThreadsMayAskAtOnce) {
  Node node;
  node.add_node_options()->PackFrom(MakeAnyOnly(3));
  node.add_node_options()->PackFrom(MakeExtension("a"));
  const NodeOptions options(node);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&options] {
      for (int j = 0; j < 100; ++j) {
        EXPECT_EQ(options.Get<AnyOnly>().num_threads(), 3);
        EXPECT_EQ(options.Get<Extension>().packet_generator(), "a");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(NodeOptionsTest, BytesThatAreNoSuchMessageEndTheCallWithTheTypesName) {
  Node node;
  node.add_node_options()->PackFrom(MakeAnyOnly(3));
  node.mutable_node_options(0)->set_value("\xff\xff");
  const NodeOptions options(node);
  EXPECT_THAT(CallUserCode([&] {
                options.Get<AnyOnly>();
                return absl::OkStatus();
              }),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("syncline.ThreadPoolExecutorOptions")));
}

TEST(NodeOptionsTest, OneTypeTwiceInNodeOptionsIsAnError) {
  Node node;
  node.add_node_options()->PackFrom(MakeAnyOnly(1));
  node.add_node_options()->PackFrom(MakeExtension("a"));
  SYNCLINE_EXPECT_OK(ValidateNodeOptions(node));
  *node.add_node_options() = node.node_options(0);
  node.mutable_node_options(2)->set_type_url(
      "x/mediapipe.ThreadPoolExecutorOptions");
  EXPECT_THAT(
      ValidateNodeOptions(node),
      StatusIs(StatusCode::kInvalidArgument,
               AllOf(HasSubstr("\"syncline.ThreadPoolExecutorOptions\""),
                     HasSubstr("node_options"))));
}

TEST(MutableNodeOptionsTest, WhatIsSetStandsInTheNode) {
  Node node;
  MutableNodeOptions options(&node);
  options.Set(MakeExtension("e"));
  options.Set(MakeAnyOnly(1));
  options.Set(MakeAnyOnly(2));
  EXPECT_TRUE(node.options().HasExtension(Extension::ext));
  EXPECT_EQ(node.node_options_size(), 1);
  EXPECT_EQ(NodeOptions(node).Get<AnyOnly>().num_threads(), 2);
  EXPECT_EQ(options.Get<AnyOnly>().num_threads(), 2);
  EXPECT_TRUE(options.Has<Extension>());
}

TEST(MutableNodeOptionsTest, AMutableCopyStaysOutOfTheNode) {
  Node node;
  MutableNodeOptions options(&node);
  options.GetMutable<AnyOnly>()->set_num_threads(5);
  EXPECT_EQ(options.Get<AnyOnly>().num_threads(), 5);
  EXPECT_FALSE(NodeOptions(node).Has<AnyOnly>());
}

TEST(NodeOptionsTest, ANodeThatIsKeptAsBytesHasNone) {
  Node node;
  node.set_calculator("X");
  const std::string bytes = node.SerializeAsString();
  NodeConfig config;
  config.SetBytes(bytes);
  NodeOptions options(node);
  EXPECT_FALSE(options.is_packed());
  options.SetConfig(config);
  EXPECT_TRUE(options.is_packed());
  EXPECT_FALSE(options.Has<Extension>());
  EXPECT_FALSE(options.Has<AnyOnly>());
  EXPECT_EQ(options.Get<Extension>().packet_generator(), "");
  EXPECT_EQ(options.Get<AnyOnly>().num_threads(), 0);
  EXPECT_FALSE(options.container().HasExtension(Extension::ext));
  EXPECT_EQ(&options.node(), &*config);
  EXPECT_EQ(options.node().calculator(), "X");
}

TEST(NodeOptionsTest, MayBeGivenAnotherNode) {
  const Node none;
  Node node;
  node.add_node_options()->PackFrom(MakeAnyOnly(3));
  NodeOptions options(none);
  options.SetNode(node);
  EXPECT_EQ(options.Get<AnyOnly>().num_threads(), 3);
  EXPECT_EQ(&options.node(), &node);
}

}  // namespace
}  // namespace syncline
