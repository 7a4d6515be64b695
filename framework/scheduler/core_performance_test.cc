#include "framework/scheduler/core_performance.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Options = ThreadPoolExecutorOptions;

// A folder as the kernel makes it: what `file` says of each core. 0: no file.
std::string SysCpu(const std::string& name, const std::vector<int>& ratings,
                   const std::string& file = "cpufreq/cpuinfo_max_freq") {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / name;
  for (size_t core = 0; core < ratings.size(); ++core) {
    if (ratings[core] == 0) continue;
    const std::filesystem::path path =
        folder / absl::StrCat("cpu", core) / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << ratings[core] << "\n";
  }
  // Among other things that begin alike.
  std::filesystem::create_directories(folder / "cpuidle");
  return folder;
}

TEST(CoresWithPerformanceTest, TheMiddleDividesTheSlowFromTheFast) {
  const std::string folder = SysCpu("mixed", {1000, 3000, 1000, 2800, 1900});
  EXPECT_THAT(CoresWithPerformance(Options::LOW, folder), ElementsAre(0, 2, 4));
  EXPECT_THAT(CoresWithPerformance(Options::HIGH, folder), ElementsAre(1, 3));
  EXPECT_THAT(CoresWithPerformance(Options::NORMAL, folder), IsEmpty());
}

TEST(CoresWithPerformanceTest, CoresThatAreSwitchedOffAreLeftOut) {
  const std::string folder = SysCpu("gaps", {0, 3000, 0, 1000});
  EXPECT_THAT(CoresWithPerformance(Options::HIGH, folder), ElementsAre(1));
  EXPECT_THAT(CoresWithPerformance(Options::LOW, folder), ElementsAre(3));
}

TEST(CoresWithPerformanceTest, CapacityCountsMoreThanFrequency) {
  SysCpu("both", {2000, 1000});
  const std::string folder = SysCpu("both", {400, 1024}, "cpu_capacity");
  EXPECT_THAT(CoresWithPerformance(Options::HIGH, folder), ElementsAre(1));
}

TEST(CoresWithPerformanceTest, AnyCoreWillDoWhereTheyHardlyDiffer) {
  EXPECT_THAT(CoresWithPerformance(Options::HIGH, SysCpu("same", {5, 5})),
              IsEmpty());
  EXPECT_THAT(
      CoresWithPerformance(Options::HIGH, SysCpu("boost", {4900, 5100, 4900})),
      IsEmpty());
}

TEST(CoresWithPerformanceTest, AnyCoreWillDoWhereTheKernelDoesNotSay) {
  EXPECT_THAT(CoresWithPerformance(Options::HIGH, SysCpu("none", {})),
              IsEmpty());
  EXPECT_THAT(CoresWithPerformance(Options::LOW, "/no/such/folder"), IsEmpty());
}

}  // namespace
}  // namespace syncline
