#include "framework/trace/trace_packing.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/trace_builder.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

TraceEvent Event(TraceKind kind, std::uint32_t id, std::uint32_t extra) {
  return {.tick = 7,
          .timestamp = -5,
          .kind_and_id = TraceEvent::KindAndId(kind, id),
          .extra = extra};
}

std::string Text(const TraceEvent& event) {
  return absl::StrCat(event.tick, " ", event.timestamp, " ",
                      static_cast<int>(event.kind()), " ", event.id(), " ",
                      event.extra);
}

std::vector<std::string> Texts(const std::vector<TraceEvent>& events) {
  std::vector<std::string> texts;
  for (const TraceEvent& event : events) texts.push_back(Text(event));
  return texts;
}

std::vector<TraceEvent> Unpacked(std::vector<TraceEvent> events) {
  Unpack(&events);
  return events;
}

// The largest numbers that a node and a stream can have.
constexpr std::uint32_t kNode = TraceEvent::kNoNode - 1;
constexpr std::uint32_t kStream = TraceEvent::kNoNode - 2;

TEST(TracePackingTest, ABeginHasItsPacketBehindIt) {
  EXPECT_THAT(Texts(Unpacked({Event(kPackedBegin, kNode, kStream)})),
              ElementsAre(Text(Event(TraceKind::kProcessBegin, kNode, 1)),
                          Text(Event(TraceKind::kTaken, kStream, 0))));
}

TEST(TracePackingTest, AnEndHasItsPacketBehindIt) {
  EXPECT_THAT(Texts(Unpacked({Event(kPackedEnd, kNode, kStream)})),
              ElementsAre(Text(Event(TraceKind::kProcessEnd, kNode, 0)),
                          Text(Event(TraceKind::kSent, kStream, 0))));
}

TEST(TracePackingTest, OtherEventsStayAsTheyAre) {
  EXPECT_THAT(Unpacked({}), IsEmpty());
  for (int kind = 0; kind < 256; ++kind) {
    const auto as_kind = static_cast<TraceKind>(kind);
    if (IsPacked(as_kind)) continue;
    const TraceEvent event = Event(as_kind, 3, 0xffffffff);
    EXPECT_EQ(NumUnpacked(event), 1);
    EXPECT_THAT(Texts(Unpacked({event})), ElementsAre(Text(event)));
  }
}

// All rows of up to six events, each of them packed or not.
TEST(TracePackingTest, UnpacksInTheOrderOfEventsWhereverPackedOnesStand) {
  for (int size = 0; size <= 6; ++size) {
    for (int packed = 0; packed < 1 << size; ++packed) {
      std::vector<TraceEvent> events;
      std::vector<std::string> expected;
      for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(size); ++i) {
        if (packed >> i & 1) {
          events.push_back(Event(kPackedEnd, i, 100 + i));
          expected.push_back(Text(Event(TraceKind::kProcessEnd, i, 0)));
          expected.push_back(Text(Event(TraceKind::kSent, 100 + i, 0)));
        } else {
          events.push_back(Event(TraceKind::kBound, i, 0));
          expected.push_back(Text(events.back()));
        }
      }
      EXPECT_EQ(NumUnpacked(events), expected.size());
      EXPECT_THAT(Texts(Unpacked(events)), ElementsAreArray(expected));
    }
  }
}

// A file as one that was written at a fatal signal.
TEST(TracePackingTest, AFileHasWhatItsPackedEventsStandFor) {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int node = builder.AddNode("double", {in});
  const int out = builder.AddOutput(node, "out");
  Trace trace = builder.Build();
  const std::vector<TraceEvent> packed = {Event(kPackedBegin, node, in),
                                          Event(kPackedEnd, node, out)};
  trace.threads.resize(1);
  trace.threads[0].events = TraceEvents(packed);
  std::string content = TraceFileContent(trace);
  // The kind of the chunk stands behind its magic number.
  const std::size_t chunk = content.find(std::string("CHNK\1\0\0\0", 8));
  ASSERT_NE(chunk, std::string::npos);
  content[chunk + 4] = static_cast<char>(TraceChunk::Kind::kPackedEvents);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace read,
                                ParseTraceFile(content, "packed"));
  std::vector<std::string> texts;
  for (const TraceEvent& event : read.threads[0].events) {
    texts.push_back(Text(event));
  }
  EXPECT_THAT(texts, ElementsAreArray(Texts(Unpacked(packed))));
}

}  // namespace
}  // namespace syncline
