// Limits and other numbers of a graph and its nodes: what counts, and what is
// refused.

#include <string>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "framework/config/calculator.pb.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_test_support.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

TEST(CheckSettingsTest, TheQueueLimitIsAHundredUnlessGiven) {
  EXPECT_EQ(PlanOf("").settings().max_queue_size, 100);
  EXPECT_EQ(PlanOf("max_queue_size: 7").settings().max_queue_size, 7);
  EXPECT_EQ(PlanOf("max_queue_size: -1").settings().max_queue_size, -1);
}

TEST(CheckSettingsTest, BufferSizeHintsRaiseTheLimitOfTheGraph) {
  const char* const hints = R"pb(
    max_queue_size: 5
    node { calculator: "IntNode" buffer_size_hint: 3 }
    node { calculator: "IntNode" buffer_size_hint: 9 }
    node { calculator: "IntNode" buffer_size_hint: -1 }
  )pb";
  EXPECT_EQ(PlanOf(hints).settings().max_queue_size, 9);
  EXPECT_EQ(PlanOf(R"pb(
              max_queue_size: -1
              node { calculator: "IntNode" buffer_size_hint: 9 }
            )pb")
                .settings()
                .max_queue_size,
            -1);
}

TEST(CheckSettingsTest, ThereIsNoLimitInBytesUnlessGiven) {
  EXPECT_EQ(PlanOf("").settings().max_queue_bytes, -1);
  EXPECT_EQ(PlanOf("max_queue_bytes: -1").settings().max_queue_bytes, -1);
  EXPECT_EQ(PlanOf("max_queue_bytes: 5000000000").settings().max_queue_bytes,
            5000000000);
  EXPECT_THAT(Message(ErrorOf("max_queue_bytes: -2")),
              AllOf(HasSubstr("max_queue_bytes"), HasSubstr("-2")));
}

TEST(CheckSettingsTest, TheCeilingIsTenfoldUnlessGiven) {
  const auto ceiling = [](const char* text) {
    return PlanOf(text).settings().max_queue_size_ceiling;
  };
  EXPECT_EQ(ceiling(""), 1000);
  EXPECT_EQ(ceiling("max_queue_size: 3"), 1000);
  EXPECT_EQ(ceiling("max_queue_size: 500"), 5000);
  EXPECT_EQ(ceiling("max_queue_size: 2147483647"), 2147483647);
  EXPECT_EQ(ceiling("max_queue_size_ceiling: 7"), 7);
  EXPECT_THAT(Message(ErrorOf("max_queue_size_ceiling: -1")),
              AllOf(HasSubstr("max_queue_size_ceiling"), HasSubstr("-1")));
}

TEST(CheckSettingsTest, TheCeilingInBytesIsThatOfTheQueueUnlessGiven) {
  const auto ceiling = [](const char* text) {
    return PlanOf(text).settings().max_queue_bytes_ceiling;
  };
  EXPECT_EQ(ceiling("max_queue_bytes: 500"), 0);
  EXPECT_EQ(ceiling("max_queue_bytes_ceiling: 5000000000"), 5000000000);
  EXPECT_THAT(Message(ErrorOf("max_queue_bytes_ceiling: -1")),
              AllOf(HasSubstr("max_queue_bytes_ceiling"), HasSubstr("-1")));
}

TEST(CheckSettingsTest, QueuesAreWarnedOfFromTenThousandUnlessGiven) {
  const auto warning = [](const char* text) {
    return PlanOf(text).settings().queue_warning_size;
  };
  EXPECT_EQ(warning(""), 10000);
  EXPECT_EQ(warning("queue_warning_size: 5"), 5);
  EXPECT_EQ(warning("queue_warning_size: -1"), 0);
  EXPECT_THAT(Message(ErrorOf("queue_warning_size: -2")),
              AllOf(HasSubstr("queue_warning_size"), HasSubstr("-2")));
}

TEST(CheckSettingsTest, TheLimitsThatEndARunAreKnown) {
  EXPECT_EQ(PlanOf("").settings().max_memory_bytes, 0);
  EXPECT_EQ(PlanOf("max_memory_bytes: -1").settings().max_memory_bytes, -1);
  EXPECT_EQ(PlanOf("max_memory_bytes: 7").settings().max_memory_bytes, 7);
  EXPECT_THAT(Message(ErrorOf("max_memory_bytes: -2")),
              AllOf(HasSubstr("max_memory_bytes"), HasSubstr("-2")));
  EXPECT_EQ(PlanOf("").settings().queue_error_size, 0);
  EXPECT_EQ(PlanOf("queue_error_size: 7").settings().queue_error_size, 7);
  EXPECT_THAT(Message(ErrorOf("queue_error_size: -2")),
              AllOf(HasSubstr("queue_error_size"), HasSubstr("-2")));
}

TEST(CheckSettingsTest, WhetherAccessIsCheckedIsTheDevicesUnlessTheGraphSays) {
  EXPECT_EQ(PlanOf("").settings().check_device_access, absl::nullopt);
  EXPECT_EQ(PlanOf("check_device_access: true").settings().check_device_access,
            true);
  EXPECT_EQ(PlanOf("check_device_access: false").settings().check_device_access,
            false);
}

