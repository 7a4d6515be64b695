// What SYNCLINE_LOG writes, when, and with whose name; and where a panic ends.

#include "framework/calculator/log.h"

#include <iomanip>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/log_levels.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/call.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/test_support.h"
#include "framework/port/status_matchers.h"
#include "glog/logging.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The lines of the log while it exists, as "W text".
class Lines : public google::LogSink {
 public:
  Lines() { google::AddLogSink(this); }
  ~Lines() override { google::RemoveLogSink(this); }

  void send(google::LogSeverity severity, const char* /*full_filename*/,
            const char* base_filename, int line,
            const google::LogMessageTime& /*time*/, const char* message,
            size_t message_length) override {
    lines_.push_back(
        absl::StrCat(std::string(1, google::GetLogSeverityName(severity)[0]),
                     " ", absl::string_view(message, message_length)));
    place_ = absl::StrCat(base_filename, ":", line);
  }

  const std::vector<std::string>& lines() const { return lines_; }
  const std::string& place() const { return place_; }

 private:
  std::vector<std::string> lines_;
  std::string place_;
};

class LogTest : public testing::Test {
 protected:
  LogTest() { SetLogLevel(LogLevel::kInfo); }
  ~LogTest() override { SetLogLevel(LogLevel::kInfo); }
};

// Logs at every level, in GetContract and in each call.
class LoudCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_LOG(DEBUG) << "contract";
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_LOG(ERROR) << "e";
    SYNCLINE_LOG(WARNING) << "w";
    SYNCLINE_LOG(INFO) << "i";
    SYNCLINE_LOG(DEBUG) << "d";
    SYNCLINE_LOG(VERBOSE) << "v";
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    SYNCLINE_LOG(PANIC) << "no " << 7;
  }
};

TestNode MakeNode(const std::string& fields) {
  return TestNode(absl::StrCat("calculator: 'Loud' ", fields),
                  [](CalculatorContract*) {});
}

absl::Status OpenLoud(TestNode* node) {
  LoudCalculator calculator;
  return InvokeOpen(&calculator, &node->Begin(CallPhase::kOpen));
}

TEST_F(LogTest, ALineHasTheFileTheLineAndTheText) {
  const Lines log;
  const int line = __LINE__ + 1;
  SYNCLINE_LOG(WARNING) << "one " << 1 << std::hex << ' ' << 255 << std::endl;
  EXPECT_THAT(log.lines(), ElementsAre("W one 1 ff"));
  EXPECT_EQ(log.place(), absl::StrCat("log_test.cc:", line));
}

TEST_F(LogTest, OutsideOfACallTheLevelOfTheProcessCounts) {
  const Lines log;
  SYNCLINE_LOG(DEBUG) << "off";
  SetLogLevel(LogLevel::kDebug);
  SYNCLINE_LOG(DEBUG) << "on";
  SYNCLINE_LOG(VERBOSE) << "off";
  SetLogLevel(LogLevel::kPanic);
  SYNCLINE_LOG(ERROR) << "off";
  EXPECT_THAT(log.lines(), ElementsAre("I DEBUG on"));
}

TEST_F(LogTest, WhatIsOffIsNotEvaluated) {
  int count = 0;
  SYNCLINE_LOG(VERBOSE) << ++count;
  EXPECT_EQ(count, 0);
}

TEST_F(LogTest, ALineFromACallNamesTheNodeAndHasItsLevel) {
  const Lines log;
  TestNode node = MakeNode("name: 'here' log_level: 'VERBOSE'");
  SYNCLINE_EXPECT_OK(OpenLoud(&node));
  EXPECT_THAT(log.lines(),
              ElementsAre("E \"here\" (Loud): e", "W \"here\" (Loud): w",
                          "I \"here\" (Loud): i", "I DEBUG \"here\" (Loud): d",
                          "I VERBOSE \"here\" (Loud): v"));
}

TEST_F(LogTest, NodesOfOneGraphHaveLevelsOfTheirOwn) {
  TestNode loud = MakeNode("log_level: 'DEBUG'");
  TestNode silent = MakeNode("log_level: 'error'");
  TestNode usual = MakeNode("");
  Lines log;
  SYNCLINE_EXPECT_OK(OpenLoud(&silent));
  EXPECT_EQ(log.lines().size(), 1);
  SYNCLINE_EXPECT_OK(OpenLoud(&usual));
  EXPECT_EQ(log.lines().size(), 1 + 3);
  SYNCLINE_EXPECT_OK(OpenLoud(&loud));
  EXPECT_EQ(log.lines().size(), 1 + 3 + 4);
}

