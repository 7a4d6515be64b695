// Which threads a queue asks the kernel about before it lets another one in.

#include "framework/scheduler/core_use.h"

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/thread_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CoreUseTest, WhileACoreIsFreeAnybodyMayComeIn) {
  CoreUse use(/*max_threads=*/8, /*cores=*/2);
  EXPECT_EQ(use.cores(), 2);
  use.Begin();
  EXPECT_THAT(use.Computing(1), IsEmpty());
  use.Begin();
  EXPECT_THAT(use.Computing(1), ElementsAre(ThisThreadId(), ThisThreadId()));
  use.End(ThisThreadId());
  EXPECT_THAT(use.Computing(1), IsEmpty());
}

TEST(CoreUseTest, WhoSleepsUsesNoCore) {
  CoreUse use(8, 1);
  use.Begin();
  {
    const CoreUse::Sleeper sleeper(&use);
    EXPECT_EQ(use.asleep(), 1);
    EXPECT_THAT(use.Computing(1), IsEmpty());
  }
  EXPECT_EQ(use.asleep(), 0);
  EXPECT_THAT(use.Computing(1), ElementsAre(ThisThreadId()));
}

TEST(CoreUseTest, WhereThreadsAreNotMoreThanCoresNobodyIsAskedAbout) {
  CoreUse use(2, 2);
  use.Begin();
  use.Begin();
  EXPECT_THAT(use.Computing(1), IsEmpty());
  use.End(ThisThreadId());
}

TEST(CoreUseTest, EachThreadIsNotedByItselfAndForgotten) {
  CoreUse use(8, 1);
  pid_t other = 0;
  std::thread([&] {
    other = ThisThreadId();
    use.Begin();
  }).join();
  use.Begin();
  EXPECT_THAT(use.Computing(1), ElementsAre(other, ThisThreadId()));
  use.End(ThisThreadId());
  EXPECT_THAT(use.Computing(1), ElementsAre(other));
  use.End(ThisThreadId());
  EXPECT_THAT(use.Computing(1), ElementsAre(other)) << "is not this thread's";
}

TEST(CoreUseTest, AfterSomeLooksWithoutAReturnAnybodyMayComeIn) {
  CoreUse use(8, 1);
  use.Begin();
  for (const int returns : {7, 8}) {
    for (int look = 0; look < CoreUse::kMostLooks; ++look) {
      EXPECT_THAT(use.Computing(returns), ElementsAre(ThisThreadId())) << look;
    }
    EXPECT_THAT(use.Computing(returns), IsEmpty());
    EXPECT_THAT(use.Computing(returns), IsEmpty());
  }
}

TEST(CoreUseTest, AThreadThatWaitsDoesNotLackACore) {
  const CoreUse one(8, 1), two(8, 2);
  const pid_t me = ThisThreadId();
  EXPECT_TRUE(one.LackCores({me}));
  EXPECT_FALSE(two.LackCores({me}));
  EXPECT_FALSE(one.LackCores({}));
  std::atomic<bool> lacks{true};
  std::thread([&] {
    // Until `me` waits in join().
    for (int i = 0; i < 1000 && lacks; ++i) {
      absl::SleepFor(absl::Milliseconds(1));
      lacks = one.LackCores({me});
    }
  }).join();
  EXPECT_FALSE(lacks);
}

// --- Neighbours

constexpr std::atomic<bool> kRunsNoSource{false};

CoreUse::Server MakeServer(
    pid_t id, const std::uint32_t* core,
    const std::atomic<bool>* runs_source = &kRunsNoSource) {
  return {.id = id, .core = core, .runs_source = runs_source};
}

TEST(CoreUseTest, NeighboursServeAndWereOnTheSameCoreLast) {
  CoreUse use(/*max_threads=*/8, /*cores=*/4);
  const std::uint32_t zero = 0, one = 1;
  std::uint32_t moves = 1;
  const CoreUse::Server me = MakeServer(10, &zero);
  use.Begin(me);
  EXPECT_THAT(use.NeighboursOf(me), IsEmpty());
  use.Begin(MakeServer(11, &one));
  use.Begin(MakeServer(12, &moves));
  use.Begin(MakeServer(13, &zero));
  EXPECT_THAT(use.NeighboursOf(me), ElementsAre(13));
  moves = 0;
  EXPECT_THAT(use.NeighboursOf(me), ElementsAre(12, 13));
  use.End(13);
  EXPECT_THAT(use.NeighboursOf(me), ElementsAre(12));
  EXPECT_THAT(use.NeighboursOf(MakeServer(14, &one)), ElementsAre(11));
}

TEST(CoreUseTest, WhoRunsASourceIsNobodysNeighbour) {
  CoreUse use(8, 4);
  const std::uint32_t core = 0;
  std::atomic<bool> runs_source{false};
  const CoreUse::Server me = MakeServer(10, &core);
  use.Begin(me);
  use.Begin(MakeServer(11, &core, &runs_source));
  EXPECT_THAT(use.NeighboursOf(me), ElementsAre(11));
  runs_source = true;
  EXPECT_THAT(use.NeighboursOf(me), IsEmpty());
}

TEST(CoreUseTest, EachThreadSaysByItselfWhetherItRunsASource) {
  const std::atomic<bool>& mine = *CoreUse::ThisThread().runs_source;
  EXPECT_FALSE(mine);
  std::thread([] { CoreUse::SetRunsSource(true); }).join();
  EXPECT_FALSE(mine);
  CoreUse::SetRunsSource(true);
  EXPECT_TRUE(mine);
  CoreUse::SetRunsSource(false);
}

TEST(CoreUseTest, WhereTheKernelDoesNotSayThereAreNoNeighbours) {
  CoreUse use(8, 4);
  const std::uint32_t zero = 0;
  use.Begin(MakeServer(10, &zero));
  use.Begin(MakeServer(11, nullptr));
  EXPECT_THAT(use.NeighboursOf(MakeServer(11, nullptr)), IsEmpty());
  EXPECT_THAT(use.NeighboursOf(MakeServer(10, &zero)), IsEmpty());
}

// How many sources run until one looks.
int SourcesUntilLook(CoreUse* use) {
  int sources = 1;
  while (!use->IsTimeToLook()) ++sources;
  return sources;
}

TEST(CoreUseTest, OneSourceInManyLooksAndFewerAfterALookInVain) {
  CoreUse use(8, 4);
  const std::uint32_t core = 0;
  use.Begin(MakeServer(10, &core));
  for (int i = 0; i < 2 * CoreUse::kSourcesBetweenLooks; ++i) {
    EXPECT_FALSE(use.IsTimeToLook()) << "there is nobody else";
  }
  use.Begin(MakeServer(11, &core));
  EXPECT_EQ(SourcesUntilLook(&use), CoreUse::kSourcesBetweenLooks);
  EXPECT_TRUE(use.IsTimeToLook()) << "until one has looked";
  use.HasLooked(/*in_vain=*/true);
  EXPECT_EQ(SourcesUntilLook(&use), CoreUse::kSourcesAfterVainLook);
  use.HasLooked(/*in_vain=*/false);
  EXPECT_EQ(SourcesUntilLook(&use), CoreUse::kSourcesBetweenLooks);
  use.End(11);
  EXPECT_FALSE(use.IsTimeToLook());
}

}  // namespace
}  // namespace syncline
