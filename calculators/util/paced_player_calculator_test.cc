// PacedPlayerCalculator: when packets are sent, by a clock that advances only
// when the player sleeps.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/calculator_framework.h"
#include "framework/deps/clock.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A clock. Each reading is a packet that comes late or early: `delays` are
// added one by one. It records until when the player sleeps.
class ScriptedClock : public Clock {
 public:
  explicit ScriptedClock(std::vector<std::int64_t> delays)
      : delays_(std::move(delays)) {}
  absl::Time TimeNow() override {
    if (next_ < delays_.size()) {
      now_ += absl::Microseconds(delays_[next_++]);
    }
    return now_;
  }
  void Sleep(absl::Duration duration) override { SleepUntil(now_ + duration); }
  void SleepUntil(absl::Time time) override {
    if (time > now_) now_ = time;
    wakes_.push_back(absl::ToUnixMicros(now_));
  }

  // The time at which each packet was sent.
  const std::vector<std::int64_t>& wakes() const { return wakes_; }

 private:
  const std::vector<std::int64_t> delays_;
  std::size_t next_ = 0;
  absl::Time now_ = absl::UnixEpoch();
  std::vector<std::int64_t> wakes_;
};

struct Played {
  absl::Status status;
  std::vector<std::int64_t> sent;  // the timestamps
  std::vector<std::int64_t> at;    // the times by the clock
  std::int64_t late = 0;
  std::int64_t dropped = 0;
};

// Plays packets at `times`.
Played Play(absl::string_view options, const std::vector<std::int64_t>& times,
            std::vector<std::int64_t> delays = {}) {
  CalculatorHarness harness(absl::string_view(
      absl::StrCat("calculator: 'PacedPlayerCalculator' input_stream: 'in' "
                   "input_side_packet: 'CLOCK:clock' output_stream: 'out' "
                   "options { [syncline.PacedPlayerCalculatorOptions.ext] { ",
                   options, " } }")));
  auto clock = std::make_shared<ScriptedClock>(std::move(delays));
  harness.SetSidePacket("CLOCK", MakePacket<std::shared_ptr<Clock>>(clock));
  std::vector<Packet> packets;
  for (const std::int64_t time : times) {
    packets.push_back(MakePacket<int>(1).At(Timestamp(time)));
  }
  harness.Feed("", packets);
  Played played;
  played.status = harness.Run();
  if (!played.status.ok()) return played;
  for (const Packet& packet : harness.Output("")) {
    played.sent.push_back(packet.Timestamp().Value());
  }
  played.at = clock->wakes();
  played.late = harness.CounterValue("late");
  played.dropped = harness.CounterValue("dropped");
  return played;
}

TEST(PacedPlayerTest, PacketsGoOnAtTheirTimes) {
  const Played played = Play("", {5000, 45000, 85000, 300000});
  SYNCLINE_EXPECT_OK(played.status);
  EXPECT_THAT(played.sent, ElementsAre(5000, 45000, 85000, 300000));
  EXPECT_THAT(played.at, ElementsAre(0, 40000, 80000, 295000));
  EXPECT_EQ(played.late, 0);
}

TEST(PacedPlayerTest, SpeedShortensEveryWait) {
  EXPECT_THAT(Play("speed: 4", {0, 40000, 80000}).at,
              ElementsAre(0, 10000, 20000));
  EXPECT_THAT(Play("speed: 0.5", {0, 40000, 80000}).at,
              ElementsAre(0, 80000, 160000));
}

// Each packet takes 7 us longer than its period to arrive, and the speed
// divides each period by 3, which loses a third of a microsecond.
TEST(PacedPlayerTest, NeverDrifts) {
  std::vector<std::int64_t> times;
  for (int i = 0; i < 10001; ++i) times.push_back(i * std::int64_t{100});
  const Played played =
      Play("speed: 3", times, std::vector<std::int64_t>(20000, 7));
  ASSERT_EQ(played.at.size(), times.size());
  // Counted from the first packet, which came at 7.
  EXPECT_EQ(played.at.back(), 7 + 1000000 / 3);
  EXPECT_EQ(played.late, 0);
}

// The third packet comes 30 us after it was due.
TEST(PacedPlayerTest, ALatePacketGoesOnAtOnceAndTheNextInTime) {
  const Played played =
      Play("max_lateness_us: 0", {0, 100, 200, 300}, {0, 0, 130});
  EXPECT_THAT(played.at, ElementsAre(0, 100, 230, 300));
  EXPECT_EQ(played.late, 1);
  EXPECT_EQ(played.dropped, 0);
}

TEST(PacedPlayerTest, ALatePacketIsDroppedIfAskedFor) {
  const Played played =
      Play("late: DROP max_lateness_us: 0", {0, 100, 200, 300}, {0, 0, 130});
  EXPECT_THAT(played.sent, ElementsAre(0, 100, 300));
  EXPECT_THAT(played.at, ElementsAre(0, 100, 300));
  EXPECT_EQ(played.dropped, 1);
}

