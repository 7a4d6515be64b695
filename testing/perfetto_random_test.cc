// Random traces in Perfetto's form: they break no rule, and their flows are
// what the simulation knows of each packet.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/convert/perfetto_form.h"
#include "framework/trace/convert/random_trace.h"
#include "framework/trace/trace_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/perfetto_checker.h"

namespace syncline {
namespace {

using ::testing::IsEmpty;

PerfettoContent Written(const Trace& trace) {
  std::string file;
  SYNCLINE_EXPECT_OK(WritePerfetto(trace, [&file](absl::string_view piece) {
    file.append(piece.data(), piece.size());
    return absl::OkStatus();
  }));
  return ReadPerfetto(file);
}

std::string WayText(std::int64_t timestamp, std::vector<std::string> ends) {
  std::sort(ends.begin(), ends.end());
  return absl::StrCat(timestamp, ": ", absl::StrJoin(ends, ", "));
}

// A text for each packet that has two ends or more.
std::vector<std::string> WaysOfPackets(const RandomTrace& random) {
  std::vector<std::string> ways;
  for (const RandomTrace::PacketTruth& packet : random.packets) {
    std::vector<std::string> ends = packet.takers;
    ends.push_back(packet.sender.empty() ? packet.stream : packet.sender);
    for (int i = 0; i < packet.drops; ++i) {
      ends.push_back(absl::StrCat("dropped ", packet.stream));
    }
    if (ends.size() > 1) ways.push_back(WayText(packet.timestamp, ends));
  }
  std::sort(ways.begin(), ways.end());
  return ways;
}

std::vector<std::string> WaysOfFlows(const PerfettoContent& content) {
  std::vector<std::string> ways;
  for (const auto& [flow, positions] : content.flows) {
    std::vector<std::string> ends;
    for (const std::size_t position : positions) {
      ends.push_back(content.events[position].name);
    }
    ways.push_back(WayText(
        std::stoll(content.events[positions[0]].annotations.at("timestamp")),
        ends));
  }
  std::sort(ways.begin(), ways.end());
  return ways;
}

TEST(PerfettoRandomTest, FlowsAreTheWaysOfPackets) {
  std::size_t num_flows = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const RandomTrace random = MakeRandomTrace(seed);
    const PerfettoContent content = Written(random.made.Build());
    ASSERT_THAT(content.violations, IsEmpty());
    ASSERT_EQ(WaysOfFlows(content), WaysOfPackets(random));
    num_flows += content.flows.size();
  }
  EXPECT_GT(num_flows, 3000u);
}

TEST(PerfettoRandomTest, EachCallIsOneBarOfItsNode) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const RandomTrace random = MakeRandomTrace(seed);
    const PerfettoContent content = Written(random.made.Build());
    std::size_t bars = 0;
    for (const PerfettoContent::Event& event : content.events) {
      if (event.type == PerfettoContent::kSliceBegin &&
          !content.tracks.at(event.track).is_thread &&
          event.annotations.count("timestamp") != 0) {
        ++bars;
      }
    }
    ASSERT_EQ(bars, random.calls.size());
  }
}

TEST(PerfettoRandomTest, QueuesEndWithWhatNobodyTook) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const RandomTrace random = MakeRandomTrace(seed);
    const PerfettoContent content = Written(random.made.Build());
    std::map<std::uint64_t, std::int64_t> lengths;  // the last, by track
    for (const PerfettoContent::Event& event : content.events) {
      if (event.type == PerfettoContent::kCounter) {
        lengths[event.track] = event.counter;
      }
    }
    // Of several queues of one stream, the trace does not tell which is which.
    std::map<std::string, int> waiting;
    for (const auto& [uuid, length] : lengths) {
      const PerfettoContent::Track& track = content.tracks.at(uuid);
      if (length == 0) continue;
      waiting[absl::StrCat(absl::StripPrefix(track.name, "queue "), " of ",
                           content.tracks.at(track.parent).name)] +=
          static_cast<int>(length);
    }
    ASSERT_EQ(waiting, random.waiting);
  }
}

TEST(PerfettoRandomTest, TracesWithLostEventsBreakNoRule) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    RandomTrace random = MakeRandomTrace(seed);
    LosePieces(seed, &random);
    ASSERT_THAT(Written(random.made.Build()).violations, IsEmpty());
  }
}

TEST(PerfettoRandomTest, DamagedTracesThatCanBeReadBreakNoRule) {
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
    ASSERT_THAT(Written(*trace).violations, IsEmpty());
  }
  EXPECT_GT(num_read, 40);
}

}  // namespace
}  // namespace syncline