TEST(CheckSettingsTest, AllocatorsHaveNamesOfTheirOwn) {
  const std::string pool = "allocator { name: 'a' type: 'UnboundedAllocator' }";
  EXPECT_TRUE(CompileText(pool).ok());
  EXPECT_THAT(Message(ErrorWithLinesOf(pool + "\n" + pool)),
              AllOf(HasSubstr("graph.pbtxt:2"),
                    HasSubstr("more than one allocator \"a\"")));
}

TEST(CheckSettingsTest, OtherNegativeLimitsAreErrors) {
  EXPECT_THAT(Message(ErrorOf("max_queue_size: -2")),
              AllOf(HasSubstr("max_queue_size"), HasSubstr("-2")));
  EXPECT_THAT(
      Message(ErrorOf("node { name: \"n\" calculator: \"IntNode\" "
                      "buffer_size_hint: -2 }")),
      AllOf(HasSubstr("node \"n\" (IntNode)"), HasSubstr("buffer_size_hint")));
}

TEST(CheckSettingsTest, AnErrorOfTheGraphBeginsWithItsLine) {
  EXPECT_THAT(Message(ErrorWithLinesOf("package: \"p\"\n\nmax_queue_size: -2")),
              HasSubstr("graph.pbtxt:3: max_queue_size must be positive"));
}

TEST(CheckSettingsTest, MaxInFlightIsAtLeastOne) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node { name: "a" calculator: "IntNode" input_stream: "in" }
    node { name: "b" calculator: "IntNode" input_stream: "in" max_in_flight: 8 }
  )pb");
  EXPECT_EQ(NodeNamed(plan, "a").max_in_flight, 1);
  EXPECT_EQ(NodeNamed(plan, "b").max_in_flight, 8);
  EXPECT_THAT(Message(ErrorOf("node { calculator: \"IntNode\" "
                              "max_in_flight: -1 }")),
              HasSubstr("max_in_flight must not be negative"));
}

TEST(CheckSettingsTest, ASourceCannotRunInParallelWithItself) {
  const GraphPlan plan = PlanOf(R"pb(
    node { name: "s" calculator: "IntNode" output_stream: "x" max_in_flight: 2 }
  )pb");
  EXPECT_EQ(NodeNamed(plan, "s").max_in_flight, 1);
  EXPECT_THAT(plan.warnings(),
              ElementsAre(AllOf(HasSubstr("node \"s\" (IntNode)"),
                                HasSubstr("max_in_flight is 2"),
                                HasSubstr("one call runs at a time"))));
}

TEST(CheckSettingsTest, ReportDeadlockIsCarriedOver) {
  EXPECT_FALSE(PlanOf("").settings().report_deadlock);
  EXPECT_TRUE(PlanOf("report_deadlock: true").settings().report_deadlock);
  EXPECT_FALSE(PlanOf("").settings().deterministic);
  EXPECT_TRUE(PlanOf("deterministic: true").settings().deterministic);
}

TEST(CheckSettingsTest, GraphInputsSayWhatHappensToBadTimestamps) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "A:a"
    input_stream: "B:b"
    graph_input_info { stream: "b" bad_timestamps: REORDER reorder_window: 20 }
  )pb");
  EXPECT_EQ(plan.graph_inputs()[0].bad_timestamps, GraphInputInfo::ERROR);
  EXPECT_EQ(plan.graph_inputs()[1].bad_timestamps, GraphInputInfo::REORDER);
  EXPECT_EQ(plan.graph_inputs()[1].reorder_window, 20);
  EXPECT_EQ(plan.graph_inputs()[1].max_held_packets, 10000);
}

TEST(CheckSettingsTest, GraphInputInfoHasToFit) {
  const auto message = [](const std::string& infos) {
    return Message(ErrorOf("input_stream: \"camera\" " + infos));
  };
  const auto info = [](const char* fields) {
    return std::string("graph_input_info { stream: \"camera\" ") + fields +
           " }";
  };
  EXPECT_THAT(message("graph_input_info { stream: \"camra\" }"),
              AllOf(HasSubstr("\"camra\""), HasSubstr("\"camera\"")));
  EXPECT_THAT(message(info("") + info("")), HasSubstr("more than one"));
  EXPECT_THAT(message(info("bad_timestamps: REORDER")),
              HasSubstr("positive reorder_window, and it is 0"));
  EXPECT_THAT(message(info("bad_timestamps: REORDER reorder_window: -1")),
              HasSubstr("-1"));
  EXPECT_THAT(message(info("bad_timestamps: REORDER reorder_window: 5 "
                           "max_held_packets: -2")),
              HasSubstr("max_held_packets must not be negative"));
  EXPECT_THAT(message(info("bad_timestamps: DROP reorder_window: 5")),
              HasSubstr("for bad_timestamps: REORDER only"));
}

TEST(CheckSettingsTest, AProfilerConfigThatIsOutOfRangeIsAnError) {
  EXPECT_THAT(Compile(ParseGraph("profiler_config { "
                                 "histogram_interval_size_usec: -1 }"))
                  .status()
                  .message(),
              HasSubstr("histogram_interval_size_usec"));
  for (const std::string field : {"enable_profiler", "trace_enabled"}) {
    EXPECT_TRUE(
        PlanOf("profiler_config { " + field + ": true }").warnings().empty());
  }
}

}  // namespace
}  // namespace syncline
