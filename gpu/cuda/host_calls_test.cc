#include "gpu/cuda/host_calls.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "gpu/notice_thread.h"

namespace syncline::gpu::internal {
namespace {

TEST(HostCallsTest, AFunctionIsTakenOnce) {
  int runs = 0;
  HostCalls calls;
  void* token = calls.Keep(nullptr, [&] { ++runs; });
  EXPECT_NE(token, nullptr);
  const std::function<void()> function = calls.Take(token);
  ASSERT_TRUE(function);
  function();
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(calls.Take(token));
}

TEST(HostCallsTest, AFailedDeviceLosesItsFunctionsOnly) {
  const int one = 0;
  const int other = 0;
  const auto held = std::make_shared<int>();
  HostCalls calls;
  void* of_one = calls.Keep(&one, [held] {});
  void* of_other = calls.Keep(&other, [held] {});
  EXPECT_EQ(held.use_count(), 3);
  calls.DropAllOf(&one);
  NoticeThread::WaitForPosted();
  EXPECT_EQ(held.use_count(), 2);
  EXPECT_FALSE(calls.Take(of_one));
  EXPECT_TRUE(calls.Take(of_other));
}

TEST(HostCallsTest, AFunctionMayUseTheTableAsItDies) {
  HostCalls calls;
  struct Taker {
    HostCalls* calls;
    ~Taker() { calls->Take(nullptr); }
  };
  const int owner = 0;
  auto taker = std::make_shared<Taker>(Taker{&calls});
  calls.Keep(&owner, [taker] {});
  taker.reset();
  calls.DropAllOf(&owner);
  NoticeThread::WaitForPosted();
}

TEST(HostCallsTest, AFunctionRunsHereAndIsDestroyedElsewhere) {
  HostCalls calls;
  struct Witness {
    std::thread::id* destroyed_on;
    ~Witness() { *destroyed_on = std::this_thread::get_id(); }
  };
  const std::thread::id here = std::this_thread::get_id();
  std::thread::id destroyed_on = here;
  std::thread::id ran_on;
  int runs = 0;
  auto witness = std::make_shared<Witness>(&destroyed_on);
  void* token = calls.Keep(nullptr, [&, held = std::move(witness)] {
    ran_on = std::this_thread::get_id();
    ++runs;
  });
  calls.Run(token);
  calls.Run(token);
  NoticeThread::WaitForPosted();
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(ran_on, here);
  EXPECT_NE(destroyed_on, here);
}

}  // namespace
}  // namespace syncline::gpu::internal
