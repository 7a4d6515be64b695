#include "framework/scheduler/core_performance.h"

#include <sys/stat.h>

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

// A folder as the kernel makes it, with the highest frequency of each core.
std::string SysCpu(const std::string& name,
                   const std::vector<int>& frequencies) {
  const std::string folder = absl::StrCat(::testing::TempDir(), "/", name);
  mkdir(folder.c_str(), 0777);
  for (size_t core = 0; core < frequencies.size(); ++core) {
    const std::string cpu = absl::StrCat(folder, "/cpu", core);
    mkdir(cpu.c_str(), 0777);
    mkdir(absl::StrCat(cpu, "/cpufreq").c_str(), 0777);
    std::ofstream(absl::StrCat(cpu, "/cpufreq/cpuinfo_max_freq"))
        << frequencies[core] << "\n";
  }
  return folder;
}

TEST(CoresWithPerformanceTest, FindsTheSlowAndTheFast) {
  const std::string folder = SysCpu("mixed", {1000, 3000, 1000, 3000, 2000});
  EXPECT_THAT(CoresWithPerformance(Options::LOW, folder), ElementsAre(0, 2));
  EXPECT_THAT(CoresWithPerformance(Options::HIGH, folder), ElementsAre(1, 3));
  EXPECT_THAT(CoresWithPerformance(Options::NORMAL, folder), IsEmpty());
}

TEST(CoresWithPerformanceTest, AnyCoreWillDoWhereTheyDoNotDiffer) {
  EXPECT_THAT(CoresWithPerformance(Options::HIGH, SysCpu("same", {5, 5})),
              IsEmpty());
  EXPECT_THAT(CoresWithPerformance(Options::LOW, "/no/such/folder"), IsEmpty());
}

}  // namespace
}  // namespace syncline
