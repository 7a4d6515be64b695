#include "testing/perfetto_checker.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void Varint(std::uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) {
    out->push_back(static_cast<char>(value | 0x80));
  }
  out->push_back(static_cast<char>(value));
}
std::string Number(int field, std::uint64_t value) {
  std::string out;
  Varint(static_cast<std::uint64_t>(field) << 3, &out);
  Varint(value, &out);
  return out;
}
std::string Fixed(int field, std::uint64_t value) {
  std::string out;
  Varint(static_cast<std::uint64_t>(field) << 3 | 1, &out);
  for (int i = 0; i < 64; i += 8) out.push_back(static_cast<char>(value >> i));
  return out;
}
std::string Bytes(int field, absl::string_view bytes) {
  std::string out;
  Varint(static_cast<std::uint64_t>(field) << 3 | 2, &out);
  Varint(bytes.size(), &out);
  return out.append(bytes.data(), bytes.size());
}

// --- the packets of a small trace

std::string TracePacket(const std::string& content, int sequence = 1) {
  return Bytes(1, content + Number(10, sequence));
}
std::string Process() {
  return TracePacket(
      Bytes(60, Number(1, 1) + Bytes(3, Number(1, 42) + Bytes(6, "program"))));
}
std::string Track(int uuid, const std::string& name, int parent = 1) {
  return TracePacket(
      Bytes(60, Number(1, uuid) + Bytes(2, name) + Number(5, parent)));
}
std::string CounterTrack(int uuid) {
  return TracePacket(Bytes(60, Number(1, uuid) + Number(5, 1) + Bytes(8, "")));
}
// The names 1 to 3 of events, and 1 of annotations and categories.
std::string Names() {
  return Bytes(12, Bytes(2, Number(1, 1) + Bytes(2, "first")) +
                       Bytes(2, Number(1, 2) + Bytes(2, "second")) +
                       Bytes(1, Number(1, 1) + Bytes(2, "category")) +
                       Bytes(3, Number(1, 1) + Bytes(2, "why")));
}
std::string Snapshot() {
  return TracePacket(Bytes(6, Bytes(1, Number(1, 3) + Number(2, 100)) +
                                  Bytes(1, Number(1, 1) + Number(2, 200))));
}
// The event with the monotonic clock; it says that it needs names.
std::string Event(int ns, int type, int track, const std::string& more = "",
                  int flags = 2) {
  return TracePacket(Number(8, ns) + Number(58, 3) + Number(13, flags) +
                     Bytes(11, Number(9, type) + Number(11, track) + more));
}
std::string Begin() {
  return Snapshot() + Process() + Track(2, "a") + Track(3, "b") +
         TracePacket(Number(13, 1) + Names());
}
constexpr int kBegin = 1;
constexpr int kEnd = 2;
constexpr int kInstant = 3;
constexpr int kCounter = 4;

// The only violation of a trace that begins well and goes on like this.
std::string Violation(const std::string& rest) {
  const std::vector<std::string> found =
      ReadPerfetto(Begin() + rest).violations;
  return found.size() == 1 ? found[0] : ::testing::PrintToString(found);
}

TEST(PerfettoCheckerTest, AGoodTraceHasNoViolations) {
  const PerfettoContent content = ReadPerfetto(
      Begin() + CounterTrack(4) +
      Event(10, kBegin, 2, Number(10, 1) + Number(3, 1) + Fixed(47, 9)) +
      Event(11, kBegin, 2, Bytes(23, "inner")) + Event(12, kEnd, 2) +
      Event(13, kCounter, 4, Number(30, 5)) + Event(14, kEnd, 2) +
      Event(15, kBegin, 3,
            Number(10, 2) + Number(52, 77) + Fixed(48, 9) +
                Bytes(4, Number(1, 1) + Bytes(6, "text")) +
                Bytes(4, Bytes(10, "count") + Number(4, ~std::uint64_t{0}))) +
      Event(16, kEnd, 3));
  EXPECT_THAT(content.violations, IsEmpty());
  EXPECT_THAT(content.TrackNames(), ElementsAre("program", "a", "b", ""));
  ASSERT_EQ(content.events.size(), 7u);
  EXPECT_EQ(content.events[0].name, "first");
  EXPECT_EQ(content.events[0].category, "category");
  EXPECT_EQ(content.events[2].name, "inner");
  EXPECT_EQ(content.events[3].counter, 5);
  const auto on_b = content.EventsOn("b");
  ASSERT_EQ(on_b.size(), 2u);
  EXPECT_EQ(on_b[0].correlation, 77u);
  EXPECT_EQ(on_b[0].annotations.at("why"), "text");
  EXPECT_EQ(on_b[0].annotations.at("count"), "-1");
  EXPECT_THAT(content.flows.at(9), ElementsAre(0, 5));
}

TEST(PerfettoCheckerTest, FindsSlicesThatDoNotNest) {
  EXPECT_THAT(Violation(Event(10, kEnd, 2)), HasSubstr("has not begun"));
  EXPECT_THAT(Violation(Event(10, kBegin, 2)), HasSubstr("has no end"));
  // An end on another track.
  EXPECT_THAT(ReadPerfetto(Begin() + Event(10, kBegin, 2) + Event(11, kEnd, 3))
                  .violations,
              ElementsAre(HasSubstr("has not begun"), HasSubstr("has no end")));
}

TEST(PerfettoCheckerTest, FindsTimeThatGoesBack) {
  EXPECT_THAT(Violation(Event(10, kInstant, 2) + Event(9, kInstant, 2)),
              HasSubstr("time goes back"));
  EXPECT_THAT(
      ReadPerfetto(Begin() + Event(10, kInstant, 2) + Event(9, kInstant, 3))
          .violations,
      IsEmpty());
  EXPECT_THAT(Violation(TracePacket(Bytes(11, Number(9, 3) + Number(11, 2)))),
              HasSubstr("without time"));
}

