#include "framework/trace/convert/graph_profile_builder.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/convert/test_trace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A stream of an event: "in@5#1".
std::string Text(const GraphTrace& trace,
                 const GraphTrace::StreamTrace& stream) {
  return absl::StrCat(trace.stream_name(stream.stream_id()), "@",
                      stream.packet_timestamp(), "#", stream.event_data());
}

// "PROCESS a@5 10..20 in@5#1 -> out@5#2", times in microseconds.
std::vector<std::string> Texts(const GraphProfile& profile) {
  std::vector<std::string> texts;
  for (const GraphTrace& trace : profile.graph_trace()) {
    for (const GraphTrace::CalculatorTrace& event : trace.calculator_trace()) {
      std::string text = absl::StrCat(
          GraphTrace::EventType_Name(event.event_type()), " ",
          event.node_id() < 0 ? "-" : trace.calculator_name(event.node_id()));
      if (event.has_input_timestamp()) {
        absl::StrAppend(&text, "@", event.input_timestamp());
      }
      absl::StrAppend(&text, " ");
      if (event.has_start_time()) absl::StrAppend(&text, event.start_time());
      if (event.has_finish_time()) {
        absl::StrAppend(&text, "..", event.finish_time());
      }
      for (const auto& input : event.input_trace()) {
        absl::StrAppend(&text, " ", Text(trace, input));
      }
      for (const auto& output : event.output_trace()) {
        absl::StrAppend(&text, " -> ", Text(trace, output));
      }
      texts.push_back(text);
    }
  }
  return texts;
}

// in -> a -> mid -> b, which reads in, too. A tick is a microsecond here.
class GraphProfileBuilderTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t kUnixUs = TestTrace::kUnixNs / 1000;

  GraphProfileBuilderTest() {
    a_ = made_.AddNode("a", {"in"}, {"mid"});
    b_ = made_.AddNode("b", {"mid", "in"}, {});
    in_ = made_.Stream("in");
    mid_ = made_.Stream("mid");
    made_.AddThread("main", 100);
    made_.AddThread("worker", 101);
    options_.base_time_us = kUnixUs;
    options_.base_timestamp = 0;
    options_.histogram_interval_us = 10;
    options_.histogram_intervals = 4;
  }

  Trace Take() {
    Trace trace = made_.Take();
    trace.clock_points.push_back({1000, TestTrace::kSteadyNs + 1'000'000,
                                  TestTrace::kUnixNs + 1'000'000});
    return trace;
  }
  // All that was noted, as one part.
  GraphProfile Captured() {
    GraphProfileBuilder builder(made_.header(), options_);
    SYNCLINE_EXPECT_OK(builder.Add(Take()));
    return builder.Capture(GraphProfileBuilder::kLast);
  }
  // The application sends a packet at tick 5; a takes it at 10 and sends at 21;
  // b takes both packets at 30.
  void NoteOnePacket() {
    made_.Note(0, 5, TraceKind::kSent, in_, 7);
    made_.Note(1, 10, TraceKind::kProcessBegin, a_, 7);
    made_.Note(1, 10, TraceKind::kTaken, in_, 7, 0);
    made_.Note(1, 20, TraceKind::kProcessEnd, a_, 7);
    made_.Note(1, 21, TraceKind::kSent, mid_, 7);
    made_.Note(1, 30, TraceKind::kProcessBegin, b_, 7);
    made_.Note(1, 30, TraceKind::kTaken, mid_, 7, 0);
    made_.Note(1, 30, TraceKind::kTaken, in_, 7, 1);
    made_.Note(1, 43, TraceKind::kProcessEnd, b_, 7);
  }

  TestTrace made_;
  GraphProfileOptions options_;
  int a_ = 0;
  int b_ = 0;
  int in_ = 0;
  int mid_ = 0;
};

