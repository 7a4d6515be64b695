#include "gpu/call_timer.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/mutex.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/device_clock.h"
#include "gpu/node_times.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gpu/work_owner.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int kNode = 7;
// What a step of a stand-in without threads takes.
constexpr std::int64_t kStep = 1000;

class NotedTimes : public DeviceTimes {
 public:
  bool wants_times() const override { return is_wanted; }
  void Add(const Work& work) override {
    MutexLock lock(&mutex_);
    works_.push_back(work);
  }
  std::vector<Work> works() const {
    MutexLock lock(&mutex_);
    return works_;
  }

  std::atomic<bool> is_wanted = true;

 private:
  mutable Mutex mutex_;
  std::vector<Work> works_ ABSL_GUARDED_BY(mutex_);
};

std::int64_t Length(const DeviceTimes::Work& work) {
  return work.end_ns - work.begin_ns;
}

// Takes 5 ms of real time.
constexpr Kernel kSleep = {
    .name = "sleep", .stand_in = [](const KernelLaunch&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }};
constexpr std::int64_t kSleepNs = 5'000'000;

// Work runs in steps: the first stream that was made comes first.
class CallTimerTest : public ::testing::Test {
 protected:
  explicit CallTimerTest(
      StandInOptions options = {.num_devices = 2,
                                .has_threads = false,
                                .choose = [](std::size_t) { return 0; }})
      : devices_(MakeStandInDevices(std::move(options))),
        a_(MakeStream("a")),
        b_(MakeStream("b")) {}

  Stream MakeStream(absl::string_view name, std::size_t device = 0) {
    return *Stream::Make(devices_[device], {}, name);
  }
  // A call of the node.
  template <typename Function>
  void Call(std::int64_t timestamp, const Function& function) {
    CallTimer timer(&times_, &noted_, kNode, Timestamp(timestamp));
    const WorkOwnerScope scope({node_, Timestamp(timestamp)}, timer.watcher());
    function();
  }
  void CallOn(const Stream& stream, std::int64_t timestamp) {
    Call(timestamp, [&] { SYNCLINE_EXPECT_OK(LaunchOn(stream)); });
  }
  static absl::Status LaunchOn(const Stream& stream) {
    return stream.Launch(kSleepless, 0, NoParameters(), {});
  }
  // At the end of the node, which has waited for these streams. How many were
  // left out.
  std::int64_t Close(const std::vector<Stream>& waited_for) {
    std::vector<std::uint32_t> numbers;
    for (const Stream& stream : waited_for) {
      SYNCLINE_EXPECT_OK(stream.Synchronize());
      numbers.push_back(stream.core().number());
    }
    return times_.ReportLast(kNode, numbers, &noted_);
  }
  std::int64_t NumTimeEvents(std::size_t device = 0) const {
    return devices_[device]->counters().time_events_recorded;
  }
  // Lets the clocks be compared, and what was pending be reported.
  void RunAndReport() {
    devices_.stand_in->RunAll();
    for (const std::shared_ptr<Device>& device : devices_.devices) {
      SYNCLINE_EXPECT_OK(device->clock().WaitForFirst());
    }
    Call(99, [] {});
  }

  static constexpr Kernel kSleepless = {.name = "nothing",
                                        .stand_in = [](const KernelLaunch&) {}};

  const std::shared_ptr<const std::string> node_ =
      std::make_shared<const std::string>("node");
  const StandInDevices devices_;
  NotedTimes noted_;
  NodeTimes times_;
  Stream a_;
  Stream b_;
};

TEST_F(CallTimerTest, MeasuresFromTheFirstPieceOfWorkToTheLast) {
  Call(40, [&] {
    for (int i = 0; i < 3; ++i) SYNCLINE_EXPECT_OK(LaunchOn(a_));
  });
  EXPECT_EQ(Close({a_}), 0) << "left out";
  ASSERT_THAT(noted_.works(), SizeIs(1));
  const DeviceTimes::Work work = noted_.works()[0];
  EXPECT_EQ(work.node_id, kNode);
  EXPECT_EQ(work.timestamp, 40);
  EXPECT_EQ(work.stream, a_.core().number());
  // Three kernels, and the events after them.
  EXPECT_EQ(Length(work), 6 * kStep);
}

TEST_F(CallTimerTest, AWaitBeforeTheWorkDoesNotCount) {
  for (int i = 0; i < 20; ++i) SYNCLINE_ASSERT_OK(LaunchOn(a_));
  Call(40, [&] {
    SYNCLINE_ASSERT_OK(b_.WaitFor(a_.Now()));
    SYNCLINE_EXPECT_OK(LaunchOn(b_));
  });
  Close({b_});
  ASSERT_THAT(noted_.works(), SizeIs(1));
  EXPECT_EQ(Length(noted_.works()[0]), 2 * kStep);
}