TEST(PacedPlayerTest, ALatePacketShiftsTheScheduleIfAskedFor) {
  const Played played =
      Play("late: SHIFT max_lateness_us: 0", {0, 100, 200, 300}, {0, 0, 130});
  EXPECT_THAT(played.at, ElementsAre(0, 100, 230, 330));
}

TEST(PacedPlayerTest, ALittleLateIsNotLate) {
  const Played played =
      Play("late: DROP max_lateness_us: 30", {0, 100, 200, 300}, {0, 0, 130});
  EXPECT_THAT(played.sent, ElementsAre(0, 100, 200, 300));
  EXPECT_EQ(played.late, 0);
}

TEST(PacedPlayerTest, AGapIsCut) {
  EXPECT_THAT(
      Play("max_gap_us: 1000", {0, 100, 5'000'000'000, 5'000'000'100}).at,
      ElementsAre(0, 100, 1100, 1200));
  // The default is ten seconds. Between any two timestamps the wait is at most
  // that.
  EXPECT_THAT(
      Play("", {Timestamp::Min().Value() + 1, Timestamp::Max().Value() - 1}).at,
      ElementsAre(0, 10'000'000));
}

TEST(PacedPlayerTest, AsFastAsPossibleDoesNotLookAtTheClock) {
  const Played played = Play("realtime: false", {0, 100, 200});
  EXPECT_THAT(played.sent, ElementsAre(0, 100, 200));
  EXPECT_THAT(played.at, IsEmpty());
}

TEST(PacedPlayerTest, TheSidePacketGoesBeforeTheOption) {
  for (const bool realtime : {false, true}) {
    CalculatorHarness harness(
        "calculator: 'PacedPlayerCalculator' input_stream: 'in' "
        "input_side_packet: 'CLOCK:clock' input_side_packet: 'REALTIME:r' "
        "output_stream: 'out'");
    auto clock = std::make_shared<ScriptedClock>(std::vector<std::int64_t>());
    harness.SetSidePacket("CLOCK", MakePacket<std::shared_ptr<Clock>>(clock));
    harness.SetSidePacket("REALTIME", MakePacket<bool>(realtime));
    harness.Feed("", {MakePacket<int>(1).At(Timestamp(1))});
    SYNCLINE_EXPECT_OK(harness.Run());
    EXPECT_EQ(harness.Output("").size(), 1u);
    EXPECT_EQ(clock->wakes().size(), realtime ? 1u : 0u);
  }
}

TEST(PacedPlayerTest, StreamsOfOneTimeGoOnTogetherAndHeadersAtOnce) {
  CalculatorHarness harness(
      "calculator: 'PacedPlayerCalculator' input_stream: 'a' input_stream: 'b' "
      "input_side_packet: 'CLOCK:clock' output_stream: 'c' output_stream: 'd'");
  auto clock = std::make_shared<ScriptedClock>(std::vector<std::int64_t>());
  harness.SetSidePacket("CLOCK", MakePacket<std::shared_ptr<Clock>>(clock));
  harness.SetHeader("", MakePacket<int>(9));
  harness.Feed("", {MakePacket<int>(1).At(Timestamp(0)),
                    MakePacket<int>(2).At(Timestamp(50))});
  harness.Feed(":1", {MakePacket<int>(3).At(Timestamp(50))});
  SYNCLINE_EXPECT_OK(harness.Run());
  EXPECT_EQ(harness.Output("").size(), 2u);
  EXPECT_EQ(harness.Output(":1").size(), 1u);
  EXPECT_EQ(harness.OutputHeader("").Get<int>(), 9);
  EXPECT_THAT(clock->wakes(), ElementsAre(0, 50));
}

TEST(PacedPlayerTest, PacketsBeforeTheStreamDoNotWait) {
  CalculatorHarness harness(
      "calculator: 'PacedPlayerCalculator' input_stream: 'in' "
      "output_stream: 'out'");
  harness.Feed("", {MakePacket<int>(1).At(Timestamp::PreStream())});
  SYNCLINE_EXPECT_OK(harness.Run());
  EXPECT_EQ(harness.Output("").size(), 1u);
}

TEST(PacedPlayerTest, RefusesOptionsOutOfRange) {
  for (const char* const options :
       {"speed: 0", "speed: -1", "speed: nan", "speed: inf",
        "max_lateness_us: -1", "max_gap_us: 0", "max_gap_us: 86400000001"}) {
    EXPECT_EQ(Play(options, {0}).status.code(),
              absl::StatusCode::kInvalidArgument)
        << options;
  }
}

}  // namespace
}  // namespace syncline
