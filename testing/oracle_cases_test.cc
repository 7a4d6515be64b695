// Small graphs on which engine and reference run once disagreed, each reduced
// to what it is about. They agree on any number of threads.
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/oracle_comparison.h"
#include "testing/random_graph.h"
#include "testing/random_graph.pb.h"
#include "testing/reference_run.h"

namespace syncline {
namespace {

using testing::HasSubstr;

// Engine and reference run agree. Then what the reference run said.
absl::StatusOr<ReferenceResult> Agreed(const std::string& text) {
  absl::StatusOr<RandomCase> random_case = ReadRandomCase(text);
  if (!random_case.ok()) return random_case.status();
  for (const int threads : {0, 1, 2, 8}) {
    absl::Status status = CompareWithOracle(*random_case, threads);
    if (!status.ok()) return status;
  }
  const absl::StatusOr<GraphPlan> plan = Compile(random_case->graph());
  if (!plan.ok()) return plan.status();
  return RunReference(*plan, InputsOf(*random_case));
}

// The packets of a graph input, as text.
std::string Packets(const std::string& stream,
                    const std::vector<std::string>& times) {
  std::string text;
  for (const std::string& time : times) {
    absl::StrAppend(&text, "input { stream: \"", stream, "\" packet_at: ", time,
                    " }\n");
  }
  return text;
}

constexpr char kMin[] = "-9223372036854775805";
constexpr char kPreStream[] = "-9223372036854775806";
constexpr char kMax[] = "9223372036854775804";
constexpr char kPostStream[] = "9223372036854775805";

// One node that sends the time of its second call twice, and its readers.
std::string SendsTwice(const std::string& readers) {
  return absl::StrCat(R"pb(
                        graph { input_stream: "in"
                                node {
                                  calculator: "RandomMixCalculator"
                                  input_stream: "IN:in"
                                  output_stream: "OUT:s"
                                  options {
                                    [syncline.RandomNodeOptions.ext] {
                                      fault: TIME_REPEATS
                                      fault_in: PROCESS
                                      fault_at: 2
                                    }
                                  }
                                }
                      )pb",
                      readers, "}", Packets("in", {"10", "20", "30"}));
}

constexpr char kBarrierReader[] = R"pb(
  node {
    calculator: "RandomMixCalculator"
    input_stream: "IN:s"
    input_stream_handler { input_stream_handler: "BarrierInputStreamHandler" }
  }
)pb";

constexpr char kReader[] = R"pb(
  node { calculator: "RandomMixCalculator" input_stream: "IN:s" }
)pb";

TEST(OracleCasesTest, TimesMayRepeatIfAllReadersIgnoreTime) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const ReferenceResult result,
      Agreed(SendsTwice(absl::StrCat(kBarrierReader, kBarrierReader))));
  SYNCLINE_EXPECT_OK(result.status);
  EXPECT_EQ(result.streams.at("s").packets.size(), 4);
}

TEST(OracleCasesTest, TimesMayNotRepeatIfOneReaderHeedsTime) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const ReferenceResult result,
      Agreed(SendsTwice(absl::StrCat(kBarrierReader, kReader))));
  EXPECT_THAT(std::string(result.status.message()), HasSubstr("too early"));
}

// A node that sends PreStream, which nothing can follow, and then a bound
// of 41.
std::string BoundsFall(const std::string& options, const std::string& reader) {
  return absl::StrCat(
      R"pb(
        graph { input_stream: "a" input_stream: "b"
                node { calculator: "RandomMixCalculator" input_stream: "MAIN:a"
                       input_stream: "IN:b"
                       output_stream: "OUT:s"
                       options {
                         [syncline.RandomNodeOptions.ext] { pass_special: true
                                                            send_bounds: true
                                                            main_tag: "MAIN"
      )pb",
      options, "}}}", reader, "}", Packets("a", {kPreStream}),
      Packets("b", {"40"}));
}

TEST(OracleCasesTest, ABoundMayNotFall) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const ReferenceResult result,
                                Agreed(BoundsFall("", kReader)));
  EXPECT_THAT(std::string(result.status.message()),
              HasSubstr("cannot be lowered"));
}

TEST(OracleCasesTest, ABoundMayFallWhereAnOffsetMovesItAnyway) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const ReferenceResult result,
                                Agreed(BoundsFall("offset: IN_OPEN", kReader)));
  SYNCLINE_EXPECT_OK(result.status);
}

TEST(OracleCasesTest, ABoundMayFallIfAllReadersIgnoreTime) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const ReferenceResult result,
                                Agreed(BoundsFall("", kBarrierReader)));
  SYNCLINE_EXPECT_OK(result.status);
}