TEST_F(GraphProfileBuilderTest, ACallIsOneEventInPairedForm) {
  NoteOnePacket();
  const GraphProfile profile = Captured();
  EXPECT_THAT(
      Texts(profile),
      ElementsAre(
          "PROCESS -@7 ..5 -> in@7#1", "PACKET_QUEUED a@7 5 in@7#1",
          "PACKET_QUEUED b@7 5 in@7#1", "PROCESS a@7 10..20 in@7#1 -> mid@7#2",
          "PACKET_QUEUED b@7 21 mid@7#1", "PROCESS b@7 30..43 mid@7#2 in@7#1"));
  const GraphTrace& trace = profile.graph_trace(0);
  // From when the packet was sent to when the call began.
  const GraphTrace::StreamTrace& taken =
      trace.calculator_trace(5).input_trace(0);
  EXPECT_EQ(taken.start_time(), 21);
  EXPECT_EQ(taken.finish_time(), 30);
  EXPECT_EQ(trace.calculator_trace(3).output_trace(0).start_time(), 21);
  // Threads are numbered in the order of their first events.
  EXPECT_EQ(trace.calculator_trace(0).thread_id(), 0);
  EXPECT_EQ(trace.calculator_trace(3).thread_id(), 1);
}

TEST_F(GraphProfileBuilderTest, InstantFormHasAnEventForEachPacket) {
  options_.instant_events = true;
  NoteOnePacket();
  EXPECT_THAT(
      Texts(Captured()),
      ElementsAre("PROCESS -@7 ..5 -> in@7#1", "PACKET_QUEUED a@7 5 in@7#1",
                  "PACKET_QUEUED b@7 5 in@7#1", "PROCESS a@7 10 in@7#1",
                  "PROCESS a@7 ..20 -> mid@7#2", "PACKET_QUEUED b@7 21 mid@7#1",
                  "PROCESS b@7 30 mid@7#2", "PROCESS b@7 30 in@7#1",
                  "PROCESS b@7 ..43"));
}

TEST_F(GraphProfileBuilderTest, CallsWithoutPacketsAreThereInBothForms) {
  const auto note = [this] {
    made_.Note(0, 1, TraceKind::kOpenBegin, a_, 0);
    made_.Note(0, 3, TraceKind::kOpenEnd, a_, 0);
    made_.Note(1, 4, TraceKind::kProcessBegin, a_, 7);
    made_.Note(1, 5, TraceKind::kProcessEnd, a_, 7);
    made_.Note(1, 6, TraceKind::kCloseBegin, a_, 0);
    made_.Note(1, 8, TraceKind::kCloseEnd, a_, 0);
  };
  note();
  EXPECT_THAT(Texts(Captured()),
              ElementsAre("OPEN a 1..3", "PROCESS a@7 4..5", "CLOSE a 6..8"));
  options_.instant_events = true;
  note();
  EXPECT_THAT(Texts(Captured()),
              ElementsAre("OPEN a 1", "OPEN a ..3", "PROCESS a@7 4",
                          "PROCESS a@7 ..5", "CLOSE a 6", "CLOSE a ..8"));
}

TEST_F(GraphProfileBuilderTest, ReadinessAndBackPressureSayWhatIsKnown) {
  made_.Note(0, 1, TraceKind::kReady, a_, 7, 0);
  made_.Note(0, 2, TraceKind::kReady, a_, 0, 1);
  made_.Note(0, 3, TraceKind::kReady, a_, 0, 2);
  made_.Note(0, 4, TraceKind::kNotReady, b_);
  made_.Note(0, 5, TraceKind::kThrottled, a_);
  made_.Note(0, 6, TraceKind::kUnthrottled, a_);
  made_.Note(0, 7, TraceKind::kThrottled, TraceEvent::kNoNode, 0, in_);
  EXPECT_THAT(Texts(Captured()),
              ElementsAre("READY_FOR_PROCESS a 1", "READY_FOR_CLOSE a 3",
                          "NOT_READY b 4", "THROTTLED a 5", "UNTHROTTLED a 6",
                          "THROTTLED - 7 in@0#0"));
}

