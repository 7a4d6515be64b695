// Proves that the sanitizer configurations are wired in: under each of them a
// planted bug ends a child process, and a race in a suppressed function does
// not.  Without a sanitizer there is nothing to prove and the tests skip.

#include <gtest/gtest.h>

#include <climits>
#include <cstdlib>
#include <thread>

// A name that the suppressions of tsan_defaults.cc match.
int tzset_internal_counter = 0;
extern "C" __attribute__((noinline)) void tzset_internal_planted() {
  ++tzset_internal_counter;
}

namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool kTsan = true;
#else
constexpr bool kTsan = false;
#endif
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAsan = true;
#else
constexpr bool kAsan = false;
#endif

int plain_counter = 0;
__attribute__((noinline)) void PlantedRace() { ++plain_counter; }

// Two threads do `work`, unordered; the process then ends well, unless a
// sanitizer has something to say.
void RunTwice(void (*work)()) {
  auto many = [work] {
    for (int i = 0; i < 1000; ++i) work();
  };
  std::thread a(many), b(many);
  a.join();
  b.join();
  std::exit(0);
}

class SanitizersTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(SanitizersTest, ThreadSanitizerFindsAPlantedRace) {
  if (!kTsan) GTEST_SKIP() << "only under --config=tsan";
  EXPECT_EXIT(RunTwice(PlantedRace), testing::ExitedWithCode(66),
              "data race.*\n(.*\n)*.*PlantedRace");
}

TEST_F(SanitizersTest, ThreadSanitizerIsSilentAboutASuppressedFunction) {
  if (!kTsan) GTEST_SKIP() << "only under --config=tsan";
  EXPECT_EXIT(RunTwice(tzset_internal_planted), testing::ExitedWithCode(0), "");
}

TEST_F(SanitizersTest, AddressSanitizerFindsAUseAfterFree) {
  if (!kAsan) GTEST_SKIP() << "only under --config=asan";
  EXPECT_DEATH(
      {
        int* volatile p = new int(1);
        delete p;
        std::exit(*p);
      },
      "heap-use-after-free");
}

TEST_F(SanitizersTest, AddressSanitizerFindsALeak) {
  if (!kAsan) GTEST_SKIP() << "only under --config=asan";
  EXPECT_DEATH(
      {
        void* volatile p = std::malloc(12345);
        p = nullptr;
        std::exit(p != nullptr);
      },
      "LeakSanitizer: detected memory leaks");
}

// g++ defines no macro for this sanitizer: .bazelrc's copts do.
TEST_F(SanitizersTest, UndefinedBehaviourSanitizerFindsAnOverflow) {
#ifndef SYNCLINE_UBSAN
  GTEST_SKIP() << "only under --config=ubsan";
#else
  EXPECT_DEATH(
      {
        volatile int big = INT_MAX;
        big = big + 1;
        std::exit(0);
      },
      "signed integer overflow");
#endif
}

}  // namespace
