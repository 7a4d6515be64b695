// Trace files that MediaPipe wrote, read as traces. The expected numbers are
// those of the decoded text of each file.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/convert/call_lanes.h"
#include "framework/trace/convert/graph_profile_form.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

struct Expected {
  std::string file;
  std::int64_t first_us;
  std::int64_t last_us;
  std::int64_t least_timestamp;
  std::int64_t greatest_timestamp;
  int calls;
  int calls_without_begin;
  int added;
  int taken;
  int sent;
  int not_ready;
  int ready;
  int throttled;
  std::int64_t runtime_us;  // of calls that have both ends
};

// The events of PACKET_QUEUED are not counted. Of a call of `fan_0` that sent
// nothing, the file has no end, and no runtime.
const Expected kFiles[] = {
    {"append_0", 1795453892023648, 1795453892141116, 1000000, 1078000, 120, 40,
     0, 80, 120, 82, 82, 0, 20449},
    {"chain_0", 1795453792091187, 1795453792175103, 1000000, 1098000, 150, 0,
     50, 150, 150, 150, 153, 0, 25108},
    {"early_0", 1795453892283183, 1795453892325085, 1000000, 1016000, 18, 9, 0,
     9, 18, 10, 9, 0, 928},
    {"fan_0", 1795453792196359, 1795453792235146, 1000000, 1058000, 112, 30, 0,
     95, 82, 112, 90, 95, 0},
    {"ring_0", 1795453865021539, 1795453865037097, 1060000, 1072000, 21, 7, 0,
     14, 21, 14, 16, 0, 2817},
    {"ring_1", 1795453864981194, 1795453865019449, 1028000, 1058000, 48, 16, 0,
     32, 48, 32, 32, 0, 6430},
};

Trace ReadFile(const std::string& file) {
  auto trace = ReadGraphProfileFile(
      absl::StrCat("framework/trace/convert/testdata/", file, ".binarypb"));
  SYNCLINE_EXPECT_OK(trace);
  return trace.ok() ? *std::move(trace) : Trace();
}

class MediaPipeFilesTest : public ::testing::TestWithParam<Expected> {};

TEST_P(MediaPipeFilesTest, IsReadAsItsTextSays) {
  const Expected& expected = GetParam();
  const Trace trace = ReadFile(expected.file);
  EXPECT_FALSE(trace.is_cut_off);
  SYNCLINE_EXPECT_OK(CheckTrace(trace));

  std::map<TraceKind, int> counts;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = 0;
  ForEachEvent(trace, [&](int, const TraceEvent& event) {
    ++counts[event.kind()];
    first = std::min(first, trace.UnixNs(event.tick));
    last = std::max(last, trace.UnixNs(event.tick));
  });
  EXPECT_EQ(first, expected.first_us * 1000);
  EXPECT_EQ(last, expected.last_us * 1000);
  EXPECT_EQ(counts[TraceKind::kTaken], expected.taken);
  EXPECT_EQ(counts[TraceKind::kSent], expected.sent + expected.added);
  EXPECT_EQ(counts[TraceKind::kNotReady], expected.not_ready);
  EXPECT_EQ(counts[TraceKind::kReady], expected.ready);
  EXPECT_EQ(counts[TraceKind::kThrottled], expected.throttled);
  EXPECT_EQ(counts[TraceKind::kUnthrottled], expected.throttled);

  const TraceCalls calls(trace);
  EXPECT_EQ(calls.calls().size(), static_cast<std::size_t>(expected.calls));
  EXPECT_EQ(calls.added().size(), static_cast<std::size_t>(expected.added));
  int without_begin = 0;
  int taken = 0;
  int sent = 0;
  std::int64_t runtime_ns = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest = 0;
  for (const TracedCall& call : calls.calls()) {
    EXPECT_TRUE(call.end_is_known);
    taken += call.num_taken;
    sent += call.num_sent;
    least = std::min(least, call.timestamp);
    greatest = std::max(greatest, call.timestamp);
    if (!call.begin_is_known) {
      ++without_begin;
      EXPECT_EQ(call.begin, call.end);
    } else if (expected.runtime_us > 0) {
      runtime_ns += trace.Ns(call.end) - trace.Ns(call.begin);
    }
  }
  EXPECT_EQ(without_begin, expected.calls_without_begin);
  EXPECT_EQ(taken, expected.taken);
  EXPECT_EQ(sent, expected.sent);
  EXPECT_EQ(runtime_ns, expected.runtime_us * 1000);
  EXPECT_EQ(least, expected.least_timestamp);
  EXPECT_EQ(greatest, expected.greatest_timestamp);
}