TEST_F(CallTimerTest, WhatTheCallDoesOnTheHostAfterItsWorkDoesNotCount) {
  Call(40, [&] {
    SYNCLINE_EXPECT_OK(LaunchOn(a_));
    devices_.stand_in->RunAll();
    // The device's time goes on, by the work of others.
    const WorkOwnerScope others({});
    for (int i = 0; i < 20; ++i) SYNCLINE_EXPECT_OK(LaunchOn(b_));
    devices_.stand_in->RunAll();
  });
  Close({a_});
  ASSERT_THAT(noted_.works(), SizeIs(1));
  EXPECT_EQ(Length(noted_.works()[0]), 2 * kStep);
}

TEST_F(CallTimerTest, WhereNobodyWantsTimesThereIsNoEvent) {
  noted_.is_wanted = false;
  CallOn(a_, 40);
  {
    CallTimer timer(&times_, nullptr, kNode, Timestamp(41));
    EXPECT_EQ(timer.watcher(), nullptr);
  }
  devices_.stand_in->RunAll();
  CallOn(a_, 42);
  EXPECT_EQ(Close({a_}), 0);
  EXPECT_EQ(NumTimeEvents(), 0);
  EXPECT_THAT(noted_.works(), IsEmpty());
}

TEST_F(CallTimerTest, ACallWithoutWorkHasNoEvent) {
  Call(40, [] {});
  EXPECT_EQ(NumTimeEvents(), 0);
  EXPECT_THAT(noted_.works(), IsEmpty());
}

TEST_F(CallTimerTest, ALaterCallReportsWhatHasEnded) {
  CallOn(a_, 40);
  EXPECT_THAT(noted_.works(), IsEmpty()) << "the host does not wait";
  Call(41, [] {});
  EXPECT_THAT(noted_.works(), IsEmpty());
  RunAndReport();
  ASSERT_THAT(noted_.works(), SizeIs(1));
  EXPECT_EQ(noted_.works()[0].timestamp, 40);
  Close({a_});
  EXPECT_THAT(noted_.works(), SizeIs(1)) << "once";
}

TEST_F(CallTimerTest, StreamsAndDevicesAreMeasuredApart) {
  const Stream there = MakeStream("there", 1);
  Call(40, [&] {
    for (const Stream& stream : {a_, there, b_, a_}) {
      SYNCLINE_EXPECT_OK(LaunchOn(stream));
    }
  });
  Close({a_, b_, there});
  std::vector<std::uint32_t> streams;
  for (const DeviceTimes::Work& work : noted_.works()) {
    EXPECT_EQ(work.timestamp, 40);
    EXPECT_GT(Length(work), 0);
    streams.push_back(work.stream);
  }
  EXPECT_THAT(streams, ::testing::UnorderedElementsAre(a_.core().number(),
                                                       b_.core().number(),
                                                       there.core().number()));
}

TEST_F(CallTimerTest, StreamsOfAProcessHaveNumbersOfTheirOwn) {
  const StandInDevices others = MakeStandInDevices({});
  const Stream other = *Stream::Make(others[0], {}, "a");
  EXPECT_NE(a_.core().number(), b_.core().number());
  EXPECT_NE(a_.core().number(), other.core().number());
  EXPECT_NE(b_.core().number(), other.core().number());
  EXPECT_GT(a_.core().number(), 0u);
}

TEST_F(CallTimerTest, TheDefaultStreamIsMeasuredToo) {
  const Stream foreign = Stream::Adopt(devices_[0], nullptr, "default");
  CallOn(foreign, 40);
  Close({foreign});
  ASSERT_THAT(noted_.works(), SizeIs(1));
  EXPECT_GT(Length(noted_.works()[0]), 0);
}

TEST_F(CallTimerTest, WorkThatTheCallerGivesToTheDriverIsMeasured) {
  const auto give = [&] {
    SYNCLINE_EXPECT_OK(
        devices_[0]->driver().Launch(a_.handle(), kSleepless, {}));
  };
  Call(40, [&] {
    SYNCLINE_EXPECT_OK(a_.Check("mine", {}));
    give();
    a_.Note("mine", {});
  });
  // Not noted: to the end of the call.
  Call(41, [&] {
    SYNCLINE_EXPECT_OK(a_.Check("mine", {}));
    give();
    give();
  });
  Close({a_});
  ASSERT_THAT(noted_.works(), SizeIs(2));
  EXPECT_EQ(Length(noted_.works()[0]), 2 * kStep);
  EXPECT_EQ(Length(noted_.works()[1]), 3 * kStep);
}