TEST_F(LogTest, TheLevelOfARunningNodeCanBeSet) {
  TestNode node = MakeNode("name: 'running'");
  SetNodeLogLevel("running", LogLevel::kError);
  const Lines log;
  SYNCLINE_EXPECT_OK(OpenLoud(&node));
  EXPECT_THAT(log.lines(), ElementsAre("E \"running\" (Loud): e"));
  SetNodeLogLevel("running", absl::nullopt);
}

TEST_F(LogTest, GetContractLogsForItsNode) {
  const Lines log;
  const CalculatorBaseFactoryFor<LoudCalculator> factory;
  for (const char* const level : {"DEBUG", "INFO"}) {
    const CalculatorGraphConfig::Node node =
        ParseNode(absl::StrCat("calculator: 'Loud' log_level: '", level, "'"));
    CalculatorContract contract;
    SYNCLINE_ASSERT_OK(contract.Initialize(node, "Loud_2"));
    // Something else in the process raises the highest level.
    const NodeLogLevel other("other", "VERBOSE");
    SYNCLINE_EXPECT_OK(InvokeGetContract(factory, &contract));
  }
  EXPECT_THAT(log.lines(), ElementsAre("I DEBUG \"Loud_2\" (Loud): contract"));
}

TEST_F(LogTest, ThreadsOutsideOfTheCallAreNotTheNode) {
  const Lines log;
  std::thread([] { SYNCLINE_LOG(INFO) << "alone"; }).join();
  EXPECT_THAT(log.lines(), ElementsAre("I alone"));
}

TEST_F(LogTest, GlogsFlagsShowDebugLinesOfAFile) {
  FLAGS_vmodule = "log_test=1";
  log_internal::ReadGlogFlags();  // as when a graph starts
  const Lines log;
  SYNCLINE_LOG(DEBUG) << "shown";
  SYNCLINE_LOG(VERBOSE) << "not shown";
  EXPECT_THAT(log.lines(), ElementsAre("I DEBUG shown"));
  FLAGS_vmodule = "";
  SetLogLevel(LogLevel::kInfo);
}

TEST_F(LogTest, GlogsMinimumHolds) {
  FLAGS_minloglevel = google::GLOG_ERROR;
  const Lines log;
  SYNCLINE_LOG(WARNING) << "dropped";
  SYNCLINE_LOG(ERROR) << "kept";
  FLAGS_minloglevel = google::GLOG_INFO;
  EXPECT_THAT(log.lines(), ElementsAre("E kept"));
}

TEST_F(LogTest, SomeLinesAreWrittenOnConditionOrNowAndThen) {
  const Lines log;
  for (int i = 0; i < 7; ++i) {
    SYNCLINE_LOG_IF(WARNING, i == 3) << "if " << i;
    SYNCLINE_LOG_EVERY_N(WARNING, 3) << "every " << i;
    SYNCLINE_LOG_FIRST_N(WARNING, 2) << "first " << i;
    SYNCLINE_LOG_EVERY_N(VERBOSE, 1) << "never " << i;
  }
  EXPECT_THAT(log.lines(), ElementsAre("W every 0", "W first 0", "W first 1",
                                       "W if 3", "W every 3", "W every 6"));
}

TEST_F(LogTest, AStatementIsOneStatement) {
  const Lines log;
  if (false)
    SYNCLINE_LOG(ERROR) << "no";
  else
    SYNCLINE_LOG(ERROR) << "yes";
  EXPECT_THAT(log.lines(), ElementsAre("E yes"));
}

TEST_F(LogTest, APanicInACallIsTheErrorOfTheCall) {
  TestNode node = MakeNode("name: 'here' log_level: 'PANIC'");
  LoudCalculator calculator;
  const Lines log;
  EXPECT_THAT(InvokeProcess(&calculator, &node.Begin(CallPhase::kProcess)),
              StatusIs(absl::StatusCode::kInternal,
                       AllOf(HasSubstr("\"here\""), HasSubstr("PANIC at"),
                             HasSubstr("log_test.cc:"), HasSubstr("no 7"))));
  EXPECT_THAT(log.lines(), ElementsAre("E PANIC \"here\" (Loud): no 7"));
}

TEST_F(LogTest, APanicOfAConditionThatDoesNotHoldIsNone) {
  SYNCLINE_LOG_IF(PANIC, false) << "no";
}

TEST(LogDeathTest, APanicOutsideOfACallEndsTheProcess) {
  EXPECT_DEATH(SYNCLINE_LOG(PANIC) << "the end",
               "PANIC at .*log_test.cc:[0-9]+: the end");
}

}  // namespace
}  // namespace syncline
