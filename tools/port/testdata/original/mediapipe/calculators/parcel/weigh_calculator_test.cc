// Copyright 2023 The Acme Authors.

#include "mediapipe/calculators/parcel/weigh_calculator.h"

#include "mediapipe/calculators/parcel/parcel_test_helper.h"
#include "mediapipe/framework/calculator_framework.h"
#include "mediapipe/framework/port/file_helpers.h"
#include "mediapipe/framework/port/gmock.h"
#include "mediapipe/framework/port/gtest.h"
#include "mediapipe/framework/port/status_matchers.h"

namespace mediapipe {
namespace {

constexpr char kFolder[] = "mediapipe/calculators/parcel/";

CalculatorGraphConfig GraphFromFile() {
  std::string bytes;
  MP_EXPECT_OK(file::GetContents(
      absl::StrCat(kFolder, "parcel_graph.binarypb"), &bytes));
  CalculatorGraphConfig config;
  EXPECT_TRUE(config.ParseFromString(bytes));
  return config;
}

TEST(CorpusPriceTest, FollowsTheTariffs) {
  MP_ASSERT_OK_AND_ASSIGN(const int64 cents, CorpusPrice(ParcelOf(500)));
  EXPECT_EQ(cents, 210);
  EXPECT_THAT(CorpusPrice(ParcelOf(5000)).status().message(),
              testing::HasSubstr("5000 g"));
}

TEST(CorpusPriceTest, TellsTheNotice) {
  EXPECT_THAT(CorpusNotice(), testing::HasSubstr("\"to go\""));
}

TEST(CorpusGraphTest, WeighsWhatIsLight) {
  CalculatorGraph graph;
  MP_ASSERT_OK(graph.Initialize(GraphFromFile()));
  std::vector<int64> prices;
  MP_ASSERT_OK(graph.ObserveOutputStream("cents", [&](const Packet& packet) {
    prices.push_back(packet.Get<int64>());
    return absl::OkStatus();
  }));
  MP_ASSERT_OK(graph.StartRun({}));
  std::string bytes;
  MP_ASSERT_OK(file::GetContents(
      absl::StrCat(kFolder, "sample_parcel.binarypb"), &bytes));
  CorpusParcel sample;
  ASSERT_TRUE(sample.ParseFromString(bytes));
  EXPECT_EQ(sample.label().town(), "Ulm");
  int64 t = 0;
  for (const CorpusParcel& parcel : {sample, ParcelOf(450), ParcelOf(2000)}) {
    MP_ASSERT_OK(graph.AddPacketToInputStream(
        "parcel", MakePacket<CorpusParcel>(parcel).At(Timestamp(++t))));
  }
  MP_ASSERT_OK(graph.CloseAllPacketSources());
  MP_ASSERT_OK(graph.WaitUntilDone());
  EXPECT_THAT(prices, testing::ElementsAre(210, 390));
}

TEST(CorpusParcelTest, HasARegisteredName) {
  EXPECT_EQ(MakePacket<CorpusParcel>().RegisteredTypeName(),
            "::mediapipe::CorpusParcel");
  EXPECT_EQ(tool::GetTypeHash<CorpusParcel>(),
            kTypeId<CorpusParcel>.hash_code());
}

}  // namespace
}  // namespace mediapipe
