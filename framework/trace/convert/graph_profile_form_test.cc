#include "framework/trace/convert/graph_profile_form.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/convert/random_trace.h"
#include "framework/trace/convert/test_trace.h"
#include "framework/trace/trace_calls.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

GraphProfile FromText(const std::string& text) {
  GraphProfile profile;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &profile));
  return profile;
}

std::string PacketText(const Trace& trace, const TracedPacket& packet) {
  return absl::StrCat(trace.header.stream(packet.stream).name(), "@",
                      packet.timestamp);
}

// "a@5 10..20 0:in@5 -> out@5", times in microseconds since 1970; "?" where
// they are not known. Without ports, packets are in the order of their names.
std::vector<std::string> CallTexts(const Trace& trace, bool with_ports = true) {
  const TraceCalls calls(trace);
  std::vector<std::string> texts;
  for (const TracedCall& call : calls.calls()) {
    std::string text = absl::StrCat(
        trace.header.node(call.node).name(),
        call.kind == TraceKind::kOpenBegin ? " Open"
        : call.kind == TraceKind::kCloseBegin
            ? " Close"
            : absl::StrCat("@", call.timestamp),
        " ",
        call.begin_is_known ? absl::StrCat(trace.UnixNs(call.begin) / 1000)
                            : "?",
        "..",
        call.end_is_known ? absl::StrCat(trace.UnixNs(call.end) / 1000) : "?");
    std::vector<std::string> taken;
    for (const TracedPacket& packet : calls.Taken(call)) {
      taken.push_back(
          absl::StrCat(" ", with_ports ? absl::StrCat(packet.port, ":") : "",
                       PacketText(trace, packet)));
    }
    if (!with_ports) std::sort(taken.begin(), taken.end());
    std::vector<std::string> sent;
    for (const TracedPacket& packet : calls.Sent(call)) {
      sent.push_back(absl::StrCat(" -> ", PacketText(trace, packet)));
    }
    // At one time, results that another thread sends may be told first.
    if (!with_ports) std::sort(sent.begin(), sent.end());
    for (const std::string& packet : taken) text += packet;
    for (const std::string& packet : sent) text += packet;
    texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> CallTexts(const GraphProfile& profile) {
  const auto trace = FromGraphProfile(profile);
  SYNCLINE_EXPECT_OK(trace);
  return trace.ok() ? CallTexts(*trace) : std::vector<std::string>();
}

std::vector<std::string> Sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

// What is in `a` and not in `b`; both are sorted.
std::vector<std::string> Without(const std::vector<std::string>& a,
                                 const std::vector<std::string>& b) {
  std::vector<std::string> rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                      std::back_inserter(rest));
  return rest;
}

TEST(GraphProfileFormTest, CallsAndPacketsComeBackFromBothForms) {
  for (const bool instant : {false, true}) {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(
          absl::StrCat(instant ? "instant" : "paired", ", seed ", seed));
      const RandomTrace random = MakeRandomTrace(seed);
      Trace trace = random.made.Build();
      // A tick is a microsecond, so that no time is rounded.
      trace.clock_points.push_back(
          {1, TestTrace::kSteadyNs + 1000, TestTrace::kUnixNs + 1000});
      GraphProfileOptions options;
      options.instant_events = instant;
      SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphProfile profile,
                                    ToGraphProfile(trace, options));
      SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace back,
                                    FromGraphProfile(profile));
      // Without a config, the profile does not tell the ports.
      const auto found = Sorted(CallTexts(back, false));
      const auto expected = Sorted(CallTexts(trace, false));
      ASSERT_THAT(Without(found, expected), IsEmpty());
      ASSERT_THAT(Without(expected, found), IsEmpty());
      ASSERT_EQ(TraceCalls(back).added().size(),
                TraceCalls(trace).added().size());
    }
  }
}

TEST(GraphProfileFormTest, TracesWithLostEventsGiveProfilesThatCanBeRead) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomTrace random = MakeRandomTrace(seed);
    LosePieces(seed, &random);
    GraphProfileOptions options;
    options.instant_events = seed % 2 == 0;
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphProfile profile,
                                  ToGraphProfile(random.made.Build(), options));
    SYNCLINE_ASSERT_OK(FromGraphProfile(profile));
  }
}

