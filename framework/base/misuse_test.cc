#include "framework/base/misuse.h"

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

[[noreturn]] void Misuse(const std::string& text) {
  ReportMisuse(absl::InvalidArgumentError(text));
}

TEST(CallUserCodeTest, GivesTheStatusOfTheCode) {
  SYNCLINE_EXPECT_OK(CallUserCode([] { return absl::OkStatus(); }));
  EXPECT_THAT(CallUserCode([] { return absl::AbortedError("mine"); }),
              StatusIs(absl::StatusCode::kAborted, "mine"));
}

TEST(CallUserCodeTest, CodeThatReturnsNothingIsOkUnlessItThrows) {
  bool was_called = false;
  EXPECT_EQ(CallUserCode([&] { was_called = true; }), absl::OkStatus());
  EXPECT_TRUE(was_called);
  const absl::Status status =
      CatchExceptions([] { throw std::runtime_error("no room"); });
  EXPECT_EQ(status.message(), "An exception was thrown: no room");
}

TEST(CallUserCodeTest, AMisuseEndsTheCodeAndIsTheStatus) {
  bool went_on = false;
  EXPECT_THAT(CallUserCode([&went_on] {
                Misuse("7 is odd");
                went_on = true;
                return absl::OkStatus();
              }),
              StatusIs(absl::StatusCode::kInvalidArgument, "7 is odd"));
  EXPECT_FALSE(went_on);
}

TEST(CallUserCodeTest, ObjectsOfTheCodeAreDestroyed) {
  auto object = std::make_shared<int>(1);
  CallUserCode([&object] {
    const auto local = std::make_unique<std::shared_ptr<int>>(object);
    Misuse("anything");
    return absl::OkStatus();
  }).IgnoreError();
  EXPECT_EQ(object.use_count(), 1);
}

TEST(CallUserCodeTest, AMisuseThatTheCodeSwallowsCountsAllTheSame) {
  EXPECT_THAT(CallUserCode([] {
                try {
                  Misuse("first");
                } catch (...) {
                }
                try {
                  Misuse("second");
                } catch (const std::exception&) {
                }
                return absl::OkStatus();
              }),
              StatusIs(absl::StatusCode::kInvalidArgument, "first"));
}

TEST(CallUserCodeTest, AnExceptionBecomesAStatusWithItsText) {
  EXPECT_THAT(
      CallUserCode([]() -> absl::Status {
        throw std::runtime_error("the disk is on fire");
      }),
      StatusIs(absl::StatusCode::kInternal, HasSubstr("the disk is on fire")));
  EXPECT_THAT(
      CallUserCode([]() -> absl::Status { throw 7; }),
      StatusIs(absl::StatusCode::kInternal,
               AllOf(HasSubstr("not a std::exception"), HasSubstr("\"int\""))));
}

TEST(CallUserCodeTest, RunningOutOfMemoryIsResourceExhausted) {
  EXPECT_THAT(CallUserCode([]() -> absl::Status { throw std::bad_alloc(); }),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("Out of memory")));
}

TEST(CallUserCodeTest, AnInnerCallKeepsItsMisuseToItself) {
  absl::Status inner;
  const absl::Status outer = CallUserCode([&inner] {
    inner = CallUserCode([] {
      Misuse("inner");
      return absl::OkStatus();
    });
    EXPECT_TRUE(IsGuardedCall());
    Misuse("outer");
    return absl::OkStatus();
  });
  EXPECT_THAT(inner, StatusIs(absl::StatusCode::kInvalidArgument, "inner"));
  EXPECT_THAT(outer, StatusIs(absl::StatusCode::kInvalidArgument, "outer"));
}

TEST(CallUserCodeTest, OnlyTheCallingThreadIsGuarded) {
  EXPECT_FALSE(IsGuardedCall());
  SYNCLINE_EXPECT_OK(CallUserCode([] {
    EXPECT_TRUE(IsGuardedCall());
    std::thread([] { EXPECT_FALSE(IsGuardedCall()); }).join();
    return absl::OkStatus();
  }));
  EXPECT_FALSE(IsGuardedCall());
}

TEST(MisuseDeathTest, OutsideOfAGuardedCallTheProcessEndsWithTheText) {
  EXPECT_DEATH(Misuse("7 is odd"), "7 is odd");
}

TEST(MisuseDeathTest, ANoexceptFunctionInBetweenEndsTheProcessWithTheText) {
  EXPECT_DEATH(CallUserCode([] {
                 []() noexcept { Misuse("7 is odd"); }();
                 return absl::OkStatus();
               }).IgnoreError(),
               "7 is odd");
}

}  // namespace
}  // namespace syncline
