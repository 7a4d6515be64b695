// The small helpers that calculators and tests of MediaPipe use.
#include "framework/lifetime_tracker.h"

#include <gtest/gtest.h>

#include <memory>

#include "framework/camera_intrinsics.h"

namespace syncline {
namespace {

TEST(LifetimeTrackerTest, CountsTheObjectsThatAreAlive) {
  LifetimeTracker tracker;
  EXPECT_EQ(tracker.live_count(), 0);
  std::unique_ptr<LifetimeTracker::Object> a = tracker.MakeObject();
  std::unique_ptr<LifetimeTracker::Object> b = tracker.MakeObject();
  EXPECT_EQ(tracker.live_count(), 2);
  a.reset();
  EXPECT_EQ(tracker.live_count(), 1);
}

TEST(CameraIntrinsicsTest, TheSizeIsUnknownUnlessGiven) {
  const CameraIntrinsics camera(1, 2, 3, 4);
  EXPECT_EQ(camera.fy(), 2);
  EXPECT_EQ(camera.width(), -1);
  EXPECT_EQ(CameraIntrinsics(1, 2, 3, 4, 640, 480).height(), 480);
}

}  // namespace
}  // namespace syncline