constexpr char kNames[] = R"pb(
  base_time: 1000000
  base_timestamp: 500
  calculator_name: "a"
  calculator_name: "b"
  stream_name: ""
  stream_name: "in"
  stream_name: "out"
)pb";

GraphProfile OnePart(const std::string& events) {
  return FromText(absl::StrCat("graph_trace {", kNames, events, "}"));
}

TEST(GraphProfileFormTest, HalvesOfACallInTwoPartsAreOneCall) {
  const GraphProfile profile = FromText(absl::StrCat(
      "graph_trace {", kNames, R"pb(
        calculator_trace {
          node_id: 1
          input_timestamp: 7
          event_type: PROCESS
          start_time: 10
          input_trace { packet_timestamp: 7 stream_id: 1 }
        }
      )pb",
      "} graph_trace { base_time: 1000000 base_timestamp: 500", R"pb(
        stream_name: ""
        stream_name: "out"
        calculator_trace {
          node_id: 1
          input_timestamp: 7
          event_type: PROCESS
          finish_time: 30
          output_trace { packet_timestamp: 7 stream_id: 1 }
        }
      )pb",
      "}"));
  // The second part has numbers of its own for streams, and no names of nodes.
  EXPECT_THAT(CallTexts(profile),
              ElementsAre("b@507 1000010..1000030 0:in@507 -> out@507"));
}

