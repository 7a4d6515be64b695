#include "framework/trace/trace_ring.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "framework/trace/trace_event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// An event in which every part says the same number.
TraceEvent Numbered(std::uint32_t number) {
  return {.tick = number,
          .timestamp = number,
          .kind_and_id = TraceEvent::KindAndId(TraceKind::kSent, number),
          .extra = number};
}

std::vector<std::uint64_t> Ticks(const std::vector<TraceEvent>& events) {
  std::vector<std::uint64_t> ticks;
  for (const TraceEvent& event : events) ticks.push_back(event.tick);
  return ticks;
}

TEST(TraceRingTest, HasWhatWasNoted) {
  TraceRing ring(8);
  std::vector<TraceEvent> events;
  EXPECT_EQ(ring.Read(0, &events).end, 0);
  EXPECT_THAT(events, IsEmpty());
  ring.Note(Numbered(1));
  ring.Note(Numbered(2));
  const TraceRing::Found found = ring.Read(0, &events);
  EXPECT_EQ(found.begin, 0);
  EXPECT_EQ(found.end, 2);
  EXPECT_EQ(found.num_lost, 0);
  EXPECT_THAT(Ticks(events), ElementsAre(1, 2));
  EXPECT_EQ(events[1].timestamp, 2);
  EXPECT_EQ(events[1].kind(), TraceKind::kSent);
  EXPECT_EQ(events[1].id(), 2);
  EXPECT_EQ(events[1].extra, 2);
}

TEST(TraceRingTest, ReadsOnFromWhereTheLastReadEnded) {
  TraceRing ring(8);
  std::vector<TraceEvent> events;
  ring.Note(Numbered(1));
  const std::uint64_t end = ring.Read(0, &events).end;
  ring.Note(Numbered(2));
  events.clear();
  ring.Read(end, &events);
  EXPECT_THAT(Ticks(events), ElementsAre(2));
}

// The oldest place is the one that the writer takes next, so it does not count.
TEST(TraceRingTest, KeepsTheLastAndCountsWhatIsWrittenOver) {
  TraceRing ring(4);
  for (std::uint32_t i = 0; i < 10; ++i) ring.Note(Numbered(i));
  std::vector<TraceEvent> events;
  const TraceRing::Found found = ring.Read(2, &events);
  EXPECT_EQ(found.end, 10);
  EXPECT_EQ(found.num_lost, 5);
  EXPECT_THAT(Ticks(events), ElementsAre(7, 8, 9));
}

TEST(TraceRingTest, RoundsItsRoomUp) { EXPECT_EQ(TraceRing(5).capacity(), 8); }

TEST(TraceRingTest, AReaderBesideTheWriterSeesWholeEventsInOrder) {
  constexpr std::uint32_t kEvents = 200'000;
  TraceRing ring(64);
  std::atomic<bool> is_done{false};
  std::thread writer([&] {
    for (std::uint32_t i = 0; i < kEvents; ++i) ring.Note(Numbered(i));
    is_done.store(true);
  });
  std::uint64_t next = 0;
  std::uint64_t seen = 0;
  std::uint64_t lost = 0;
  bool was_done = false;
  while (!was_done) {
    was_done = is_done.load();
    std::vector<TraceEvent> events;
    const TraceRing::Found found = ring.Read(next, &events);
    EXPECT_EQ(found.begin + events.size(), found.end);
    lost += found.num_lost;
    seen += events.size();
    std::uint64_t number = found.begin;
    for (const TraceEvent& event : events) {
      EXPECT_EQ(event.tick, number);
      EXPECT_EQ(event.timestamp, static_cast<std::int64_t>(number));
      EXPECT_EQ(event.id(), number);
      EXPECT_EQ(event.extra, number);
      ++number;
    }
    next = found.end;
  }
  writer.join();
  EXPECT_EQ(next, kEvents);
  EXPECT_EQ(seen + lost, kEvents);
}

}  // namespace
}  // namespace syncline
