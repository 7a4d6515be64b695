// What the tests of nodes with conditions share: the suite, and texts of nodes
// and conditions.
//
//   TestGraph graph(GetParam(), kManual + Source(Periodic("10ms") + Count(4)));
//   graph.Give("source", SendTime);
//
// Thread rule: as graph_test_support.h.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_CONDITIONS_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_GRAPH_CONDITIONS_TEST_SUPPORT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/graph_clock.h"
#include "framework/calculator/context.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline {

// One suite for all files of the test.
class ConditionsGraphTest : public ::testing::TestWithParam<Workers> {};

inline constexpr std::int64_t kMs = 1'000'000;

// Sends the time of the clock in ms, at the same timestamp.
inline absl::Status SendTime(CalculatorContext* cc) {
  const std::int64_t ms = cc->Clock()->NowNs() / kMs;
  cc->Outputs().Index(0).AddPacket(
      MakePacket<int>(static_cast<int>(ms)).At(Timestamp(ms)));
  return absl::OkStatus();
}

// A source of 0, 1, 2, ... without an end of its own.
inline TestFunction CountForEver() {
  auto next = std::make_shared<int>(0);
  return [next](CalculatorContext* cc) {
    const int value = (*next)++;
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value).At(Timestamp(value)));
    return absl::OkStatus();
  };
}

inline std::string Count(int count) {
  return absl::StrCat(
      " condition { type: \"CountCondition\" options { "
      "[syncline.CountConditionOptions.ext] { count: ",
      count, " } } }");
}

inline std::string Periodic(const std::string& period) {
  return absl::StrCat(
      " condition { type: \"PeriodicCondition\" options { "
      "[syncline.PeriodicConditionOptions.ext] { recess_period: \"",
      period, "\" } } }");
}

inline std::string Boolean(const std::string& options) {
  return absl::StrCat(
      " condition { name: \"enabled\" type: \"BooleanCondition\" options { "
      "[syncline.BooleanConditionOptions.ext] { ",
      options, " } } }");
}

inline std::string Source(const std::string& conditions) {
  return absl::StrCat(
      "node { name: \"source\" calculator: \"TestLambda\" "
      "input_side_packet: \"PROCESS:source\" output_stream: \"out\"",
      conditions, " }");
}

inline std::string Inner(const std::string& conditions) {
  return absl::StrCat(
      "input_stream: \"in\" node { name: \"inner\" calculator: "
      "\"TestLambdaOffset\" input_side_packet: \"PROCESS:f\" input_stream: "
      "\"in\" output_stream: \"out\"",
      conditions, " }");
}

inline constexpr char kManual[] = " clock { type: \"ManualClock\" } ";

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_CONDITIONS_TEST_SUPPORT_H_
