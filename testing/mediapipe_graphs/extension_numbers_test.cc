// The options of every calculator, handler and executor have MediaPipe's names
// and extension numbers, so that text and bytes of its graphs find them.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/graph_text/graph_source.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

struct Extension {
  const char* extended;
  const char* options;
  int number;
};

constexpr char kCalculator[] = "CalculatorOptions";
constexpr char kOther[] = "SynclineOptions";

const Extension kExtensions[] = {
    {kOther, "ThreadPoolExecutorOptions", 157116819},
    {kOther, "DefaultInputStreamHandlerOptions", 164312821},
    {kOther, "FixedSizeInputStreamHandlerOptions", 125744319},
    {kOther, "SyncSetInputStreamHandlerOptions", 155816273},
    {kOther, "TimestampAlignInputStreamHandlerOptions", 190104979},
    {kCalculator, "PacketGeneratorWrapperCalculatorOptions", 381945445},
    {kCalculator, "SidePacketsToStreamsCalculatorOptions", 60982839},
    {kCalculator, "SwitchContainerOptions", 345967970},
    {kCalculator, "CallbackPacketCalculatorOptions", 245965803},
    {kCalculator, "BypassCalculatorOptions", 481259677},
    {kCalculator, "ClipVectorSizeCalculatorOptions", 274674998},
    {kCalculator, "ConcatenateVectorCalculatorOptions", 259397839},
    {kCalculator, "CollectionHasMinSizeCalculatorOptions", 259397840},
    {kCalculator, "ConstantSidePacketCalculatorOptions", 291214597},
    {kCalculator, "DequantizeByteArrayCalculatorOptions", 272316343},
    {kCalculator, "FlowLimiterCalculatorOptions", 326963320},
    {kCalculator, "GateCalculatorOptions", 261754847},
    {kCalculator, "GetVectorItemCalculatorOptions", 463538543},
    {kCalculator, "PacketClonerCalculatorOptions", 258872085},
    {kCalculator, "PacketResamplerCalculatorOptions", 95743844},
    {kCalculator, "PacketThinnerCalculatorOptions", 288533508},
    {kCalculator, "QuantizeFloatVectorCalculatorOptions", 259848061},
    {kCalculator, "SequenceShiftCalculatorOptions", 107633927},
    {kCalculator, "SplitVectorCalculatorOptions", 259438222},
    {kCalculator, "LogicCalculatorOptions", 338731246},
    {kCalculator, "ThresholdingCalculatorOptions", 259990498},
};

class ExtensionNumbersTest : public testing::TestWithParam<Extension> {};
INSTANTIATE_TEST_SUITE_P(Options, ExtensionNumbersTest,
                         testing::ValuesIn(kExtensions),
                         [](const testing::TestParamInfo<Extension>& info) {
                           return info.param.options;
                         });

TEST_P(ExtensionNumbersTest, TheNumberIsThatOfTheOptions) {
  const auto& pool = *google::protobuf::DescriptorPool::generated_pool();
  const auto* const extended = pool.FindMessageTypeByName(
      absl::StrCat("syncline.", GetParam().extended));
  ASSERT_NE(extended, nullptr);
  const auto* const extension =
      pool.FindExtensionByNumber(extended, GetParam().number);
  ASSERT_NE(extension, nullptr);
  EXPECT_EQ(extension->full_name(),
            absl::StrCat("syncline.", GetParam().options, ".ext"));
  EXPECT_EQ(extension->message_type()->full_name(),
            absl::StrCat("syncline.", GetParam().options));
}

TEST_P(ExtensionNumbersTest, BothStylesAreReadByTheirOldNames) {
  const bool is_calculator =
      absl::string_view(GetParam().extended) == kCalculator;
  const std::string options = GetParam().options;
  const std::string extension =
      absl::StrCat("options { [mediapipe.", options, ".ext] { } }");
  const std::string any =
      absl::StrCat("[type.googleapis.com/mediapipe.", options, "] { }");
  const absl::StatusOr<GraphSource> graph = ReadGraphText(
      is_calculator
          ? absl::StrCat("node { ", extension, " node_options { ", any, " } }")
          : absl::StrCat(extension, " graph_options { ", any, " }"));
  SYNCLINE_ASSERT_OK(graph);
  const std::string text = graph->config.DebugString();
  EXPECT_THAT(text, HasSubstr(absl::StrCat("[syncline.", options, ".ext]")));
  EXPECT_THAT(text, HasSubstr(absl::StrCat("[type.googleapis.com/syncline.",
                                           options, "]")));
}

}  // namespace
}  // namespace syncline
