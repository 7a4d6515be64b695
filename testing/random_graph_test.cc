#include "testing/random_graph.h"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "framework/packet/packet.h"
#include "framework/plan/compile.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/print_value.h"
#include "testing/reference_run.h"

namespace syncline {
namespace {

// random_graph_long_test sets another number.
std::uint64_t NumSeeds() {
  const char* const given = std::getenv("SYNCLINE_RANDOM_GRAPHS");
  std::uint64_t number = 0;
  return given != nullptr && absl::SimpleAtoi(given, &number) ? number : 1000;
}

TEST(RandomGraphTest, EveryGraphIsValidAndItsReferenceRunEnds) {
  const std::uint64_t seeds = NumSeeds();
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const RandomCase random_case = MakeRandomCase(seed);
    const absl::StatusOr<GraphPlan> plan = Compile(random_case.graph());
    ASSERT_TRUE(plan.ok()) << plan.status() << "\n"
                           << RandomCaseText(random_case);
    const absl::StatusOr<ReferenceResult> result =
        RunReference(*plan, InputsOf(random_case), {.max_calls = 20000});
    ASSERT_TRUE(result.ok()) << result.status() << "\n"
                             << RandomCaseText(random_case);
  }
}

TEST(RandomGraphTest, ASeedGivesTheSameGraphAndItsTextTheSameCase) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = RandomCaseText(MakeRandomCase(seed));
    EXPECT_EQ(RandomCaseText(MakeRandomCase(seed)), text);
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const RandomCase read, ReadRandomCase(text));
    EXPECT_EQ(RandomCaseText(read), text);
  }
}

TEST(RandomGraphTest, TheReferenceRunGivesTheSameAgain) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomCase random_case = MakeRandomCase(seed);
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphPlan plan,
                                  Compile(random_case.graph()));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const ReferenceResult first,
                                  RunReference(plan, InputsOf(random_case)));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const ReferenceResult second,
                                  RunReference(plan, InputsOf(random_case)));
    EXPECT_EQ(first.status, second.status);
    for (const auto& [name, stream] : first.streams) {
      const auto& again = second.streams.at(name);
      EXPECT_EQ(stream.is_closed, again.is_closed);
      ASSERT_EQ(stream.packets.size(), again.packets.size());
      for (size_t i = 0; i < stream.packets.size(); ++i) {
        EXPECT_EQ(stream.packets[i].Timestamp(), again.packets[i].Timestamp());
        EXPECT_EQ(PrintValue(stream.packets[i]).value(),
                  PrintValue(again.packets[i]).value());
      }
    }
  }
}

// A generator whose graphs are all alike, or of which little happens, would
// compare nothing.
TEST(RandomGraphTest, ManyGraphsAreInteresting) {
  const std::uint64_t seeds = NumSeeds();
  std::map<std::string, std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const RandomCase random_case = MakeRandomCase(seed);
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphPlan plan,
                                  Compile(random_case.graph()));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        const ReferenceResult result,
        RunReference(plan, InputsOf(random_case), {.stop_at_error = false}));
    ++seen[result.status.ok() ? "ok" : "error"];
    size_t packets = 0;
    for (const auto& [name, stream] : result.streams) {
      packets += stream.packets.size();
      if (!stream.is_closed && result.status.ok()) ++seen["stream not closed"];
    }
    if (packets > 50) ++seen["more than 50 packets"];
    for (const PlanNode& node : plan.nodes()) {
      ++seen[std::string(node.handlers.input)];
      if (node.max_in_flight > 1) ++seen["overlapping calls"];
      if (node.handlers.input_options
              ->GetExtension(SyncSetInputStreamHandlerOptions::ext)
              .sync_set_size() > 1) {
        ++seen["several sync sets"];
      }
      if (node.bounds.are_processed) ++seen["process_timestamp_bounds"];
      for (const PlanInput& input : node.inputs) {
        if (!input.back_edge) continue;
        const std::string name(plan.streams()[input.stream].name);
        if (result.streams.at(name).packets.size() > 3)
          ++seen["loop that runs"];
      }
    }
  }
  for (const auto& [what, count] : seen) {
    RecordProperty(what, static_cast<std::int64_t>(count));
    std::cout << what << ": " << count << "\n";
  }
  EXPECT_GT(seen["ok"], seeds * 3 / 4);
  EXPECT_GT(seen["error"], seeds / 60);
  EXPECT_GT(seen["more than 50 packets"], seeds / 2);
  for (const std::string what :
       {"SyncSetInputStreamHandler", "TimestampAlignInputStreamHandler",
        "BarrierInputStreamHandler", "MuxInputStreamHandler",
        "ImmediateInputStreamHandler", "several sync sets", "overlapping calls",
        "process_timestamp_bounds", "loop that runs"}) {
    EXPECT_GT(seen[what], seeds / 30) << what;
  }
}

}  // namespace
}  // namespace syncline
