// What of a trace the tracks and events of Perfetto's form show.

#include "framework/trace/convert/perfetto_form.h"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/condition/condition_result.h"
#include "framework/port/status_matchers.h"
#include "framework/stream/drop_cause.h"
#include "framework/trace/convert/event_names.h"
#include "framework/trace/convert/test_trace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/perfetto_checker.h"

namespace syncline {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using Event = PerfettoContent::Event;

constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();

// The content of the file, which breaks no rule.
PerfettoContent Written(const Trace& trace) {
  std::string file;
  SYNCLINE_EXPECT_OK(WritePerfetto(trace, [&file](absl::string_view piece) {
    file.append(piece.data(), piece.size());
    return absl::OkStatus();
  }));
  PerfettoContent content = ReadPerfetto(file);
  EXPECT_THAT(content.violations, IsEmpty());
  return content;
}

// "10+name", "20-name", "12=4" for a counter, "15!name" for an instant; times
// are ticks.
std::vector<std::string> Texts(const std::vector<Event>& events) {
  std::vector<std::string> texts;
  for (const Event& event : events) {
    const std::string tick = std::to_string(event.ns - TestTrace::kSteadyNs);
    switch (event.type) {
      case PerfettoContent::kSliceBegin:
        texts.push_back(tick + "+" + event.name);
        break;
      case PerfettoContent::kSliceEnd:
        texts.push_back(tick + "-" + event.name);
        break;
      case PerfettoContent::kCounter:
        texts.push_back(tick + "=" + std::to_string(event.counter));
        break;
      default:
        texts.push_back(tick + "!" + event.name);
    }
  }
  return texts;
}

class PerfettoFormTest : public ::testing::Test {
 protected:
  // in -> a -> mid -> b, where b also reads in.
  PerfettoFormTest() {
    a_ = made_.AddNode("a", {"in"}, {"mid"});
    b_ = made_.AddNode("b", {"mid", "in"}, {});
    in_ = made_.Stream("in");
    mid_ = made_.Stream("mid");
    made_.AddThread("main", 100);
    made_.AddThread("worker", 101);
  }

