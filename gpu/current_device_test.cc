#include "gpu/current_device.h"

#include "gmock/gmock.h"
#include "gpu/stand_in/noting_devices.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CurrentDeviceTest, IsPutBack) {
  NotingDevices devices(2);
  {
    CurrentDevice current;
    current.Make(devices[1]);
    current.Make(devices[1]);
    EXPECT_THAT(devices.TakeNotes(), ElementsAre("1: current"));
  }
  EXPECT_THAT(devices.TakeNotes(), ElementsAre("1: put back 0"));
}

TEST(CurrentDeviceTest, WhatIsCurrentAnywayIsLeftAlone) {
  NotingDevices devices(2);
  {
    CurrentDevice current;
    current.Make(devices[0]);
  }
  EXPECT_THAT(devices.TakeNotes(), IsEmpty());
}

TEST(CurrentDeviceTest, AnotherDeviceTakesItsPlace) {
  NotingDevices devices(3);
  {
    CurrentDevice current;
    current.Make(devices[1]);
    current.Make(devices[2]);
  }
  EXPECT_THAT(devices.TakeNotes(), ElementsAre("1: current", "1: put back 0",
                                               "2: current", "2: put back 0"));
}

TEST(CurrentDeviceTest, TheOnlyDeviceIsNotAskedFor) {
  NotingDevices devices(1);
  {
    CurrentDevice current;
    current.Make(devices[0]);
  }
  EXPECT_THAT(devices.TakeNotes(), IsEmpty());
}

TEST(CurrentDeviceTest, ScopesMayBeInOneAnother) {
  NotingDevices devices(2);
  {
    CurrentDevice outer;
    outer.Make(devices[1]);
    CurrentDevice inner;
    inner.Make(devices[0]);
    EXPECT_THAT(devices.TakeNotes(), ElementsAre("1: current", "0: current"));
  }
  EXPECT_THAT(devices.TakeNotes(),
              ElementsAre("0: put back 1", "1: put back 0"));
}

}  // namespace
}  // namespace syncline::gpu
