// Text graphs can name every options type of the framework, in a binary that
// uses none of them in C++.

#include "framework/graph_text/config_types.h"

#include <string>

#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(ConfigTypesTest, EveryOptionsTypeOfTheFrameworkIsLinked) {
  LinkConfigTypes();
  for (const char* name :
       {"CallbackPacketCalculatorOptions", "DefaultInputStreamHandlerOptions",
        "FixedSizeInputStreamHandlerOptions", "NodeChainSubgraphOptions",
        "PacketGeneratorWrapperCalculatorOptions",
        "SidePacketsToStreamsCalculatorOptions", "SwitchContainerOptions",
        "SyncSetInputStreamHandlerOptions", "TemplateSubgraphOptions",
        "ThreadPoolExecutorOptions",
        "TimestampAlignInputStreamHandlerOptions"}) {
    EXPECT_NE(
        google::protobuf::DescriptorPool::generated_pool()->FindExtensionByName(
            std::string("syncline.") + name + ".ext"),
        nullptr)
        << name;
  }
}

}  // namespace
}  // namespace syncline
