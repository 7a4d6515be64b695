#include "framework/run/error_log.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

TEST(ErrorLogTest, IsFineWithoutErrors) {
  const ErrorLog log;
  EXPECT_FALSE(log.has_error());
  EXPECT_TRUE(log.Combined("prefix").ok());
}

TEST(ErrorLogTest, CombinesErrorsInTheirOrder) {
  ErrorLog log;
  log.Add(absl::DataLossError("one"));
  log.Add(absl::DataLossError("two"));
  EXPECT_TRUE(log.has_error());
  const absl::Status status = log.Combined("all: ");
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              ::testing::MatchesRegex("all: .*one.*two.*"));
}

TEST(ErrorLogTest, KnowsWhichErrorIsTheFirst) {
  ErrorLog log;
  EXPECT_TRUE(log.Add(absl::DataLossError("one")));
  EXPECT_FALSE(log.Add(absl::DataLossError("two")));
}

// Whoever is refused may end the run, which must not end well then.
TEST(ErrorLogTest, IsCancelledOnceAndWhoeverIsRefusedFindsTheError) {
  for (int round = 0; round < 500; ++round) {
    ErrorLog log;
    std::atomic<int> added{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        if (log.AddCancelled()) ++added;
        EXPECT_EQ(log.Combined("").code(), absl::StatusCode::kCancelled);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(added, 1);
  }
}

TEST(ErrorLogTest, HasALimitAndSaysHowManyMoreThereWere) {
  ErrorLog log;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) log.Add(absl::AbortedError("x"));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(log.Combined("").message(), HasSubstr("... and 3000 more."));
}

}  // namespace
}  // namespace syncline
