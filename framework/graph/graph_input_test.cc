#include "framework/graph/graph_input.h"

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GraphInputTest : public ::testing::Test {
 protected:
  GraphInputTest() {
    type_.Set<int>();
    stream_.name = "in";
    stream_.type = &type_;
  }
  absl::Status Add(GraphInput* input, Timestamp timestamp) {
    return input->Add(MakePacket<int>(1).At(timestamp), receive_);
  }

  PacketType type_;
  PlanStream stream_;
  std::vector<Timestamp> packets_;
  std::vector<Timestamp> bounds_;
  std::function<void(absl::Span<Packet>, Timestamp)> receive_ =
      [this](absl::Span<Packet> packets, Timestamp bound) {
        for (const Packet& packet : packets) {
          packets_.push_back(packet.Timestamp());
        }
        bounds_.push_back(bound);
      };
};

TEST_F(GraphInputTest, PassesPacketsAndBoundsOn) {
  GraphInput input(stream_, true);
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp(5)));
  SYNCLINE_EXPECT_OK(input.SetBound(Timestamp(9), receive_));
  SYNCLINE_EXPECT_OK(input.Add(Packet().At(Timestamp(11)), receive_));
  EXPECT_TRUE(input.Close(receive_));
  EXPECT_FALSE(input.Close(receive_));
  EXPECT_THAT(packets_, ElementsAre(Timestamp(5)));
  EXPECT_THAT(bounds_, ElementsAre(Timestamp(6), Timestamp(9), Timestamp(12),
                                   Timestamp::Done()));
}

TEST_F(GraphInputTest, RefusesWhatNoStreamCarries) {
  GraphInput input(stream_, true);
  EXPECT_THAT(Add(&input, Timestamp::Unset()).message(), HasSubstr("\"in\""));
  EXPECT_FALSE(Add(&input, Timestamp::Done()).ok());
  EXPECT_THAT(
      input.Add(MakePacket<float>(1).At(Timestamp(1)), receive_).message(),
      HasSubstr("type mismatch"));
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp(5)));
  EXPECT_THAT(Add(&input, Timestamp(5)).message(),
              HasSubstr("Current minimum expected timestamp is 6 but received "
                        "5"));
  EXPECT_THAT(Add(&input, Timestamp::PostStream()).message(),
              HasSubstr("only packet"));
  EXPECT_FALSE(input.SetBound(Timestamp(3), receive_).ok());
  EXPECT_THAT(input.SetBound(Timestamp::Done(), receive_).message(),
              HasSubstr("CloseInputStream"));
  EXPECT_THAT(packets_, ElementsAre(Timestamp(5)));
}

TEST_F(GraphInputTest, IsClosedForGood) {
  GraphInput input(stream_, true);
  input.Close(receive_);
  EXPECT_EQ(Add(&input, Timestamp(5)).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(input.SetBound(Timestamp(5), receive_).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(GraphInputTest, TimestampsMayGoBackWhereTimeIsIgnored) {
  GraphInput input(stream_, false);
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp(5)));
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp(3)));
  EXPECT_THAT(packets_, ElementsAre(Timestamp(5), Timestamp(3)));
}

TEST_F(GraphInputTest, ManyThreadsDeliverOneAtATimeAndInOrder) {
  GraphInput input(stream_, true);
  std::atomic<int> delivering{0};
  Timestamp last = Timestamp::PreStream();
  int count = 0;
  const auto receive = [&](absl::Span<Packet> packets, Timestamp) {
    EXPECT_EQ(delivering.fetch_add(1), 0);
    for (const Packet& packet : packets) {
      EXPECT_GT(packet.Timestamp(), last);
      last = packet.Timestamp();
      ++count;
    }
    delivering.fetch_sub(1);
  };
  std::atomic<int> accepted{0};
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        const Timestamp timestamp(next.fetch_add(1));
        if (input.Add(MakePacket<int>(1).At(timestamp), receive).ok()) {
          ++accepted;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, accepted);
}

}  // namespace
}  // namespace syncline