INSTANTIATE_TEST_SUITE_P(All, MediaPipeFilesTest, ::testing::ValuesIn(kFiles),
                         [](const auto& info) { return info.param.file; });

std::vector<std::string> NamesOf(const Trace& trace) {
  std::vector<std::string> names;
  for (const TraceFileHeader::Node& node : trace.header.node()) {
    std::string text = absl::StrCat(node.name(), "=", node.calculator(), "(");
    for (int port = 0; port < node.input_stream_size(); ++port) {
      absl::StrAppend(&text, port == 0 ? "" : " ",
                      trace.header.stream(node.input_stream(port)).name(),
                      node.input_is_back_edge(port) ? "*" : "");
    }
    absl::StrAppend(&text, ")");
    for (const int stream : node.output_stream()) {
      absl::StrAppend(&text, " ", trace.header.stream(stream).name());
    }
    names.push_back(text);
  }
  return names;
}

TEST(MediaPipeFilesTest, NodesAndStreamsAreThoseOfTheConfig) {
  EXPECT_THAT(NamesOf(ReadFile("fan_0")),
              ElementsAre("source=TickSource() raw",
                          "limiter=FlowLimiterCalculator(raw out*) limited",
                          "left=MediumWork(limited) l",
                          "right=LongWork(limited) r", "join=AddAll(l r) out"));
  EXPECT_THAT(NamesOf(ReadFile("chain_0")),
              ElementsAre("first=ShortWork(in) a", "second=MediumWork(a) b",
                          "ShortWork=ShortWork(b) out"));
  EXPECT_TRUE(ReadFile("chain_0").header.has_config());
}

// MediaPipe says of no THROTTLED which source it is of.
TEST(MediaPipeFilesTest, ASourceWithoutANameHasNoneOnceItIsWrittenAgain) {
  const auto streams_of = [](const Trace& trace) {
    std::vector<std::string> names;
    for (const TraceFileHeader::Stream& stream : trace.header.stream()) {
      names.push_back(stream.name());
    }
    return names;
  };
  const Trace trace = ReadFile("fan_0");
  EXPECT_THAT(streams_of(trace), Contains(""));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphProfile profile,
                                ToGraphProfile(trace, {}));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace again, FromGraphProfile(profile));
  EXPECT_THAT(streams_of(again), UnorderedElementsAreArray(streams_of(trace)));
}

TEST(MediaPipeFilesTest, ACallThatAPartCutsIsOneCall) {
  const Trace trace = ReadFile("append_0");
  const TraceCalls calls(trace);
  int found = 0;
  for (const TracedCall& call : calls.calls()) {
    if (trace.header.node(call.node).name() != "work" ||
        call.timestamp != 1'042'000) {
      continue;
    }
    ++found;
    EXPECT_TRUE(call.begin_is_known);
    EXPECT_EQ(trace.Ns(call.end) - trace.Ns(call.begin),
              (67'605 - 62'968) * 1000);
    EXPECT_EQ(call.num_taken, 1);
    EXPECT_EQ(call.num_sent, 1);
  }
  EXPECT_EQ(found, 1);
}

// By the name of the node: calls of which the file tells when they were ready.
std::map<std::string, int> ReadyCalls(const Trace& trace) {
  std::map<std::string, int> counts;
  const TraceCalls calls(trace);
  for (const TracedCall& call : calls.calls()) {
    if (call.ready != 0) ++counts[trace.header.node(call.node).name()];
  }
  return counts;
}

// There are 50 notes of each node; before a few begins of calls there is none.
TEST(MediaPipeFilesTest, CallsHaveTheTimeWhenTheyWereReady) {
  EXPECT_THAT(ReadyCalls(ReadFile("chain_0")),
              UnorderedElementsAre(Pair("first", 49), Pair("second", 47),
                                   Pair("ShortWork", 50)));
}

// They do not overlap, though the file has no begin of them.
TEST(MediaPipeFilesTest, CallsOfASourceAreOnOneTrack) {
  const Trace trace = ReadFile("append_0");
  EXPECT_EQ(trace.num_lost(), 0);
  const TraceCalls calls(trace);
  EXPECT_THAT(CallLanes(trace, calls).lanes_of_nodes(), Each(1));
}

TEST(MediaPipeFilesTest, ThreadsAreThoseOfTheFile) {
  EXPECT_EQ(ReadFile("chain_0").threads.size(), 3u);
  EXPECT_EQ(ReadFile("append_0").threads.size(), 1u);
}

}  // namespace
}  // namespace syncline