TEST_F(CallTimerTest, AStreamMayEndBeforeTheCallDoes) {
  std::uint32_t number = 0;
  Call(40, [&] {
    const Stream own = MakeStream("own");
    number = own.core().number();
    SYNCLINE_EXPECT_OK(LaunchOn(own));
  });
  // Nobody knows when this work has ended: it was not noted in time.
  Call(41, [&] {
    const Stream own = MakeStream("own");
    SYNCLINE_EXPECT_OK(own.Check("mine", {}));
  });
  RunAndReport();
  ASSERT_THAT(noted_.works(), SizeIs(1));
  EXPECT_EQ(noted_.works()[0].stream, number);
  EXPECT_EQ(times_.num_left_out(), 1);
}

TEST_F(CallTimerTest, ADeviceMayEndBeforeTheCallDoes) {
  Call(40, [&] {
    const StandInDevices own = MakeStandInDevices({.has_threads = false});
    const Stream stream = *Stream::Make(own[0], {}, "own");
    SYNCLINE_EXPECT_OK(LaunchOn(stream));
  });
  EXPECT_EQ(Close({}), 1);
}

TEST_F(CallTimerTest, ToBeGivenMemoryIsNoWork) {
  Call(40, [&] {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const DeviceBuffer buffer,
                                  a_.Allocate(64, "b"));
  });
  EXPECT_EQ(NumTimeEvents(), 0);
}

TEST_F(CallTimerTest, CallsFarAheadOfTheDeviceAreLeftOut) {
  constexpr int kTooMany = 5;
  for (int i = 0; i < NodeTimes::kMaxPending + kTooMany; ++i) CallOn(a_, i);
  EXPECT_EQ(times_.num_left_out(), kTooMany);
  // Two for each that is measured, and that of the clock.
  EXPECT_LE(NumTimeEvents(), 2 * NodeTimes::kMaxPending + 1);
  EXPECT_EQ(Close({a_}), kTooMany);
  EXPECT_THAT(noted_.works(), SizeIs(NodeTimes::kMaxPending));
  // There is room again.
  CallOn(a_, 1000);
  EXPECT_EQ(Close({a_}), 0);
  EXPECT_THAT(noted_.works(), SizeIs(NodeTimes::kMaxPending + 1));
}

TEST_F(CallTimerTest, AStreamThatIsBehindHoldsNoOtherUp) {
  SYNCLINE_ASSERT_OK(devices_[0]->clock().WaitForFirst());
  CallOn(b_, 40);
  CallOn(a_, 41);
  // Of the two, a comes first.
  SYNCLINE_ASSERT_OK(a_.Synchronize());
  Call(42, [] {});
  ASSERT_THAT(noted_.works(), SizeIs(1));
  EXPECT_EQ(noted_.works()[0].timestamp, 41);
  devices_.stand_in->RunAll();
  Call(43, [] {});
  ASSERT_THAT(noted_.works(), SizeIs(2));
  EXPECT_EQ(noted_.works()[1].timestamp, 40);
}

TEST_F(CallTimerTest, TheEndDoesNotWaitForStreamsThatTheNodeDoesNotWaitFor) {
  SYNCLINE_ASSERT_OK(devices_[0]->clock().WaitForFirst());
  CallOn(b_, 40);
  CallOn(a_, 41);
  EXPECT_EQ(Close({a_}), 1);
  ASSERT_THAT(noted_.works(), SizeIs(1));
  EXPECT_EQ(noted_.works()[0].timestamp, 41);
}

TEST_F(CallTimerTest, InSteadyStateNoEventIsMade) {
  for (int i = 0; i < 3; ++i) CallOn(a_, i);
  RunAndReport();
  devices_.stand_in->FailCall(StandInCall::kMakeEvent, 1,
                              absl::InternalError("one more is made"));
  for (int i = 3; i < 100; ++i) {
    CallOn(a_, i);
    devices_.stand_in->RunAll();
  }
  // The order still stands: nobody has made one.
  EXPECT_THAT(devices_[0]->driver().MakeEvent(false),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("one more")));
  EXPECT_EQ(Close({a_}), 0);
  EXPECT_THAT(noted_.works(), SizeIs(100));
}

// --- Errors