TEST_F(GraphProfileBuilderTest, QueuedEventsCountAcrossParts) {
  GraphProfileBuilder builder(made_.header(), options_);
  made_.Note(0, 1, TraceKind::kSent, mid_, 1);
  made_.Note(0, 2, TraceKind::kSent, mid_, 2);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  EXPECT_THAT(
      Texts(builder.Capture()),
      ElementsAre("PROCESS a ..1 -> mid@1#1", "PACKET_QUEUED b@1 1 mid@1#1",
                  "PROCESS a ..2 -> mid@2#2", "PACKET_QUEUED b@2 2 mid@2#2"));
  made_.Note(0, 3, TraceKind::kDropped, mid_, 1, b_);
  made_.Note(0, 4, TraceKind::kSent, mid_, 3);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  EXPECT_THAT(
      Texts(builder.Capture()),
      ElementsAre("PROCESS a ..4 -> mid@3#3", "PACKET_QUEUED b@3 4 mid@3#2"));
}

TEST_F(GraphProfileBuilderTest, ACallThatTwoPartsShareIsOneEventOfTheLater) {
  for (const bool instant : {false, true}) {
    options_.instant_events = instant;
    GraphProfileBuilder builder(made_.header(), options_);
    made_.Note(1, 10, TraceKind::kProcessBegin, a_, 7);
    SYNCLINE_ASSERT_OK(builder.Add(Take()));
    EXPECT_THAT(Texts(builder.Capture()), IsEmpty());
    made_.Note(1, 60, TraceKind::kProcessEnd, a_, 7);
    made_.Note(1, 61, TraceKind::kSent, mid_, 7);
    SYNCLINE_ASSERT_OK(builder.Add(Take()));
    const std::vector<std::string> texts = Texts(builder.Capture());
    if (instant) {
      EXPECT_THAT(texts,
                  ElementsAre("PROCESS a@7 10", "PROCESS a@7 ..60 -> mid@7#1",
                              "PACKET_QUEUED b@7 61 mid@7#1"));
    } else {
      EXPECT_THAT(texts, ElementsAre("PROCESS a@7 10..60 -> mid@7#1",
                                     "PACKET_QUEUED b@7 61 mid@7#1"));
    }
    EXPECT_THAT(builder.Profiles()[a_].process_runtime().count(),
                ElementsAre(0, 0, 0, 1));
  }
}

TEST_F(GraphProfileBuilderTest, ResultsAfterThePartAreAnEventOfTheirOwn) {
  GraphProfileBuilder builder(made_.header(), options_);
  made_.Note(1, 10, TraceKind::kProcessBegin, a_, 7);
  made_.Note(1, 20, TraceKind::kProcessEnd, a_, 7);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  EXPECT_THAT(Texts(builder.Capture()), ElementsAre("PROCESS a@7 10..20"));
  made_.Note(1, 21, TraceKind::kSent, mid_, 7);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  EXPECT_THAT(Texts(builder.Capture()),
              ElementsAre("PROCESS a@7 ..20 -> mid@7#1",
                          "PACKET_QUEUED b@7 21 mid@7#1"));
}

TEST_F(GraphProfileBuilderTest, ResultsOfAnotherThreadBelongToTheirCall) {
  made_.Note(1, 10, TraceKind::kProcessBegin, a_, 7);
  made_.Note(1, 20, TraceKind::kProcessEnd, a_, 7);
  made_.Note(1, 21, TraceKind::kProcessBegin, a_, 8);
  made_.Note(1, 22, TraceKind::kProcessEnd, a_, 8);
  made_.Note(0, 30, TraceKind::kResults, a_, 7);
  made_.Note(0, 31, TraceKind::kSent, mid_, 7);
  EXPECT_THAT(Texts(Captured()),
              ElementsAre("PROCESS a@7 10..20 -> mid@7#1", "PROCESS a@8 21..22",
                          "PACKET_QUEUED b@7 31 mid@7#1"));
}

TEST_F(GraphProfileBuilderTest, ResultsOfACallOfAnEarlierPartNameIt) {
  GraphProfileBuilder builder(made_.header(), options_);
  made_.Note(1, 10, TraceKind::kProcessBegin, a_, 7);
  made_.Note(1, 20, TraceKind::kProcessEnd, a_, 7);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  builder.Capture();
  made_.Note(0, 30, TraceKind::kResults, a_, 7);
  made_.Note(0, 31, TraceKind::kSent, mid_, 7);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  EXPECT_THAT(Texts(builder.Capture()),
              ElementsAre("PROCESS a@7 ..20 -> mid@7#1",
                          "PACKET_QUEUED b@7 31 mid@7#1"));
}

