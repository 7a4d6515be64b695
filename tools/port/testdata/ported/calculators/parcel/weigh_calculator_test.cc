// Copyright 2023 The Acme Authors.

#include "tools/port/testdata/ported/calculators/parcel/weigh_calculator.h"

#include "tools/port/testdata/ported/calculators/parcel/parcel_test_helper.h"
#include "framework/calculator_framework.h"
#include "framework/port/file_helpers.h"
#include "framework/port/gmock.h"
#include "framework/port/gtest.h"
#include "framework/port/status_matchers.h"
#include "framework/calculator.pb.h"
#include "framework/calculator_graph.h"
#include "framework/tool/type_util.h"

namespace syncline {
namespace {

constexpr char kFolder[] = "tools/port/testdata/ported/calculators/parcel/";

CalculatorGraphConfig GraphFromFile() {
  std::string bytes;
  SYNCLINE_EXPECT_OK(file::GetContents(
      absl::StrCat(kFolder, "parcel_graph.binarypb"), &bytes));
  CalculatorGraphConfig config;
  EXPECT_TRUE(config.ParseFromString(bytes));
  return config;
}

TEST(CorpusPriceTest, FollowsTheTariffs) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const int64 cents, CorpusPrice(ParcelOf(500)));
  EXPECT_EQ(cents, 210);
  EXPECT_THAT(CorpusPrice(ParcelOf(5000)).status().message(),
              testing::HasSubstr("5000 g"));
}

TEST(CorpusPriceTest, TellsTheNotice) {
  EXPECT_THAT(CorpusNotice(), testing::HasSubstr("\"to go\""));
}

TEST(CorpusGraphTest, WeighsWhatIsLight) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(GraphFromFile()));
  std::vector<int64> prices;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("cents", [&](const Packet& packet) {
    prices.push_back(packet.Get<int64>());
    return absl::OkStatus();
  }));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  std::string bytes;
  SYNCLINE_ASSERT_OK(file::GetContents(
      absl::StrCat(kFolder, "sample_parcel.binarypb"), &bytes));
  CorpusParcel sample;
  ASSERT_TRUE(sample.ParseFromString(bytes));
  EXPECT_EQ(sample.label().town(), "Ulm");
  int64 t = 0;
  for (const CorpusParcel& parcel : {sample, ParcelOf(450), ParcelOf(2000)}) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "parcel", MakePacket<CorpusParcel>(parcel).At(Timestamp(++t))));
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllPacketSources());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  EXPECT_THAT(prices, testing::ElementsAre(210, 390));
}

TEST(CorpusParcelTest, HasARegisteredName) {
  EXPECT_EQ(MakePacket<CorpusParcel>().RegisteredTypeName(),
            "::syncline::CorpusParcel");
  EXPECT_EQ(tool::GetTypeHash<CorpusParcel>(),
            kTypeId<CorpusParcel>.hash_code());
}

}  // namespace
}  // namespace syncline
