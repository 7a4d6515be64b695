#include "framework/trace/convert/device_work.h"

#include <vector>

#include "framework/trace/convert/test_trace.h"
#include "framework/trace/trace_calls.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class DeviceWorkTest : public ::testing::Test {
 protected:
  DeviceWorkTest() {
    made_.AddNode("n", {"in"}, {});
    made_.AddThread("t", 1);
  }
  std::vector<DeviceWork::Work> Work() {
    trace_ = made_.Build();
    return DeviceWork(trace_, TraceCalls(trace_)).work();
  }

  TestTrace made_;
  Trace trace_;
};

TEST_F(DeviceWorkTest, WorkBelongsToTheCallWithItsTimestamp) {
  made_.Note(0, 10, TraceKind::kProcessBegin, 0, 1);
  made_.Note(0, 11, TraceKind::kProcessEnd, 0, 1);
  made_.Note(0, 12, TraceKind::kProcessBegin, 0, 2);
  made_.Note(0, 13, TraceKind::kDeviceBegin, 0, 2, 5);
  made_.Note(0, 14, TraceKind::kProcessEnd, 0, 2);
  made_.Note(0, 19, TraceKind::kDeviceEnd, 0, 2, 5);
  const std::vector<DeviceWork::Work> work = Work();
  ASSERT_EQ(work.size(), 1u);
  EXPECT_EQ(work[0].device_stream, 5u);
  EXPECT_EQ(work[0].call, 1);
  EXPECT_EQ(work[0].begin, 13u);
  EXPECT_EQ(work[0].end, 19u);
  EXPECT_TRUE(work[0].begin_is_known);
  EXPECT_TRUE(work[0].end_is_known);
}

TEST_F(DeviceWorkTest, WorkOfACallThatIsNotInTheTraceHasNone) {
  made_.Note(0, 13, TraceKind::kDeviceBegin, 0, 2, 5);
  made_.Note(0, 19, TraceKind::kDeviceEnd, 0, 2, 5);
  EXPECT_EQ(Work()[0].call, -1);
}

TEST_F(DeviceWorkTest, WorkWhoseBeginIsLostBeginsAfterTheWorkBefore) {
  made_.Note(0, 10, TraceKind::kDeviceBegin, 0, 1, 5);
  made_.Note(0, 12, TraceKind::kDeviceEnd, 0, 1, 5);
  made_.Note(0, 19, TraceKind::kDeviceEnd, 0, 2, 5);
  made_.Note(0, 20, TraceKind::kDeviceEnd, 0, 3, 6);
  const std::vector<DeviceWork::Work> work = Work();
  ASSERT_EQ(work.size(), 3u);
  EXPECT_EQ(work[1].begin, 12u);
  EXPECT_FALSE(work[1].begin_is_known);
  // Of the first on its stream: the begin of the trace.
  EXPECT_EQ(work[2].begin, 10u);
}

TEST_F(DeviceWorkTest, WorkThatDoesNotEndEndsWithTheTrace) {
  made_.Note(0, 10, TraceKind::kDeviceBegin, 0, 1, 5);
  made_.Note(0, 40, TraceKind::kNotReady, 0);
  EXPECT_EQ(Work()[0].end, 40u);
  EXPECT_FALSE(Work()[0].end_is_known);
}

TEST_F(DeviceWorkTest, WorkThatOverlapsHasALaneOfItsOwn) {
  made_.Note(0, 10, TraceKind::kDeviceBegin, 0, 1, 5);
  made_.Note(0, 11, TraceKind::kDeviceBegin, 0, 2, 5);
  made_.Note(0, 12, TraceKind::kDeviceBegin, 0, 3, 6);
  made_.Note(0, 13, TraceKind::kDeviceEnd, 0, 1, 5);
  made_.Note(0, 14, TraceKind::kDeviceEnd, 0, 2, 5);
  made_.Note(0, 15, TraceKind::kDeviceEnd, 0, 3, 6);
  const std::vector<DeviceWork::Work> work = Work();
  EXPECT_EQ(work[0].lane, 0);
  EXPECT_EQ(work[1].lane, 1);
  EXPECT_EQ(work[2].lane, 0);
}

}  // namespace
}  // namespace syncline