  TestTrace made_;
  int a_ = 0;
  int b_ = 0;
  int in_ = 0;
  int mid_ = 0;
};

TEST_F(PerfettoFormTest, CallsAreOnTheTracksOfTheirThreadAndNode) {
  made_.Note(0, 1, TraceKind::kOpenBegin, a_);
  made_.Note(0, 2, TraceKind::kOpenEnd, a_);
  made_.Note(1, 10, TraceKind::kProcessBegin, a_, 7);
  made_.Note(1, 20, TraceKind::kProcessEnd, a_, 7);
  made_.Note(1, 30, TraceKind::kCloseBegin, a_);
  made_.Note(1, 31, TraceKind::kCloseEnd, a_);
  const PerfettoContent content = Written(made_.Build());
  EXPECT_THAT(Texts(content.EventsOn("main")),
              ElementsAre("1+a Open()", "2-a Open()"));
  EXPECT_THAT(Texts(content.EventsOn("worker")),
              ElementsAre("10+a", "20-a", "30+a Close()", "31-a Close()"));
  EXPECT_THAT(Texts(content.EventsOn("a")),
              ElementsAre("1+a Open()", "2-a Open()", "10+a", "20-a",
                          "30+a Close()", "31-a Close()"));
  EXPECT_EQ(content.EventsOn("a")[2].annotations.at("timestamp"), "7");
  // The two bars of a call are joined.
  EXPECT_EQ(content.EventsOn("worker")[0].correlation,
            content.EventsOn("a")[2].correlation);
  EXPECT_NE(content.EventsOn("a")[0].correlation,
            content.EventsOn("a")[2].correlation);
}

TEST_F(PerfettoFormTest, TracksAreThoseOfAProcess) {
  const PerfettoContent content = Written(made_.Build());
  EXPECT_THAT(content.TrackNames(),
              ElementsAre("test", "main", "worker", "application", "a", "b"));
  for (const auto& [uuid, track] : content.tracks) {
    if (track.name == "test") {
      EXPECT_TRUE(track.is_process);
      EXPECT_EQ(track.pid, TestTrace::kPid);
    } else {
      EXPECT_EQ(content.tracks.at(track.parent).name, "test");
    }
    if (track.name == "worker") {
      EXPECT_TRUE(track.is_thread);
      EXPECT_EQ(track.pid, TestTrace::kPid);
      EXPECT_EQ(track.tid, 101);
    }
  }
}

TEST_F(PerfettoFormTest, ThreadsWhoseIdIsNotKnownAreApart) {
  made_.AddThread("", 0);
  made_.AddThread("other", 0);
  const PerfettoContent content = Written(made_.Build());
  std::vector<std::int64_t> tids;
  for (const auto& [uuid, track] : content.tracks) {
    if (track.is_thread) tids.push_back(track.tid);
  }
  EXPECT_THAT(tids, ElementsAre(100, 101, 1, 2));
  EXPECT_THAT(content.TrackNames(), Contains("thread 2"));
}

TEST_F(PerfettoFormTest, AFlowLeadsFromTheApplicationOverAllWhoTakeThePacket) {
  made_.Note(0, 5, TraceKind::kSent, in_, 7);
  made_.Note(1, 10, TraceKind::kProcessBegin, a_, 7);
  made_.Note(1, 10, TraceKind::kTaken, in_, 7, 0);
  made_.Note(1, 20, TraceKind::kProcessEnd, a_, 7);
  made_.Note(1, 21, TraceKind::kSent, mid_, 7);
  made_.Note(1, 30, TraceKind::kProcessBegin, b_, 7);
  made_.Note(1, 30, TraceKind::kTaken, mid_, 7, 0);
  made_.Note(1, 30, TraceKind::kTaken, in_, 7, 1);
  made_.Note(1, 40, TraceKind::kProcessEnd, b_, 7);
  const PerfettoContent content = Written(made_.Build());
  ASSERT_EQ(content.flows.size(), 2u);
  std::vector<std::vector<std::string>> ways;
  for (const auto& [flow, ends] : content.flows) {
    std::vector<Event> events;
    for (const std::size_t end : ends) events.push_back(content.events[end]);
    ways.push_back(Texts(events));
  }
  EXPECT_THAT(ways, ElementsAre(ElementsAre("5!in", "10+a", "30+b"),
                                ElementsAre("10+a", "30+b")));
  const Event sent = content.EventsOn("application")[0];
  EXPECT_EQ(sent.annotations.at("timestamp"), "7");
  EXPECT_EQ(sent.category, "packet");
}

TEST_F(PerfettoFormTest, APacketOfAnotherRunHasAFlowOfItsOwn) {
  for (const int start : {0, 100}) {
    made_.Note(1, start + 1, TraceKind::kOpenBegin, a_);
    made_.Note(1, start + 2, TraceKind::kOpenEnd, a_);
    made_.Note(0, start + 5, TraceKind::kSent, in_, 7);
    made_.Note(1, start + 10, TraceKind::kProcessBegin, a_, 7);
    made_.Note(1, start + 10, TraceKind::kTaken, in_, 7, 0);
    made_.Note(0, start + 12, TraceKind::kDeviceBegin, a_, 7, 3);
    made_.Note(0, start + 18, TraceKind::kDeviceEnd, a_, 7, 3);
    made_.Note(1, start + 20, TraceKind::kProcessEnd, a_, 7);
  }
  const PerfettoContent content = Written(made_.Build());
  std::vector<std::vector<std::string>> ways;
  for (const auto& [flow, ends] : content.flows) {
    std::vector<Event> events;
    for (const std::size_t end : ends) events.push_back(content.events[end]);
    ways.push_back(Texts(events));
  }
  EXPECT_THAT(ways, ElementsAre(ElementsAre("5!in", "10+a"),
                                ElementsAre("105!in", "110+a")));
  // So have the calls for which a device works.
  const std::vector<Event> calls = content.EventsOn("a");
  const std::vector<Event> work = content.EventsOn("device stream 3");
  EXPECT_THAT(Texts(work), ElementsAre("12+a", "18-a", "112+a", "118-a"));
  EXPECT_EQ(work[0].correlation, calls[2].correlation);
  EXPECT_EQ(work[2].correlation, calls[6].correlation);
}

TEST_F(PerfettoFormTest, APacketThatNobodyTakesHasNoFlow) {
  made_.Note(0, 5, TraceKind::kSent, in_, 7);
  EXPECT_THAT(Written(made_.Build()).flows, IsEmpty());
}

TEST_F(PerfettoFormTest, AFlowEndsWhereThePacketIsDropped) {
  made_.Note(0, 5, TraceKind::kSent, in_, 7);
  made_.Note(1, 9, TraceKind::kDropped, in_, 7,
             static_cast<std::uint32_t>(b_) | 9u << TraceEvent::kIdBits);
  const PerfettoContent content = Written(made_.Build());
  const std::vector<Event> events = content.EventsOn("b");
  EXPECT_THAT(Texts(events), ElementsAre("9!dropped in"));
  EXPECT_EQ(events[0].annotations.at("cause"), "the queue was full");
  EXPECT_EQ(events[0].terminating_flows.size(), 1u);
  EXPECT_THAT(Texts(content.EventsOn("queue in")),
              ElementsAre("5=1", "5=1", "9=0"));
}

TEST_F(PerfettoFormTest, WhatAPollerDropsIsShownAtTheApplication) {
  made_.Note(1, 9, TraceKind::kDropped, mid_, 7,
             TraceEvent::kNoNode | 9u << TraceEvent::kIdBits);
  EXPECT_THAT(Texts(Written(made_.Build()).EventsOn("application")),
              ElementsAre("9!dropped mid"));
}

TEST_F(PerfettoFormTest, QueuesAreCounted) {
  made_.Note(0, 5, TraceKind::kSent, in_, 7);
  made_.Note(0, 6, TraceKind::kSent, in_, 8);
  made_.Note(1, 10, TraceKind::kProcessBegin, a_, 7);
  made_.Note(1, 10, TraceKind::kTaken, in_, 7, 0);
  made_.Note(1, 20, TraceKind::kProcessEnd, a_, 7);
  const PerfettoContent content = Written(made_.Build());
  std::vector<std::vector<std::string>> queues;
  for (const auto& [uuid, track] : content.tracks) {
    if (!track.is_counter) continue;
    EXPECT_EQ(track.name, "queue in");
    std::vector<Event> events;
    for (const Event& event : content.events) {
      if (event.track == uuid) events.push_back(event);
    }
    queues.push_back(Texts(events));
  }
  // Of node a, and of node b, which takes nothing.
  EXPECT_THAT(queues, ElementsAre(ElementsAre("5=1", "6=2", "10=1"),
                                  ElementsAre("5=1", "6=2")));
}

TEST_F(PerfettoFormTest, PacketsFromBeforeTheTraceAreNotCounted) {
  made_.Note(1, 10, TraceKind::kProcessBegin, a_, 7);
  made_.Note(1, 10, TraceKind::kTaken, in_, 7, 0);
  made_.Note(1, 20, TraceKind::kProcessEnd, a_, 7);
  made_.Note(0, 25, TraceKind::kSent, in_, 8);
  EXPECT_THAT(Texts(Written(made_.Build()).EventsOn("queue in")),
              ElementsAre("25=1", "25=1"));
}

TEST_F(PerfettoFormTest, APacketThatIsTakenAtOnceLeavesTheQueueAsItWas) {
  // Also where the clock stands still, and the thread that takes it has the
  // lower number.
  made_.Note(1, 10, TraceKind::kSent, in_, 7);
  made_.Note(0, 10, TraceKind::kProcessBegin, a_, 7);
  made_.Note(0, 10, TraceKind::kTaken, in_, 7, 0);
  made_.Note(0, 10, TraceKind::kProcessEnd, a_, 7);
  const PerfettoContent content = Written(made_.Build());
  // That of b.
  EXPECT_THAT(Texts(content.EventsOn("queue in")), ElementsAre("10=1"));
  ASSERT_EQ(content.flows.size(), 1u);
  const std::vector<std::size_t>& ends = content.flows.begin()->second;
  EXPECT_EQ(content.events[ends[0]].name, "in");
  EXPECT_EQ(content.events[ends[1]].name, "a");
}

TEST_F(PerfettoFormTest, CallsOfANodeThatOverlapHaveTracksOfTheirOwn) {
  made_.Note(0, 10, TraceKind::kProcessBegin, a_, 1);
  made_.Note(1, 15, TraceKind::kProcessBegin, a_, 2);
  made_.Note(0, 20, TraceKind::kProcessEnd, a_, 1);
  made_.Note(1, 25, TraceKind::kProcessEnd, a_, 2);
  const PerfettoContent content = Written(made_.Build());
  EXPECT_THAT(Texts(content.EventsOn("a")), ElementsAre("10+a", "20-a"));
  EXPECT_THAT(Texts(content.EventsOn("a (2)")), ElementsAre("15+a", "25-a"));
}

TEST_F(PerfettoFormTest, WhatIsNotKnownOfACallIsSaid) {
  made_.Note(0, 10, TraceKind::kTaken, in_, 1, 0);
  made_.Note(0, 20, TraceKind::kProcessEnd, a_, 1);
  made_.Note(1, 30, TraceKind::kProcessBegin, b_, 2);
  made_.Note(0, 50, TraceKind::kNotReady, a_);
  const PerfettoContent content = Written(made_.Build());
  EXPECT_THAT(Texts(content.EventsOn("a")), ElementsAre("10+a", "20-a"));
  EXPECT_EQ(content.EventsOn("a")[0].annotations.at("begin"), "not known");
  EXPECT_THAT(Texts(content.EventsOn("b")), ElementsAre("30+b", "50-b"));
  EXPECT_EQ(content.EventsOn("b")[0].annotations.at("end"), "not known");
}

TEST_F(PerfettoFormTest, AFailedCallHasItsStatus) {
  made_.Note(0, 10, TraceKind::kProcessBegin, a_, 1);
  made_.Note(0, 20, TraceKind::kProcessEnd, a_, 1, 5);
  const PerfettoContent content = Written(made_.Build());
  EXPECT_EQ(content.EventsOn("a")[0].annotations.at("status"), "NOT_FOUND");
}

TEST_F(PerfettoFormTest, ACallSaysHowLongItWaitedForAThread) {
  made_.Note(0, 4, TraceKind::kReady, a_, 1, 0);
  made_.Note(0, 10, TraceKind::kProcessBegin, a_, 1);
  made_.Note(0, 20, TraceKind::kProcessEnd, a_, 1);
  const PerfettoContent content = Written(made_.Build());
  EXPECT_EQ(content.EventsOn("a")[0].annotations.at("waited_ns"), "6");
}

TEST_F(PerfettoFormTest, BackPressureIsShownAsBars) {
  made_.Note(0, 5, TraceKind::kQueueFull, mid_, 0, b_);
  made_.Note(0, 6, TraceKind::kThrottled, a_);
  made_.Note(0, 7, TraceKind::kThrottled, a_);
  made_.Note(0, 8, TraceKind::kThrottled, TraceEvent::kNoNode, 0, in_);
  made_.Note(0, 9, TraceKind::kQueueNotFull, mid_, 0, b_);
  made_.Note(0, 12, TraceKind::kUnthrottled, a_);
  made_.Note(0, 13, TraceKind::kUnthrottled, a_);
  made_.Note(0, 20, TraceKind::kNotReady, a_);
  const PerfettoContent content = Written(made_.Build());
  EXPECT_THAT(Texts(content.EventsOn("b")),
              ElementsAre("5!queue full mid", "9!queue not full mid"));
  // The last end has no begin.
  EXPECT_THAT(
      Texts(content.EventsOn("throttled")),
      ElementsAre("6+throttled", "12-throttled", "13!throttled no more"));
  const std::vector<Event> input = content.EventsOn("throttled in");
  EXPECT_THAT(Texts(input), ElementsAre("8+throttled in", "20-throttled in"));
  EXPECT_EQ(input[1].annotations.at("end"), "not known");
}

TEST_F(PerfettoFormTest, AnInputThatHasNoNameIsHeldBackAllTheSame) {
  const int unknown = made_.Stream("");
  made_.Note(0, 5, TraceKind::kThrottled, TraceEvent::kNoNode, 0, unknown);
  made_.Note(0, 9, TraceKind::kUnthrottled, TraceEvent::kNoNode, 0, unknown);
  const PerfettoContent content = Written(made_.Build());
  EXPECT_THAT(Texts(content.EventsOn("throttled")),
              ElementsAre("5+throttled", "9-throttled"));
}

TEST_F(PerfettoFormTest, ConditionsAreShownWhileTheyHoldANode) {
  made_.Note(0, 5, TraceKind::kCondition, a_, 9000, 1);
  made_.Note(0, 6, TraceKind::kCondition, a_, 9000, 1);
  made_.Note(0, 8, TraceKind::kCondition, a_, kNoTime, 3);
  made_.Note(0, 9, TraceKind::kTimer, a_);
  made_.Note(0, 10, TraceKind::kCondition, a_, kNoTime, 0);
  made_.Note(0, 11, TraceKind::kCondition, a_, kNoTime, 0);
  const PerfettoContent content = Written(made_.Build());
  const std::vector<Event> events = content.EventsOn("condition");
  EXPECT_THAT(Texts(events), ElementsAre("5+WAIT_TIME", "8-WAIT_TIME",
                                         "8+WAIT_EVENT", "10-WAIT_EVENT"));
  EXPECT_EQ(events[0].annotations.at("until_ns"), "9000");
  EXPECT_EQ(events[2].annotations.count("until_ns"), 0u);
  EXPECT_THAT(Texts(content.EventsOn("a")), ElementsAre("9!timer"));
}

TEST_F(PerfettoFormTest, ThreadsSayWhenTheyAreWoken) {
  made_.header().add_executor("gpu");
  made_.Note(1, 5, TraceKind::kThreadIn, 0);
  made_.Note(1, 8, TraceKind::kThreadOut, 1);
  const std::vector<Event> events = Written(made_.Build()).EventsOn("worker");
  EXPECT_THAT(Texts(events), ElementsAre("5!thread in", "8!thread out"));
  EXPECT_EQ(events[0].annotations.at("executor"), "default");
  EXPECT_EQ(events[1].annotations.at("executor"), "gpu");
}

TEST_F(PerfettoFormTest, WorkOfADeviceIsJoinedToItsCall) {
  made_.Note(0, 10, TraceKind::kProcessBegin, a_, 1);
  made_.Note(0, 12, TraceKind::kDeviceBegin, a_, 1, 3);
  made_.Note(0, 20, TraceKind::kProcessEnd, a_, 1);
  made_.Note(0, 60, TraceKind::kDeviceEnd, a_, 1, 3);
  const PerfettoContent content = Written(made_.Build());
  const std::vector<Event> work = content.EventsOn("device stream 3");
  EXPECT_THAT(Texts(work), ElementsAre("12+a", "60-a"));
  EXPECT_EQ(work[0].correlation, content.EventsOn("a")[0].correlation);
  EXPECT_NE(work[0].correlation, 0u);
}

TEST_F(PerfettoFormTest, LostEventsAndACutOffTraceAreSaid) {
  made_.Note(1, 10, TraceKind::kNotReady, a_);
  made_.Lose(1, 5);
  made_.Note(1, 30, TraceKind::kNotReady, a_);
  Trace trace = made_.Build();
  trace.is_cut_off = true;
  const PerfettoContent content = Written(trace);
  const std::vector<Event> events = content.EventsOn("worker");
  EXPECT_THAT(Texts(events), ElementsAre("30!lost events"));
  EXPECT_EQ(events[0].annotations.at("events"), "5");
  EXPECT_THAT(Texts(content.EventsOn("test")),
              ElementsAre("30!the trace is cut off"));
}

TEST_F(PerfettoFormTest, ClockPointsThatContradictEachOtherBreakNoRule) {
  for (int i = 1; i < 9; ++i) {
    made_.Note(0, 10 * i, TraceKind::kProcessBegin, a_, i);
    made_.Note(0, 10 * i + 5, TraceKind::kProcessEnd, a_, i);
  }
  Trace trace = made_.Build();
  trace.clock_points = {{0, 1000, 1000}, {40, 5000, 900}, {80, 100, 5000}};
  EXPECT_EQ(Written(trace).EventsOn("a").size(), 16u);
}

TEST_F(PerfettoFormTest, AnEmptyTraceIsWritten) {
  Trace trace;
  trace.clock_points.emplace_back();
  EXPECT_THAT(Written(trace).TrackNames(), ElementsAre("graph", "application"));
}

TEST_F(PerfettoFormTest, ATraceWithoutMeaningIsRefused) {
  made_.Note(0, 10, TraceKind::kProcessBegin, 99, 1);
  EXPECT_THAT(WritePerfetto(made_.Build(),
                            [](absl::string_view) { return absl::OkStatus(); }),
              StatusIs(absl::StatusCode::kDataLoss));
  made_ = TestTrace();
  made_.AddNode("n", {"in"}, {});
  made_.AddThread("t", 1);
  // A port that the node does not have is passed over.
  made_.Note(0, 5, TraceKind::kSent, 0, 1);
  made_.Note(0, 10, TraceKind::kProcessBegin, 0, 1);
  made_.Note(0, 10, TraceKind::kTaken, 0, 1, 0xffffffff);
  EXPECT_THAT(Written(made_.Build()).EventsOn("n"), Not(IsEmpty()));
}

TEST_F(PerfettoFormTest, TheErrorOfTheFileIsReturned) {
  EXPECT_THAT(WritePerfetto(made_.Build(),
                            [](absl::string_view) {
                              return absl::ResourceExhaustedError("disk full");
                            }),
              StatusIs(absl::StatusCode::kResourceExhausted, "disk full"));
}

TEST(EventNamesTest, NamesFollowTheEnumsOfTheEngine) {
  EXPECT_EQ(DropCauseName(static_cast<std::uint32_t>(DropCause::kQueueFull)),
            "the queue was full");
  EXPECT_EQ(DropCauseName(static_cast<std::uint32_t>(DropCause::kAfterClose)),
            "came after the node was closed");
  EXPECT_NE(DropCauseName(kNumDropCauses - 1), "other");
  EXPECT_EQ(DropCauseName(kNumDropCauses), "other");
  for (int i = 0; i <= static_cast<int>(ConditionState::kNever); ++i) {
    EXPECT_EQ(ConditionStateText(i),
              ConditionStateName(static_cast<ConditionState>(i)));
  }
  for (int code = 0; code <= 16; ++code) {
    EXPECT_EQ(StatusCodeName(code),
              absl::StatusCodeToString(static_cast<absl::StatusCode>(code)));
  }
  EXPECT_EQ(StatusCodeName(99), "other");
}

}  // namespace
}  // namespace syncline