TEST(PerfettoCheckerTest, FindsNamesThatAreNotKnown) {
  EXPECT_THAT(Violation(Event(10, kInstant, 2, Number(10, 3))),
              HasSubstr("name 3 of table 2 is not known"));
  EXPECT_THAT(Violation(Event(10, kInstant, 2, Number(3, 2))),
              HasSubstr("name 2 of table 1 is not known"));
  EXPECT_THAT(Violation(Event(10, kInstant, 2, Bytes(4, Number(1, 2)))),
              HasSubstr("name 2 of table 3"));
  // They were known before the state was cleared.
  EXPECT_THAT(Violation(Event(10, kInstant, 2, Number(10, 1), 3)),
              HasSubstr("name 1 of table 2 is not known"));
}

TEST(PerfettoCheckerTest, FindsNamesWithoutTheFlags) {
  EXPECT_THAT(Violation(Event(10, kInstant, 2, Number(10, 1), 0)),
              HasSubstr("does not say so"));
  const std::string never_cleared =
      Snapshot() + Process() + TracePacket(Names());
  EXPECT_THAT(ReadPerfetto(never_cleared).violations,
              Contains(HasSubstr("before the sequence was cleared")));
  // Names belong to their sequence.
  EXPECT_THAT(
      ReadPerfetto(Begin() +
                   TracePacket(Number(8, 1) + Number(13, 3) +
                                   Bytes(11, Number(9, 3) + Number(11, 2) +
                                                 Number(10, 1)),
                               2))
          .violations,
      ElementsAre(HasSubstr("name 1 of table 2 is not known")));
}

TEST(PerfettoCheckerTest, FindsTracksThatAreNotDescribed) {
  EXPECT_THAT(Violation(Event(10, kInstant, 8)),
              HasSubstr("which is not described"));
  EXPECT_THAT(Violation(Track(8, "late", 9)),
              HasSubstr("the parent of track \"late\""));
  EXPECT_THAT(Violation(Track(2, "again")), HasSubstr("described twice"));
  EXPECT_THAT(Violation(Track(0, "none")), HasSubstr("no uuid"));
  // The description comes after the event.
  EXPECT_THAT(Violation(Event(10, kInstant, 8) + Track(8, "late")),
              HasSubstr("which is not described"));
}

TEST(PerfettoCheckerTest, FindsThreadsAndProcessesWithoutIds) {
  EXPECT_THAT(
      Violation(TracePacket(Bytes(60, Number(1, 8) + Bytes(4, Number(1, 42))))),
      HasSubstr("without pid and tid"));
  EXPECT_THAT(
      Violation(TracePacket(Bytes(60, Number(1, 8) + Bytes(3, Bytes(6, "p"))))),
      HasSubstr("without pid"));
}

TEST(PerfettoCheckerTest, FindsFlowsWithoutEnds) {
  const std::string begin = Event(10, kInstant, 2, Fixed(47, 9));
  EXPECT_THAT(
      ReadPerfetto(Begin() + begin).violations,
      ElementsAre(HasSubstr("not terminated"), HasSubstr("one end only")));
  EXPECT_THAT(Violation(Event(10, kInstant, 2, Fixed(48, 9))),
              HasSubstr("one end only"));
  EXPECT_THAT(Violation(begin + Event(11, kInstant, 3, Fixed(47, 9))),
              HasSubstr("not terminated"));
  // In the order of time, not of the file.
  EXPECT_THAT(Violation(Event(11, kInstant, 2, Fixed(47, 9)) +
                        Event(10, kInstant, 3, Fixed(48, 9))),
              HasSubstr("goes on after its end"));
  EXPECT_THAT(Violation(begin + Event(11, kInstant, 3, Number(48, 9)) +
                        Event(12, kInstant, 3, Fixed(48, 9))),
              HasSubstr("wire type"));
}

TEST(PerfettoCheckerTest, FindsCountersInTheWrongPlace) {
  EXPECT_THAT(Violation(Event(10, kCounter, 2, Number(30, 1))),
              HasSubstr("an event of type 4"));
  EXPECT_THAT(Violation(CounterTrack(8) + Event(10, kInstant, 8)),
              HasSubstr("an event of type 3"));
  EXPECT_THAT(Violation(CounterTrack(8) + Event(10, kCounter, 8)),
              HasSubstr("without value"));
}

TEST(PerfettoCheckerTest, FindsTheSequenceZero) {
  EXPECT_THAT(Violation(TracePacket("", 0)), HasSubstr("its sequence is 0"));
}

TEST(PerfettoCheckerTest, FindsAClockThatIsInNoSnapshot) {
  EXPECT_THAT(Violation(TracePacket(Number(8, 5) + Number(58, 4) +
                                    Bytes(11, Number(9, 3) + Number(11, 2)))),
              HasSubstr("clock 4 is in no snapshot"));
}

TEST(PerfettoCheckerTest, FindsDamage) {
  EXPECT_THAT(Violation(std::string("\x0a\xff")), HasSubstr("damaged"));
  EXPECT_THAT(Violation(TracePacket(std::string("\x0a\x7f"))),
              HasSubstr("a damaged packet"));
  EXPECT_THAT(Violation(Bytes(2, "x")), HasSubstr("something else"));
  EXPECT_THAT(Violation(Event(10, 7, 2)), HasSubstr("no event type 7"));
  EXPECT_THAT(Violation(Event(10, kInstant, 2, Number(99, 1))),
              HasSubstr("the field 99"));
}

}  // namespace
}  // namespace syncline