TEST(GraphProfileFormTest, ACallWithoutEndEndsWithTheNextEventOfItsThread) {
  EXPECT_THAT(
      CallTexts(OnePart(R"pb(
        calculator_trace {
          node_id: 0
          input_timestamp: 7
          event_type: PROCESS
          start_time: 10
          input_trace { packet_timestamp: 7 stream_id: 1 }
        }
        calculator_trace { node_id: 1 event_type: NOT_READY start_time: 14 }
        calculator_trace {
          node_id: 0
          input_timestamp: 8
          event_type: PROCESS
          start_time: 20
        }
      )pb")),
      ElementsAre("a@507 1000010..1000014 0:in@507", "a@508 1000020..?"));
}

TEST(GraphProfileFormTest, SeveralStartsAndEndsAreOneCall) {
  EXPECT_THAT(
      CallTexts(OnePart(R"pb(
        calculator_trace {
          node_id: 0
          input_timestamp: 7
          event_type: PROCESS
          start_time: 10
          input_trace { packet_timestamp: 7 stream_id: 1 }
        }
        calculator_trace {
          node_id: 0
          input_timestamp: 7
          event_type: PROCESS
          start_time: 11
          input_trace { packet_timestamp: 6 stream_id: 1 }
        }
        calculator_trace {
          node_id: 0
          input_timestamp: 7
          event_type: PROCESS
          finish_time: 20
          output_trace { packet_timestamp: 7 stream_id: 2 }
        }
        calculator_trace {
          node_id: 0
          input_timestamp: 7
          event_type: PROCESS
          finish_time: 21
          output_trace { packet_timestamp: 8 stream_id: 2 }
        }
      )pb")),
      ElementsAre(
          "a@507 1000010..1000020 0:in@507 0:in@506 -> out@507 -> out@508"));
}

TEST(GraphProfileFormTest, ASourceHasEndsOnly) {
  EXPECT_THAT(CallTexts(OnePart(R"pb(
                calculator_trace {
                  node_id: 0
                  input_timestamp: 7
                  event_type: PROCESS
                  finish_time: 10
                  output_trace { packet_timestamp: 7 stream_id: 2 }
                }
                calculator_trace {
                  node_id: 0
                  input_timestamp: 8
                  event_type: PROCESS
                  finish_time: 20
                  output_trace { packet_timestamp: 8 stream_id: 2 }
                }
              )pb")),
              ElementsAre("a@507 ?..1000010 -> out@507",
                          "a@508 ?..1000020 -> out@508"));
}

TEST(GraphProfileFormTest, OtherEventsComeBack) {
  TestTrace made;
  made.AddNode("a", {"in"}, {"out"});
  made.AddThread("t", 1);
  made.Note(0, 1000, TraceKind::kReady, 0, 0, 0);
  made.Note(0, 2000, TraceKind::kReady, 0, 0, 2);
  made.Note(0, 3000, TraceKind::kNotReady, 0);
  made.Note(0, 4000, TraceKind::kThrottled, TraceEvent::kNoNode, 0,
            made.Stream("in"));
  made.Note(0, 5000, TraceKind::kUnthrottled, 0);
  made.Note(0, 6000, TraceKind::kDeviceBegin, 0, 7);
  made.Note(0, 7000, TraceKind::kDeviceEnd, 0, 7);
  const Trace trace = made.Build();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphProfile profile,
                                ToGraphProfile(trace, {}));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace back, FromGraphProfile(profile));
  ASSERT_EQ(back.num_events(), trace.num_events());
  auto other = back.threads[0].events.begin();
  for (const TraceEvent& event : trace.threads[0].events) {
    EXPECT_EQ(other->kind(), event.kind());
    if (event.id() != TraceEvent::kNoNode) {
      EXPECT_EQ(other->id(), event.id());
    }
    EXPECT_EQ(back.UnixNs(other->tick), trace.UnixNs(event.tick));
    // No call follows, so it is not known which one was ready.
    const bool is_ready = event.kind() == TraceKind::kReady && event.extra == 0;
    EXPECT_EQ(other->timestamp, is_ready
                                    ? std::numeric_limits<std::int64_t>::max()
                                    : event.timestamp);
    ++other;
  }
}

// "b@7 waited 5": calls that were ready before, in microseconds.
std::vector<std::string> WaitTexts(const Trace& trace) {
  std::vector<std::string> texts;
  const TraceCalls calls(trace);
  for (const TracedCall& call : calls.calls()) {
    if (call.ready == 0) continue;
    texts.push_back(absl::StrCat(
        trace.header.node(call.node).name(), "@", call.timestamp, " waited ",
        (trace.Ns(call.begin) - trace.Ns(call.ready)) / 1000));
  }
  return texts;
}

TEST(GraphProfileFormTest, CallsComeBackWithTheTimeTheyWereReady) {
  // "b" reads what "a" sends, on another thread, and every third call does not
  // wait for it.
  TestTrace made;
  const int a = made.AddNode("a", {"in"}, {"x"});
  const int b = made.AddNode("b", {"x"}, {});
  const int x = made.Stream("x");
  made.AddThread("of b", 1);
  made.AddThread("of a", 2);
  std::vector<std::string> expected;
  std::uint64_t tick = 1'000'000;
  for (int i = 1; i <= 30; ++i) {
    made.Note(1, tick, TraceKind::kProcessBegin, a, i);
    made.Note(1, tick + 5'000, TraceKind::kProcessEnd, a, i);
    made.Note(1, tick + 5'000, TraceKind::kSent, x, i);
    // Also no microsecond, though the thread of the call is told first.
    const std::uint64_t wait = i % 5 * 1'000;
    if (i % 3 != 0) {
      made.Note(1, tick + 5'000, TraceKind::kReady, b, i);
      expected.push_back(absl::StrCat("b@", i, " waited ", wait / 1'000));
    }
    made.Note(0, tick + 5'000 + wait, TraceKind::kProcessBegin, b, i);
    made.Note(0, tick + 5'000 + wait, TraceKind::kTaken, x, i, 0);
    made.Note(0, tick + 10'000, TraceKind::kProcessEnd, b, i);
    tick += 20'000;
  }
  for (const bool instant : {false, true}) {
    GraphProfileOptions options;
    options.instant_events = instant;
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphProfile profile,
                                  ToGraphProfile(made.Build(), options));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace back, FromGraphProfile(profile));
    EXPECT_EQ(WaitTexts(back), expected) << instant;
  }
}

TEST(GraphProfileFormTest, AStreamThatIsNotToldHasNoName) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Trace trace,
      FromGraphProfile(
          OnePart("calculator_trace { node_id: -1 event_type: THROTTLED }")));
  EXPECT_EQ(trace.header
                .stream(static_cast<int>(trace.threads[0].events.front().extra))
                .name(),
            "");
}

TEST(GraphProfileFormTest, ConfigTellsInputsInTheirOrder) {
  const GraphProfile profile = FromText(R"pb(
    config {
      output_stream: "RESULT:out"
      output_stream: "nobody_sends_it"
      node {
        name: "join"
        calculator: "Join"
        input_stream: "LEFT:l"
        input_stream: "BACK:1:out"
        output_stream: "OUT:out"
        input_stream_info { tag_index: "BACK:1" back_edge: true }
      }
    }
    graph_trace {
      calculator_name: "join"
      stream_name: ""
      stream_name: "out"
      stream_name: "l"
      calculator_trace {
        node_id: 0
        event_type: PROCESS
        start_time: 1
        finish_time: 2
        input_trace { stream_id: 1 }
        input_trace { stream_id: 2 }
      }
    }
  )pb");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, FromGraphProfile(profile));
  EXPECT_THAT(CallTexts(trace), ElementsAre("join@0 1..2 1:out@0 0:l@0"));
  EXPECT_THAT(trace.header.node(0).input_is_back_edge(),
              ElementsAre(false, true));
  EXPECT_EQ(trace.header.node(0).calculator(), "Join");
  std::vector<std::string> outputs;
  for (const TraceFileHeader::Stream& stream : trace.header.stream()) {
    if (stream.is_graph_output()) outputs.push_back(stream.name());
  }
  EXPECT_THAT(outputs, ElementsAre("out"));
}

TEST(GraphProfileFormTest, RefusesNumbersThatAreOutOfRange) {
  const auto error = [](const std::string& event) {
    return FromGraphProfile(
               OnePart(absl::StrCat("calculator_trace {", event, "}")))
        .status();
  };
  const auto is = [](const char* what) {
    return StatusIs(absl::StatusCode::kDataLoss, HasSubstr(what));
  };
  EXPECT_THAT(error("node_id: -2 event_type: PROCESS start_time: 1"),
              is("there is no node -2"));
  EXPECT_THAT(error("node_id: 2000000000 event_type: NOT_READY"),
              is("there is no node 2000000000"));
  EXPECT_THAT(error("thread_id: -1"), is("there is no thread -1"));
  EXPECT_THAT(error("thread_id: 2000000000"), is("there is no thread"));
  EXPECT_THAT(error("node_id: 0 event_type: PROCESS start_time: 1 "
                    "input_trace { stream_id: -5 }"),
              is("there is no stream -5"));
  for (const char* const time :
       {"9223372036854775807", "-9223372036854775808", "-1000001"}) {
    EXPECT_THAT(error(absl::StrCat("node_id: 0 event_type: NOT_READY "
                                   "start_time: ",
                                   time)),
                is("out of range"))
        << time;
  }
  EXPECT_THAT(error("node_id: 0 event_type: PROCESS finish_time: 1 "
                    "output_trace { stream_id: 2000000000 }"),
              is("event 0 of part 0"));
  GraphProfile profile;
  profile.add_graph_trace()->set_base_time(
      std::numeric_limits<std::int64_t>::max());
  EXPECT_THAT(FromGraphProfile(profile), is("base time"));
}

TEST(GraphProfileFormTest, NumbersWithoutNamesGetSome) {
  const GraphProfile profile = FromText(R"pb(
    graph_trace {
      calculator_trace {
        node_id: 3
        event_type: PROCESS
        start_time: 1
        finish_time: 2
        input_trace { stream_id: 4 packet_timestamp: 9 }
      }
    }
  )pb");
  EXPECT_THAT(CallTexts(profile), ElementsAre("node 3@0 1..2 0:stream 4@9"));
}

TEST(GraphProfileFormTest, AnEmptyProfileIsAnEmptyTrace) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, FromGraphProfile({}));
  EXPECT_EQ(trace.num_events(), 0);
  EXPECT_THAT(CallTexts(trace), IsEmpty());
}

}  // namespace
}  // namespace syncline
