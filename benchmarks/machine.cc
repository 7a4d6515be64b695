#include "benchmarks/machine.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <thread>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "benchmarks/subject.h"
#include "framework/base/usable_cores.h"

namespace syncline {

double MeasureRoundTripNs() {
  constexpr int kTries = 20;
  constexpr int kRounds = 1000;
  // Even: the ball is here; odd: it is at the other thread.
  alignas(128) std::atomic<int> ball{0};
  std::thread other([&] {
    for (int round = 0; round < kTries * kRounds; ++round) {
      for (int looks = 0; ball.load(std::memory_order_acquire) % 2 == 0;) {
        // If both threads have one core, waiting would last for a time slice.
        if (++looks % 1000 == 0) std::this_thread::yield();
      }
      ball.fetch_add(1, std::memory_order_release);
    }
  });
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries; ++i) {
    const Stopwatch stopwatch;
    for (int round = 0; round < kRounds; ++round) {
      ball.fetch_add(1, std::memory_order_release);
      for (int looks = 0; ball.load(std::memory_order_acquire) % 2 != 0;) {
        if (++looks % 1000 == 0) std::this_thread::yield();
      }
    }
    best = std::min(best, stopwatch.ElapsedNs() / kRounds);
  }
  other.join();
  return best;
}

std::string ProcessorOf(absl::string_view cpu_info) {
  for (const absl::string_view line : absl::StrSplit(cpu_info, '\n')) {
    if (!absl::StartsWith(line, "model name")) continue;
    const auto colon = line.find(':');
    if (colon == absl::string_view::npos) continue;
    return std::string(absl::StripAsciiWhitespace(line.substr(colon + 1)));
  }
  return "";
}

std::string Size(long bytes) {
  if (bytes < 1024) return absl::StrCat(bytes, " B");
  if (bytes < 1024 * 1024) return absl::StrFormat("%.4g KB", bytes / 1024.0);
  return absl::StrFormat("%.4g MB", bytes / (1024.0 * 1024.0));
}

std::string DescribeMachine() {
  std::ifstream file("/proc/cpuinfo");
  std::stringstream cpu_info;
  cpu_info << file.rdbuf();
  std::string processor = ProcessorOf(cpu_info.str());
  if (processor.empty()) processor = "unknown processor";
  const int cores = FindUsableCores().count;
  std::string text = absl::StrCat(processor, ", ", cores,
                                  cores == 1 ? " core" : " cores", " to use");
  const struct {
    absl::string_view name;
    long bytes;
  } caches[] = {{"L1", sysconf(_SC_LEVEL1_DCACHE_SIZE)},
                {"L2", sysconf(_SC_LEVEL2_CACHE_SIZE)},
                {"L3", sysconf(_SC_LEVEL3_CACHE_SIZE)}};
  for (const auto& cache : caches) {
    if (cache.bytes <= 0) continue;
    absl::StrAppend(&text, ", ", cache.name, " ", Size(cache.bytes));
  }
  return absl::StrCat(text, ", a line of memory to another thread and back ",
                      absl::StrFormat("%.0f ns", MeasureRoundTripNs()));
}

}  // namespace syncline