TEST_F(GraphProfileBuilderTest, LatenciesBehindCallsThatOverlapAreWhole) {
  // Also without events, where no part has the call, and in a part of its own.
  for (const bool has_events : {false, true}) {
    options_.has_events = has_events;
    GraphProfileBuilder builder(made_.header(), options_);
    made_.Note(0, 5, TraceKind::kSent, in_, 7);
    made_.Note(1, 10, TraceKind::kProcessBegin, a_, 7);
    made_.Note(1, 10, TraceKind::kTaken, in_, 7, 0);
    made_.Note(1, 20, TraceKind::kProcessEnd, a_, 7);
    SYNCLINE_ASSERT_OK(builder.Add(Take()));
    builder.Capture();
    made_.Note(0, 30, TraceKind::kResults, a_, 7);
    made_.Note(0, 31, TraceKind::kSent, mid_, 7);
    made_.Note(0, 40, TraceKind::kProcessBegin, b_, 7);
    made_.Note(0, 40, TraceKind::kTaken, mid_, 7, 0);
    made_.Note(0, 50, TraceKind::kProcessEnd, b_, 7);
    SYNCLINE_ASSERT_OK(builder.Add(Take()));
    const CalculatorProfile b = builder.Profiles()[b_];
    // From when the application sent.
    EXPECT_EQ(b.process_input_latency().total(), 35) << has_events;
    EXPECT_EQ(b.process_output_latency().total(), 45) << has_events;
  }
}

TEST_F(GraphProfileBuilderTest, EventsBeforeTheLastAddAreCapturedAlone) {
  GraphProfileBuilder builder(made_.header(), options_);
  made_.Note(1, 10, TraceKind::kProcessBegin, a_, 7);
  made_.Note(1, 20, TraceKind::kProcessEnd, a_, 7);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  made_.Note(1, 21, TraceKind::kSent, mid_, 7);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  const GraphProfile part = builder.CaptureEventsBeforeLastAdd();
  EXPECT_THAT(Texts(part), ElementsAre("PROCESS a@7 10..20 -> mid@7#1"));
  EXPECT_EQ(part.calculator_profiles_size(), 0);
  const GraphProfile last = builder.Capture(GraphProfileBuilder::kLast);
  EXPECT_THAT(Texts(last), ElementsAre("PACKET_QUEUED b@7 21 mid@7#1"));
  EXPECT_EQ(last.calculator_profiles(a_).process_runtime().total(), 10);
}

TEST_F(GraphProfileBuilderTest, WhatIsCutAtTheEndHasOneTime) {
  made_.Note(0, 20, TraceKind::kProcessEnd, b_, 6);
  made_.Note(1, 30, TraceKind::kProcessBegin, a_, 7);
  made_.Note(1, 31, TraceKind::kDeviceBegin, a_, 7, 0);
  EXPECT_THAT(
      Texts(Captured()),
      ElementsAre("PROCESS b@6 ..20", "PROCESS a@7 30", "GPU_TASK a@7 31"));
}

TEST_F(GraphProfileBuilderTest, CallsBeforeAGapDoNotGoOn) {
  made_.Note(1, 10, TraceKind::kProcessBegin, a_, 7);
  made_.Lose(1, 3);
  made_.Note(1, 60, TraceKind::kProcessEnd, a_, 7);
  EXPECT_THAT(Texts(Captured()),
              ElementsAre("PROCESS a@7 10", "PROCESS a@7 ..60"));
}

