// Traces are started, stopped and saved from a page.
#include "pages/live/page_trace.h"

#include <unistd.h>

#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

class PageTraceTest : public ::testing::Test {
 protected:
  PageTraceTest()
      : folder_(absl::StrCat(
            testing::TempDir(), "/page_trace_",
            testing::UnitTest::GetInstance()->current_test_info()->name())),
        graph_(Workers{.threads = 1}, R"(
          input_stream: "in"
          node { calculator: "TestLambda" input_stream: "in" })") {
    std::filesystem::create_directories(folder_);
  }
  // How many calls the trace has that is open there.
  static int Calls(const absl::StatusOr<UniqueFd>& file) {
    EXPECT_TRUE(file.ok()) << file.status();
    if (!file.ok()) return -1;
    const absl::StatusOr<Trace> trace =
        ReadTraceFile(absl::StrCat("/proc/self/fd/", file->Get()));
    EXPECT_TRUE(trace.ok()) << trace.status();
    if (!trace.ok()) return -1;
    int count = 0;
    const TraceCalls calls(*trace);
    for (const TracedCall& call : calls.calls()) {
      if (call.kind == TraceKind::kProcessBegin) ++count;
    }
    return count;
  }
  int NumFiles() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      count += entry.is_regular_file() ? 1 : 0;
    }
    return count;
  }

  const std::string folder_;
  TestGraph graph_;
};

TEST_F(PageTraceTest, ATraceHasWhatHappensBetweenStartAndStop) {
  PageTrace trace(&graph_.graph(), folder_);
  graph_.Start();
  graph_.Add("in", 1, 1);
  graph_.Idle();
  EXPECT_FALSE(trace.has_file());
  SYNCLINE_ASSERT_OK(trace.Start());
  EXPECT_TRUE(trace.is_on());
  EXPECT_THAT(trace.text(), HasSubstr(folder_));
  for (int i = 0; i < 20; ++i) {
    graph_.Add("in", 2 + i, 1);
    graph_.Idle();
  }
  SYNCLINE_ASSERT_OK(trace.Stop());
  EXPECT_FALSE(trace.is_on());
  for (int i = 0; i < 20; ++i) graph_.Add("in", 22 + i, 1);
  graph_.Finish();
  // A thread notes what it does from its next task on.
  const int calls = Calls(trace.Open());
  EXPECT_GE(calls, 15);
  EXPECT_LE(calls, 21);
  EXPECT_EQ(NumFiles(), 1);
}

TEST_F(PageTraceTest, WhatMakesNoSenseIsRefused) {
  PageTrace trace(&graph_.graph(), folder_);
  EXPECT_EQ(trace.Stop().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(trace.Open().status().code(),
            absl::StatusCode::kFailedPrecondition);
  SYNCLINE_ASSERT_OK(trace.Start());
  EXPECT_EQ(trace.Start().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(trace.Open().status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(PageTraceTest, ATraceOfTheProgramItselfGoesOn) {
  SYNCLINE_ASSERT_OK(
      graph_.graph().StartTrace(absl::StrCat(folder_, "/own.trace")));
  PageTrace trace(&graph_.graph(), folder_);
  EXPECT_EQ(trace.Start().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(trace.text(), HasSubstr("being written already"));
  EXPECT_FALSE(trace.is_on());
  EXPECT_EQ(NumFiles(), 1);
  SYNCLINE_EXPECT_OK(graph_.graph().StopTrace());
}

TEST_F(PageTraceTest, TheLastEventsNeedNoFileAfterwards) {
  SYNCLINE_ASSERT_OK(graph_.graph().EnableFlightRecorder());
  PageTrace trace(&graph_.graph(), folder_);
  graph_.Start();
  graph_.Add("in", 1, 1);
  graph_.Finish();
  EXPECT_EQ(Calls(trace.OpenRecent()), 1);
  EXPECT_EQ(NumFiles(), 0);
}

TEST_F(PageTraceTest, WithoutAFlightRecorderThereAreNoLastEvents) {
  PageTrace trace(&graph_.graph(), folder_);
  graph_.Start();
  graph_.Finish();
  EXPECT_THAT(trace.OpenRecent().status().message(),
              HasSubstr("its flight recorder is off"));
}

TEST_F(PageTraceTest, AFolderThatIsNotThereIsAnError) {
  PageTrace trace(&graph_.graph(), absl::StrCat(folder_, "/none"));
  EXPECT_THAT(trace.Start().message(), HasSubstr("/none"));
  EXPECT_FALSE(trace.OpenRecent().ok());
}

TEST_F(PageTraceTest, TheNextTraceTakesThePlaceOfTheLast) {
  PageTrace trace(&graph_.graph(), folder_);
  for (int i = 0; i < 10; ++i) {
    SYNCLINE_ASSERT_OK(trace.Start());
    SYNCLINE_ASSERT_OK(trace.Stop());
    EXPECT_EQ(NumFiles(), 1);
  }
  EXPECT_EQ(Calls(trace.Open()), 0);
}

// A browser may have read only the beginning.
TEST_F(PageTraceTest, OneThatSomebodyHasReadStays) {
  {
    PageTrace trace(&graph_.graph(), folder_);
    SYNCLINE_ASSERT_OK(trace.Start());
    SYNCLINE_ASSERT_OK(trace.Stop());
    SYNCLINE_EXPECT_OK(trace.Open().status());
  }
  EXPECT_EQ(NumFiles(), 1);
}

TEST_F(PageTraceTest, TheLastOneIsStoppedWithThePage) {
  {
    PageTrace trace(&graph_.graph(), folder_);
    SYNCLINE_ASSERT_OK(trace.Start());
  }
  EXPECT_EQ(NumFiles(), 1);
  SYNCLINE_EXPECT_OK(
      graph_.graph().StartTrace(absl::StrCat(folder_, "/other.trace")));
}

}  // namespace
}  // namespace syncline