// After PreStream nothing can follow in "mixed", if it were not for its reader.
TEST(OracleCasesTest, ABarrierGoesOnAfterWhatIsTheLastInAnOrder) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const ReferenceResult result, Agreed(R"pb(
        graph {
          node {
            calculator: "RandomSourceCalculator"
            output_stream: "OUT:a"
            options {
              [syncline.RandomNodeOptions.ext] { only_pre_stream: true }
            }
          }
          node {
            calculator: "RandomSourceCalculator"
            output_stream: "OUT:b"
            options {
              [syncline.RandomNodeOptions
                   .ext] { salt: 1 count: 9 drop_one_in: 2 send_bounds: true }
            }
          }
          node {
            calculator: "RandomMixCalculator"
            input_stream: "IN:0:a"
            input_stream: "IN:1:b"
            output_stream: "OUT:mixed"
            options {
              [syncline.RandomNodeOptions.ext] { pass_special: true }
            }
          }
          node {
            calculator: "RandomMixCalculator"
            input_stream: "IN:mixed"
            output_stream: "OUT:last"
            options {
              [syncline.RandomNodeOptions.ext] { pass_special: true }
            }
            input_stream_handler {
              input_stream_handler: "BarrierInputStreamHandler"
            }
          }
          node {
            calculator: "RandomMixCalculator"
            input_stream: "IN:last"
            input_stream_handler {
              input_stream_handler: "BarrierInputStreamHandler"
            }
          }
        }
      )pb"));
  SYNCLINE_EXPECT_OK(result.status);
  const std::vector<Packet>& b = result.streams.at("b").packets;
  ASSERT_GT(b.size(), 2);
  EXPECT_NE(b.front().Timestamp(), Timestamp(0)) << "take another salt";
  EXPECT_EQ(result.streams.at("last").packets.size(), b.size() + 1);
}

// Where the input bound of 49 arrives first, `slow` knows that nothing comes
// before 53, so that `join` sees 52; and then `slow` fails.
TEST(OracleCasesTest, ANodeThatFailsMayHavePassedItsBoundOn) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const ReferenceResult result,
                                Agreed(absl::StrCat(
                                    R"pb(
                                      graph {
                                        input_stream: "in"
                                        node {
                                          name: "slow"
                                          calculator: "RandomMixCalculator"
                                          input_stream: "IN:in"
                                          output_stream: "OUT:late"
                                          options {
                                            [syncline.RandomNodeOptions.ext] {
                                              delay: 4
                                              offset: IN_OPEN
                                              fault: STATUS
                                              fault_in: PROCESS
                                              fault_at: 2
                                            }
                                          }
                                        }
                                        node {
                                          name: "join"
                                          calculator: "RandomMixCalculator"
                                          input_stream: "IN:0:in"
                                          input_stream: "IN:1:late"
                                          output_stream: "OUT:s"
                                        }
                                      }
                                      input { stream: "in" packet_at: 46 }
                                      input { stream: "in" bound: 49 }
                                    )pb",
                                    Packets("in", {"52"}))));
  EXPECT_THAT(std::string(result.status.message()), HasSubstr("planned fault"));
}

// Aligns "other" to "base".
std::string Aligns(const std::string& inputs) {
  return absl::StrCat(
      R"pb(
        graph {
          input_stream: "base"
          input_stream: "other"
          node {
            calculator: "RandomMixCalculator"
            input_stream: "BASE:base"
            input_stream: "IN:other"
            output_stream: "OUT:s"
            options {
              [syncline.RandomNodeOptions.ext] {
                pass_special: true
                offset: IN_CONTRACT
              }
            }
            input_stream_handler {
              input_stream_handler: "TimestampAlignInputStreamHandler"
              options {
                [syncline.TimestampAlignInputStreamHandlerOptions.ext] {
                  timestamp_base_tag_index: "BASE"
                }
              }
            }
          }
        }
      )pb",
      inputs);
}

TEST(OracleCasesTest, TimestampAlignShiftsAcrossTheWholeRange) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const ReferenceResult result,
      Agreed(Aligns(Packets("other", {kMin, "-3", "12"}) +
                    Packets("base", {"20", "30", kMax}))));
  SYNCLINE_EXPECT_OK(result.status);
  // -3 and 12 are both beyond Max, and only the first is there.
  ASSERT_EQ(result.streams.at("s").packets.size(), 3);
}

// The bound of the base is passed on, or not, before it is aligned to.
TEST(OracleCasesTest, TimestampAlignHasNoPreStreamBeforeTheBase) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const ReferenceResult result,
      Agreed(Aligns("input { stream: \"base\" bound: 10 }\n" +
                    Packets("other", {kPreStream}) +
                    Packets("base", {"20", "30"}))));
  SYNCLINE_EXPECT_OK(result.status);
  ASSERT_EQ(result.streams.at("s").packets.size(), 2);
  EXPECT_EQ(result.streams.at("s").packets[0].Timestamp(), Timestamp(20));
}

TEST(OracleCasesTest, TimestampAlignMeetsABaseAtPostStream) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const ReferenceResult result,
      Agreed(Aligns("input { stream: \"base\" bound: 1000 }\n" +
                    Packets("other", {"20", "30"}) +
                    Packets("base", {kPostStream}))));
  SYNCLINE_EXPECT_OK(result.status);
  ASSERT_EQ(result.streams.at("s").packets.size(), 1);
}

}  // namespace
}  // namespace syncline