TEST_F(GraphProfileBuilderTest, AMarginDelaysWhatIsYoung) {
  options_.margin_us = 10;
  GraphProfileBuilder builder(made_.header(), options_);
  made_.Note(0, 10, TraceKind::kNotReady, a_);
  made_.Note(0, 15, TraceKind::kNotReady, b_);
  made_.Note(0, 20, TraceKind::kNotReady, a_);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  EXPECT_THAT(Texts(builder.Capture()), ElementsAre("NOT_READY a 10"));
  // What comes late from another thread is in order.
  made_.Note(1, 12, TraceKind::kNotReady, b_);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  EXPECT_THAT(Texts(builder.Capture()), IsEmpty());
  EXPECT_THAT(
      Texts(builder.Capture(GraphProfileBuilder::kLast)),
      ElementsAre("NOT_READY b 12", "NOT_READY b 15", "NOT_READY a 20"));
}

TEST_F(GraphProfileBuilderTest, TypesCanBeLeftOut) {
  options_.disabled_types = {GraphTrace::PACKET_QUEUED, GraphTrace::NOT_READY};
  NoteOnePacket();
  made_.Note(1, 50, TraceKind::kNotReady, a_);
  EXPECT_THAT(Texts(Captured()),
              ElementsAre("PROCESS -@7 ..5 -> in@7#1",
                          "PROCESS a@7 10..20 in@7#1 -> mid@7#2",
                          "PROCESS b@7 30..43 mid@7#2 in@7#1"));
}

TEST_F(GraphProfileBuilderTest, HistogramsTellRuntimesAndLatencies) {
  NoteOnePacket();
  made_.Note(1, 50, TraceKind::kCloseBegin, b_);
  made_.Note(1, 55, TraceKind::kCloseEnd, b_);
  const GraphProfile profile = Captured();
  ASSERT_EQ(profile.calculator_profiles_size(), 2);
  const CalculatorProfile& a = profile.calculator_profiles(0);
  EXPECT_EQ(a.process_runtime().total(), 10);
  EXPECT_EQ(a.process_input_latency().total(), 5);
  EXPECT_EQ(a.process_output_latency().total(), 15);
  const CalculatorProfile& b = profile.calculator_profiles(1);
  EXPECT_EQ(b.close_runtime(), 5);
  EXPECT_EQ(b.process_runtime().total(), 13);
  EXPECT_THAT(b.process_runtime().count(), ElementsAre(0, 1, 0, 0));
  // From when the application sent.
  EXPECT_EQ(b.process_input_latency().total(), 25);
  EXPECT_EQ(b.process_output_latency().total(), 38);
  EXPECT_EQ(b.input_stream_profiles(0).latency().total(), 30 - 21);
  EXPECT_EQ(b.input_stream_profiles(1).latency().total(), 30 - 5);
}

