// Every workload runs, in a few packets, with every number of threads and with
// every subject that this machine has. A run that loses a packet is an error,
// so this also tests that all packets arrive.

#include <gtest/gtest.h>

#include <string>

#include "benchmarks/subject.h"
#include "benchmarks/workload.h"
#include "framework/port/status_matchers.h"

namespace syncline {
namespace {

// Thread sanitizer cannot see inside libraries that were built without it, so
// it would report false errors for the peers.
#ifdef __SANITIZE_THREAD__
constexpr bool kRunsPeers = false;
#else
constexpr bool kRunsPeers = true;
#endif

// With a sanitizer, a hundred thousand nodes take a minute.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kMostNodes = 10000;
#else
constexpr int kMostNodes = 100000;
#endif

TEST(CompareTest, EveryWorkloadDeliversEveryPacketWithEverySubject) {
  const Subjects subjects = MakeSubjects();
  ASSERT_EQ(subjects.present.front()->name(), "syncline");
  for (const Workload& workload : AllWorkloads()) {
    if (workload.size > kMostNodes) continue;
    for (const int threads : workload.threads) {
      for (const auto& subject : subjects.present) {
        if (!subject->Supports(workload, threads)) continue;
        if (!kRunsPeers && subject != subjects.present.front()) continue;
        SCOPED_TRACE(testing::Message() << workload.name << ", " << threads
                                        << " threads, " << subject->name());
        const auto result =
            subject->Run(workload, threads, workload.test_packets);
        SYNCLINE_EXPECT_OK(result.status());
        EXPECT_GT(result.ok() ? result->ns_per_packet : 0, 0);
      }
    }
  }
}

TEST(CompareTest, ALostPacketIsAnError) {
  EXPECT_THAT(
      TimePerPacket(*FindWorkload("chain of 10"), 1000, 10, 9, 10).status(),
      StatusIs(absl::StatusCode::kDataLoss));
}

TEST(CompareTest, TimeIsPerPacketAndPerCall) {
  const Workload& chain = *FindWorkload("chain of 10");
  ASSERT_EQ(chain.InvocationsPerPacket(), 10);
  const auto result = TimePerPacket(chain, 1000, 10, 10, 10);
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_DOUBLE_EQ(result->ns_per_packet, 100);
  EXPECT_DOUBLE_EQ(result->ns_per_invocation, 10);
}

}  // namespace
}  // namespace syncline
