// GraphProfiles that are written part by part say what one in a piece says.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/convert/graph_profile_form.h"
#include "framework/trace/convert/random_trace.h"
#include "framework/trace/convert/test_trace.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<std::string> PartsOf(const Trace& trace,
                                 std::size_t events_in_part) {
  std::vector<std::string> parts;
  SYNCLINE_EXPECT_OK(WriteGraphProfile(trace, GraphProfileOptions(),
                                       [&parts](absl::string_view part) {
                                         parts.emplace_back(part);
                                         return absl::OkStatus();
                                       },
                                       {.events_in_part = events_in_part}));
  return parts;
}

GraphProfile Joined(const std::vector<std::string>& parts) {
  std::string file;
  for (const std::string& part : parts) file += part;
  GraphProfile profile;
  EXPECT_TRUE(profile.ParseFromString(file));
  return profile;
}

// The calls of a profile with their times and packets, in an order of theirs.
std::vector<std::string> SortedCalls(const GraphProfile& profile) {
  const absl::StatusOr<Trace> trace = FromGraphProfile(profile);
  SYNCLINE_EXPECT_OK(trace);
  if (!trace.ok()) return {};
  const TraceCalls calls(*trace);
  std::vector<std::string> lines;
  for (const TracedCall& call : calls.calls()) {
    std::string line = absl::StrCat(
        static_cast<int>(call.kind), " ", call.node, "@", call.timestamp, " ",
        call.begin_is_known ? trace->UnixNs(call.begin) : 0, "..",
        call.end_is_known ? trace->UnixNs(call.end) : 0, " on ", call.thread);
    for (const auto& packets : {calls.Taken(call), calls.Sent(call)}) {
      std::vector<std::string> texts;
      for (const TracedPacket& packet : packets) {
        texts.push_back(absl::StrCat(" ", packet.stream, "@", packet.timestamp,
                                     " ", trace->UnixNs(packet.tick)));
      }
      std::sort(texts.begin(), texts.end());
      for (const std::string& text : texts) line += text;
      line += " ->";
    }
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(GraphProfilePartsTest, PartsSayWhatTheWholeSays) {
  std::size_t num_parts = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    RandomTrace random = MakeRandomTrace(seed);
    if (seed % 3 == 0) LosePieces(seed, &random);
    const Trace trace = random.made.Build();
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphProfile whole,
                                  ToGraphProfile(trace, GraphProfileOptions()));
    for (const std::size_t events_in_part : {60, 200, 1000}) {
      const std::vector<std::string> parts = PartsOf(trace, events_in_part);
      num_parts += parts.size();
      const GraphProfile joined = Joined(parts);
      ASSERT_EQ(SortedCalls(joined), SortedCalls(whole));
      // The histograms are those of the run, once.
      ASSERT_EQ(joined.calculator_profiles_size(),
                whole.calculator_profiles_size());
      for (int i = 0; i < whole.calculator_profiles_size(); ++i) {
        ASSERT_EQ(joined.calculator_profiles(i).SerializeAsString(),
                  whole.calculator_profiles(i).SerializeAsString());
      }
      for (const GraphTrace& part : joined.graph_trace()) {
        EXPECT_EQ(part.base_time(), whole.graph_trace(0).base_time());
        EXPECT_EQ(part.base_timestamp(), whole.graph_trace(0).base_timestamp());
      }
    }
  }
  EXPECT_GT(num_parts, 400u);
}

TEST(GraphProfilePartsTest, AShortTraceIsOnePartAsOneInAPiece) {
  const Trace trace = MakeRandomTrace(3).made.Build();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphProfile whole,
                                ToGraphProfile(trace, GraphProfileOptions()));
  const std::vector<std::string> parts = PartsOf(trace, 1 << 20);
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_EQ(parts[0], whole.SerializeAsString());
  // So is one of nothing.
  TestTrace none;
  none.AddNode("a", {}, {});
  EXPECT_THAT(PartsOf(none.Build(), 10), SizeIs(1));
}