TEST_F(GraphProfileBuilderTest, ASourceIsTheOriginWhereItsCallBegins) {
  TestTrace made;
  made.AddNode("source", {}, {"s"});
  made.AddNode("reader", {"s"}, {});
  made.AddThread("t", 1);
  made.Note(0, 10'000, TraceKind::kProcessBegin, 0, 7);
  made.Note(0, 14'000, TraceKind::kProcessEnd, 0, 7);
  made.Note(0, 15'000, TraceKind::kSent, made.Stream("s"), 7);
  made.Note(0, 20'000, TraceKind::kProcessBegin, 1, 7);
  made.Note(0, 20'000, TraceKind::kTaken, made.Stream("s"), 7, 0);
  made.Note(0, 30'000, TraceKind::kProcessEnd, 1, 7);
  GraphProfileBuilder builder(made.header(), options_);
  SYNCLINE_ASSERT_OK(builder.Add(made.Build()));
  const std::vector<CalculatorProfile> profiles = builder.Profiles();
  EXPECT_EQ(profiles[0].process_runtime().total(), 4);
  EXPECT_EQ(profiles[0].process_input_latency().total(), 0);
  EXPECT_EQ(profiles[1].process_input_latency().total(), 10);
  EXPECT_EQ(profiles[1].process_output_latency().total(), 20);
}

TEST_F(GraphProfileBuilderTest, APacketCanOriginateAtItsTimestamp) {
  options_.added_packets_originate_at_timestamp = true;
  const std::int64_t timestamp = kUnixUs + 2;
  made_.Note(0, 5, TraceKind::kSent, in_, timestamp);
  made_.Note(1, 10, TraceKind::kProcessBegin, a_, timestamp);
  made_.Note(1, 10, TraceKind::kTaken, in_, timestamp, 0);
  made_.Note(1, 20, TraceKind::kProcessEnd, a_, timestamp);
  EXPECT_EQ(Captured().calculator_profiles(0).process_input_latency().total(),
            8);
}

TEST_F(GraphProfileBuilderTest, OriginsAtAnyTimestampGiveTotalsInRange) {
  options_.added_packets_originate_at_timestamp = true;
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  GraphProfileBuilder builder(made_.header(), options_);
  std::uint64_t tick = 0;
  for (const std::int64_t timestamp : {-kMax + 100, -kMax + 200, kMax - 100}) {
    made_.Note(0, tick, TraceKind::kSent, in_, timestamp);
    made_.Note(1, tick + 1, TraceKind::kProcessBegin, a_, timestamp);
    made_.Note(1, tick + 1, TraceKind::kTaken, in_, timestamp, 0);
    made_.Note(1, tick + 2, TraceKind::kProcessEnd, a_, timestamp);
    tick += 10;
  }
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  const CalculatorProfile a = builder.Profiles()[a_];
  EXPECT_EQ(a.process_input_latency().total(), kMax);
  EXPECT_EQ(a.process_output_latency().total(), kMax);
  // The last one originates later than it is taken.
  EXPECT_THAT(a.process_input_latency().count(), ElementsAre(1, 0, 0, 2));
}

TEST_F(GraphProfileBuilderTest, TheBaseIsThatOfTheFirstCapture) {
  options_.base_time_us.reset();
  options_.base_timestamp.reset();
  GraphProfileBuilder builder(made_.header(), options_);
  made_.Note(0, 5, TraceKind::kSent, in_, 1007);
  made_.Note(0, 6, TraceKind::kSent, in_, 1003);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  const GraphProfile first = builder.Capture();
  EXPECT_EQ(first.graph_trace(0).base_time(), kUnixUs + 5);
  EXPECT_EQ(first.graph_trace(0).base_timestamp(), 1003);
  EXPECT_EQ(Texts(first)[0], "PROCESS -@4 ..0 -> in@4#1");
  made_.Note(0, 9, TraceKind::kSent, in_, 1001);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  const GraphProfile second = builder.Capture();
  EXPECT_EQ(second.graph_trace(0).base_time(), kUnixUs + 5);
  EXPECT_EQ(second.graph_trace(0).base_timestamp(), 1003);
  EXPECT_EQ(Texts(second)[0], "PROCESS -@-2 ..4 -> in@-2#3");
}

TEST_F(GraphProfileBuilderTest, TheBaseIsATimeAlsoIfTheFirstCaptureIsEmpty) {
  options_.base_time_us.reset();
  options_.base_timestamp.reset();
  GraphProfileBuilder builder(made_.header(), options_);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  EXPECT_EQ(builder.Capture().graph_trace(0).base_time(), kUnixUs);
  made_.Note(0, 9, TraceKind::kSent, in_, 1001);
  SYNCLINE_ASSERT_OK(builder.Add(Take()));
  const GraphProfile second = builder.Capture();
  EXPECT_EQ(second.graph_trace(0).base_time(), kUnixUs);
  EXPECT_EQ(second.graph_trace(0).base_timestamp(), 0);
  EXPECT_EQ(Texts(second)[0], "PROCESS -@1001 ..9 -> in@1001#1");
}

TEST_F(GraphProfileBuilderTest, SpecialTimestampsComeBackFromTheirDifference) {
  options_.base_timestamp.reset();
  const std::int64_t pre_stream = std::numeric_limits<std::int64_t>::min() + 2;
  made_.Note(0, 5, TraceKind::kSent, in_, pre_stream);
  made_.Note(0, 6, TraceKind::kSent, in_, 1000);
  const GraphProfile profile = Captured();
  const GraphTrace& trace = profile.graph_trace(0);
  EXPECT_EQ(trace.base_timestamp(), 1000);
  const auto relative =
      static_cast<std::uint64_t>(trace.calculator_trace(0).input_timestamp());
  EXPECT_EQ(static_cast<std::int64_t>(relative + 1000), pre_stream);
}

TEST_F(GraphProfileBuilderTest, TimesDoNotFollowStepsOfTheSystemClock) {
  made_.Note(0, 10, TraceKind::kProcessBegin, a_, 7);
  made_.Note(0, 30, TraceKind::kProcessEnd, a_, 7);
  Trace trace = Take();
  trace.clock_points.back().unix_ns -= 3'600'000'000'000;
  GraphProfileBuilder builder(made_.header(), options_);
  SYNCLINE_ASSERT_OK(builder.Add(trace));
  EXPECT_THAT(Texts(builder.Capture()), ElementsAre("PROCESS a@7 10..30"));
}

TEST_F(GraphProfileBuilderTest, ConfigAndNamesCanBeTakenAway) {
  made_.header().mutable_config()->add_node()->set_name("a");
  GraphProfile profile = Captured();
  EXPECT_EQ(profile.config().node_size(), 1);
  EXPECT_THAT(profile.graph_trace(0).calculator_name(), ElementsAre("a", "b"));
  EXPECT_THAT(profile.graph_trace(0).stream_name(),
              ElementsAre("", "in", "mid"));
  KeepEventsOnly(&profile);
  EXPECT_FALSE(profile.has_config());
  EXPECT_THAT(profile.graph_trace(0).calculator_name(), IsEmpty());
  EXPECT_EQ(profile.graph_trace(0).stream_name_size(), 3);
}

TEST_F(GraphProfileBuilderTest, EventsAndHistogramsCanBeSwitchedOff) {
  options_.has_events = false;
  NoteOnePacket();
  GraphProfile profile = Captured();
  EXPECT_EQ(profile.graph_trace_size(), 0);
  EXPECT_EQ(profile.calculator_profiles_size(), 2);
  options_.has_events = true;
  options_.has_histograms = false;
  NoteOnePacket();
  profile = Captured();
  EXPECT_EQ(profile.graph_trace_size(), 1);
  EXPECT_EQ(profile.calculator_profiles_size(), 0);
}

TEST_F(GraphProfileBuilderTest, RefusesTracesWithoutMeaning) {
  GraphProfileBuilder builder(made_.header(), options_);
  made_.Note(0, 5, TraceKind::kProcessBegin, 99, 7);
  EXPECT_THAT(builder.Add(Take()), StatusIs(absl::StatusCode::kDataLoss));
  made_.AddNode("more", {}, {});
  EXPECT_THAT(builder.Add(Take()), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(Texts(builder.Capture()), IsEmpty());
}

// A packet that a call takes or sends is an event of MediaPipe's.
TEST_F(GraphProfileBuilderTest, ACaptureHasTheNewestEvents) {
  NoteOnePacket();
  const Trace trace = Take();
  const auto first_of = [&](std::int64_t most, std::int64_t left_out) {
    options_.most_events = most;
    GraphProfileBuilder builder(made_.header(), options_);
    SYNCLINE_EXPECT_OK(builder.Add(trace));
    const std::vector<std::string> texts =
        Texts(builder.Capture(GraphProfileBuilder::kLast));
    EXPECT_EQ(builder.num_left_out(), left_out);
    EXPECT_EQ(texts.back(), "PROCESS b@7 30..43 mid@7#2 in@7#1");
    return texts.front();
  };
  EXPECT_EQ(first_of(9, 0), "PROCESS -@7 ..5 -> in@7#1");
  EXPECT_EQ(first_of(6, 3), "PROCESS a@7 10..20 in@7#1 -> mid@7#2");
  EXPECT_EQ(first_of(5, 5), "PACKET_QUEUED b@7 21 mid@7#1");
  // The newest one stays, whatever its size.
  EXPECT_EQ(first_of(1, 6), "PROCESS b@7 30..43 mid@7#2 in@7#1");
}

}  // namespace
}  // namespace syncline