TEST_F(CallTimerTest, WorkGoesOnWhereNoEventIsToBeHad) {
  devices_.stand_in->FailCall(StandInCall::kMakeEvent, 1,
                              absl::InternalError("no event"));
  CallOn(a_, 40);
  devices_.stand_in->FailCall(StandInCall::kRecord, 1,
                              absl::InternalError("no record"));
  CallOn(a_, 41);
  devices_.stand_in->FailCall(StandInCall::kRecord, 2,
                              absl::InternalError("no record"));
  CallOn(a_, 42);
  EXPECT_EQ(times_.num_left_out(), 3);
  CallOn(a_, 43);
  Close({a_});
  ASSERT_THAT(noted_.works(), SizeIs(1));
  EXPECT_EQ(noted_.works()[0].timestamp, 43);
}

TEST_F(CallTimerTest, WorkThatIsRefusedIsOver) {
  Call(40, [&] {
    devices_.stand_in->FailCall(StandInCall::kLaunch, 1,
                                absl::InternalError("refused"));
    EXPECT_THAT(LaunchOn(a_), StatusIs(absl::StatusCode::kInternal));
  });
  Close({a_});
  ASSERT_THAT(noted_.works(), SizeIs(1));
  EXPECT_EQ(Length(noted_.works()[0]), kStep);
}

TEST_F(CallTimerTest, WorkOfADeviceThatFailsIsLeftOut) {
  CallOn(a_, 40);
  devices_.stand_in->FailKernel(1);
  devices_.stand_in->RunAll();
  Call(41, [&] { EXPECT_FALSE(LaunchOn(a_).ok()); });
  EXPECT_EQ(times_.ReportLast(kNode, {a_.core().number()}, &noted_), 2);
  EXPECT_THAT(noted_.works(), IsEmpty());
}

TEST_F(CallTimerTest, ANodeThatIsGoneGivesItsEventsBack) {
  {
    NodeTimes gone;
    CallTimer timer(&gone, &noted_, kNode, Timestamp(40));
    const WorkOwnerScope scope({node_, Timestamp(40)}, timer.watcher());
    SYNCLINE_EXPECT_OK(LaunchOn(a_));
  }
  devices_.stand_in->FailCall(StandInCall::kMakeEvent, 1,
                              absl::InternalError("one more is made"));
  CallOn(a_, 41);
  EXPECT_THAT(devices_[0]->driver().MakeEvent(false),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("one more")));
  EXPECT_EQ(Close({a_}), 0);
  EXPECT_THAT(noted_.works(), SizeIs(1));
}

// --- With threads

class CallTimerWithThreadsTest : public CallTimerTest {
 protected:
  CallTimerWithThreadsTest() : CallTimerTest(StandInOptions{}) {}
};

TEST_F(CallTimerWithThreadsTest, TimesAreThoseOfTheHostsClock) {
  const std::int64_t before = DeviceClock::HostNow();
  for (int i = 0; i < 3; ++i) {
    Call(i,
         [&] { SYNCLINE_EXPECT_OK(a_.Launch(kSleep, 0, NoParameters(), {})); });
  }
  Close({a_});
  const std::int64_t after = DeviceClock::HostNow();
  ASSERT_THAT(noted_.works(), SizeIs(3));
  std::int64_t last_end = before;
  for (const DeviceTimes::Work& work : noted_.works()) {
    EXPECT_GE(Length(work), kSleepNs);
    // One after the other, as on the device. The clocks may have been compared
    // anew in between.
    EXPECT_GE(work.begin_ns, last_end - 2 * kSleepNs);
    EXPECT_GE(work.begin_ns, before);
    EXPECT_LE(work.end_ns, after);
    last_end = work.end_ns;
  }
}

TEST_F(CallTimerWithThreadsTest, CallsMayOverlap) {
  constexpr int kThreads = 4;
  constexpr int kCalls = 50;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const Stream own = MakeStream("own");
      for (int i = 0; i < kCalls; ++i) {
        CallOn(i % 2 == 0 ? a_ : own, t * kCalls + i);
      }
      SYNCLINE_EXPECT_OK(own.Synchronize());
    });
  }
  for (std::thread& thread : threads) thread.join();
  SYNCLINE_EXPECT_OK(devices_[0]->clock().WaitForFirst());
  const std::int64_t num_left_out = Close({a_});
  EXPECT_EQ(static_cast<std::int64_t>(noted_.works().size()) + num_left_out,
            kThreads * kCalls);
  EXPECT_GT(noted_.works().size(), 0u);
}

}  // namespace
}  // namespace syncline::gpu
