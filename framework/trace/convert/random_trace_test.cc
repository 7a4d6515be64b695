#include "framework/trace/convert/random_trace.h"

#include <cstdint>

#include "framework/port/status_matchers.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_file.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(RandomTraceTest, ASeedGivesOneTrace) {
  EXPECT_EQ(TraceFileContent(MakeRandomTrace(7).made.Build()),
            TraceFileContent(MakeRandomTrace(7).made.Build()));
  EXPECT_NE(TraceFileContent(MakeRandomTrace(7).made.Build()),
            TraceFileContent(MakeRandomTrace(8).made.Build()));
}

TEST(RandomTraceTest, TracesAreValidAndHaveAllThatIsHard) {
  std::size_t overlapping = 0;
  std::size_t joins = 0;
  std::size_t drops = 0;
  std::size_t late = 0;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const RandomTrace random = MakeRandomTrace(seed);
    const Trace trace = random.made.Build();
    SYNCLINE_EXPECT_OK(CheckTrace(trace));
    for (const auto& a : random.calls) {
      for (const auto& b : random.calls) {
        if (&a != &b && a.node == b.node && a.begin < b.end &&
            b.begin < a.end) {
          ++overlapping;
        }
      }
    }
    for (const auto& packet : random.packets) drops += packet.drops;
    const TraceCalls calls(trace);
    for (const TracedCall& call : calls.calls()) {
      joins += call.num_taken > 1 ? 1 : 0;
    }
    ForEachEvent(trace, [&late](int, const TraceEvent& event) {
      late += event.kind() == TraceKind::kResults ? 1 : 0;
    });
  }
  EXPECT_GT(overlapping, 50u);
  EXPECT_GT(joins, 50u);
  EXPECT_GT(drops, 50u);
  EXPECT_GT(late, 50u);
}

TEST(RandomTraceTest, LosesPiecesAndCountsThem) {
  std::int64_t lost = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    RandomTrace random = MakeRandomTrace(seed);
    const std::int64_t before = random.made.Build().num_events();
    LosePieces(seed, &random);
    const Trace trace = random.made.Build();
    EXPECT_EQ(trace.num_events() + trace.num_lost(), before);
    lost += trace.num_lost();
  }
  EXPECT_GT(lost, 100);
}

}  // namespace
}  // namespace syncline