// `count` calls of one node, one after the other, each with a packet.
Trace TraceOfCalls(int count) {
  TestTrace made;
  made.AddNode("a", {"in"}, {"out"});
  made.header().mutable_config()->add_node()->set_name("a");
  made.AddThread("main", 1);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t tick = 10'000 * static_cast<std::uint64_t>(i);
    made.Note(0, tick, TraceKind::kSent, made.Stream("in"), i);
    made.Note(0, tick + 1000, TraceKind::kProcessBegin, 0, i);
    made.Note(0, tick + 1000, TraceKind::kTaken, made.Stream("in"), i, 0);
    made.Note(0, tick + 2000, TraceKind::kProcessEnd, 0, i);
    made.Note(0, tick + 3000, TraceKind::kSent, made.Stream("out"), i);
  }
  return made.Build();
}

TEST(GraphProfilePartsTest, APartDoesNotGrowWithTheTrace) {
  const std::vector<std::string> parts = PartsOf(TraceOfCalls(2000), 103);
  // Of 10,000 events in 98 slices; the last two are one part.
  ASSERT_THAT(parts, SizeIs(97));
  for (const std::string& part : parts) EXPECT_LT(part.size(), 10'000u);
  GraphProfile first;
  GraphProfile second;
  ASSERT_TRUE(first.ParseFromString(parts[0]));
  ASSERT_TRUE(second.ParseFromString(parts[1]));
  // The config and the names of nodes are there once.
  EXPECT_EQ(first.config().node_size(), 1);
  EXPECT_FALSE(second.has_config());
  EXPECT_EQ(first.graph_trace(0).calculator_name_size(), 1);
  EXPECT_EQ(second.graph_trace(0).calculator_name_size(), 0);
  // A call and what it sends stay together, though the slice ends between the
  // begin of the 21st call and its end. Each call has an event, and so has its
  // packet from the application, where it is sent and where it is queued.
  EXPECT_EQ(first.graph_trace(0).calculator_trace_size(), 63);
  for (const auto& event : first.graph_trace(0).calculator_trace()) {
    if (event.event_type() != GraphTrace::PROCESS) continue;
    EXPECT_EQ(event.output_trace_size(), 1);
  }
}

TEST(GraphProfilePartsTest, TheFirstErrorEndsIt) {
  int pieces = 0;
  EXPECT_THAT(
      WriteGraphProfile(TraceOfCalls(100), GraphProfileOptions(),
                        [&pieces](absl::string_view) {
                          ++pieces;
                          return absl::UnavailableError("the disk is full");
                        },
                        {.events_in_part = 20}),
      StatusIs(absl::StatusCode::kUnavailable, "the disk is full"));
  EXPECT_EQ(pieces, 1);
}

TEST(GraphProfilePartsTest, AFileThatNobodyCouldReadIsNotWrittenToTheEnd) {
  std::size_t written = 0;
  EXPECT_THAT(
      WriteGraphProfile(TraceOfCalls(100), GraphProfileOptions(),
                        [&written](absl::string_view part) {
                          written += part.size();
                          return absl::OkStatus();
                        },
                        {.events_in_part = 20, .max_bytes = 2000}),
      StatusIs(absl::StatusCode::kResourceExhausted,
               HasSubstr("at most 2000 bytes, and the file ends before: record "
                         "a shorter run")));
  EXPECT_GT(written, 0u);
  EXPECT_LE(written, 2000u);
}

TEST(GraphProfilePartsTest, ATraceWithoutMeaningIsRefused) {
  TestTrace made;
  made.AddThread("main", 1);
  made.Note(0, 1, TraceKind::kProcessBegin, 99);
  EXPECT_THAT(
      WriteGraphProfile(made.Build(), GraphProfileOptions(),
                        [](absl::string_view) { return absl::OkStatus(); }),
      StatusIs(absl::StatusCode::kDataLoss));
}

TEST(GraphProfilePartsTest, DamagedTracesThatCanBeReadAreWritten) {
  std::mt19937 random(20261129);
  int num_read = 0;
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(absl::StrCat("round ", round));
    std::string file =
        TraceFileContent(MakeRandomTrace(random() % 20).made.Build());
    for (int i = 0; i < 3; ++i) {
      file[random() % file.size()] ^= static_cast<char>(1 << random() % 8);
    }
    const absl::StatusOr<Trace> trace = ParseTraceFile(file, "damaged");
    if (!trace.ok()) continue;
    ++num_read;
    // Times that make no sense are an error of who reads the profile.
    const absl::Status read =
        FromGraphProfile(Joined(PartsOf(*trace, 100))).status();
    ASSERT_TRUE(read.ok() || absl::IsDataLoss(read)) << read;
  }
  EXPECT_GT(num_read, 40);
}

}  // namespace
}  // namespace syncline
