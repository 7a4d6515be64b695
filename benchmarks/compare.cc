// Compares Syncline with its peers, and its figures with the goals.
//
//   ./bazelw run -c opt //benchmarks:compare -- --filter=chain --csv=/tmp/a.csv
//
// Repetitions are interleaved: each repetition runs all workloads and subjects
// before the next repetition begins, and every other one runs them in reverse
// order. So a change of the machine's speed affects all subjects alike.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "benchmarks/busy_work.h"
#include "benchmarks/goals.h"
#include "benchmarks/machine.h"
#include "benchmarks/report.h"
#include "benchmarks/samples.h"
#include "benchmarks/subject.h"
#include "benchmarks/workload.h"
#include "tools/check_flags.h"

ABSL_FLAG(int, repetitions, 9, "how often each workload runs");
ABSL_FLAG(std::vector<std::string>, filter, {},
          "only workloads whose name contains one of these");
ABSL_FLAG(std::string, csv, "", "write the medians to this file");
ABSL_FLAG(bool, peers, true, "run the peers too");
ABSL_FLAG(bool, costs, true, "count instructions, allocations, locks, ...");
ABSL_FLAG(bool, list, false, "print the workloads and stop");

namespace syncline {
namespace {

constexpr int kSomethingFailed = 1;
constexpr int kUsageIsWrong = 2;

constexpr char kUsage[] =
    R"(Measures Syncline, oneTBB's flow graph and GStreamer side by side.

usage: compare [--filter=TEXT,...] [--repetitions=N] [--csv=FILE]

  --filter=TEXT,...  only workloads whose name contains one of these texts
  --repetitions=N    how often each workload runs (default 9); medians count
  --csv=FILE         write workload,threads,subject,ns_per_packet,
                     ns_per_invocation, one line per median
  --nopeers          Syncline only
  --nocosts          do not count instructions, allocations, locks and wake-ups
                     (a filter does not count them either, unless --costs)
  --list             print the names of the workloads and stop
  --help             this text

Build it with -c opt, and leave the machine alone meanwhile. Exit status: 0 all
was measured (whatever the result), 1 something failed to run, 2 the command
line is wrong.
)";

// One workload at one number of threads, by one subject.
struct Item {
  const Workload* workload;
  int threads;
  Subject* subject;

  std::string Name() const {
    return absl::StrCat("\"", workload->name, "\", ", threads, " threads, ",
                        subject->name());
  }
};

bool IsWanted(const Workload& workload) {
  const std::vector<std::string> filter = absl::GetFlag(FLAGS_filter);
  return filter.empty() ||
         std::any_of(filter.begin(), filter.end(), [&](const auto& text) {
           return absl::StrContains(workload.name, text);
         });
}

std::vector<Item> ItemsOf(const std::vector<const Workload*>& workloads,
                          const Subjects& subjects) {
  std::vector<Item> items;
  for (const Workload* workload : workloads) {
    for (const int threads : workload->threads) {
      for (const auto& subject : subjects.present) {
        if (subject->Supports(*workload, threads)) {
          items.push_back({workload, threads, subject.get()});
        }
      }
    }
  }
  return items;
}

// A line of progress that is rewritten on a terminal. Without a terminal it
// writes nothing.
class Progress {
 public:
  explicit Progress(std::size_t steps)
      : steps_(steps), visible_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (visible_) std::cerr << "\r\033[K" << std::flush;
  }
  void Step(const std::string& what) {
    ++step_;
    if (visible_) {
      std::cerr << "\r\033[K[" << step_ << "/" << steps_ << "] " << what
                << std::flush;
    }
  }

 private:
  const std::size_t steps_;
  std::size_t step_ = 0;
  const bool visible_;
};

// Measures everything. Returns the number of failed runs.
int Measure(std::vector<Item> items, int repetitions, Samples* samples) {
  Progress progress(items.size() * (repetitions + 1));
  int failures = 0;
  const auto fail = [&](const Item& item, const absl::Status& status) {
    std::cerr << "\ncompare: " << item.Name() << ": " << status << "\n";
    ++failures;
  };
  // This run is not measured: it loads pages, threads and libraries for the
  // first time.
  for (const Item& item : items) {
    progress.Step(absl::StrCat("warm-up ", item.Name()));
    const auto result = item.subject->Run(*item.workload, item.threads,
                                          item.workload->test_packets);
    if (!result.ok()) fail(item, result.status());
  }
  for (int i = 0; i < repetitions; ++i) {
    for (const Item& item : items) {
      progress.Step(item.Name());
      const auto result = item.subject->Run(*item.workload, item.threads,
                                            item.workload->packets);
      if (result.ok()) {
        samples->Add(*item.workload, item.threads, item.subject->name(),
                     *result);
      } else {
        fail(item, result.status());
      }
    }
    std::reverse(items.begin(), items.end());
  }
  return failures;
}

// The output of costs.sh: lines of a name and a number. The script is among the
// runfiles of this program.
CostFigures CountCosts() {
  CostFigures costs;
  std::error_code error;
  const std::filesystem::path self =
      std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string folder = self.string() + ".runfiles/syncline/benchmarks";
  const std::string command =
      absl::StrCat("'", folder, "/costs.sh' '", folder, "'");
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return costs;
  char line[256];
  while (fgets(line, sizeof(line), pipe) != nullptr) {
    const std::vector<std::string> words =
        absl::StrSplit(line, absl::ByAnyChar(" \n"), absl::SkipEmpty());
    double value;
    if (words.size() == 2 && absl::SimpleAtod(words[1], &value)) {
      costs[words[0]] = value;
    }
  }
  pclose(pipe);
  return costs;
}

// `bazel run` starts programs in another folder than the caller's.
std::string FromCaller(const std::string& path) {
  const char* const folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder == nullptr || path.front() == '/') return path;
  return absl::StrCat(folder, "/", path);
}

bool WriteCsv(const Samples& samples, const std::string& path) {
  std::ofstream file(path, std::ios::trunc);
  file << samples.ToCsv();
  file.close();
  if (!file) std::cerr << "compare: cannot write \"" << path << "\"\n";
  return static_cast<bool>(file);
}

int Main() {
  const int repetitions = absl::GetFlag(FLAGS_repetitions);
  if (repetitions < 1) {
    std::cerr << "compare: --repetitions must be at least 1\n";
    return kUsageIsWrong;
  }
  std::vector<const Workload*> workloads;
  for (const Workload& workload : AllWorkloads()) {
    if (IsWanted(workload)) workloads.push_back(&workload);
  }
  if (workloads.empty()) {
    std::cerr << "compare: --filter fits no workload; --list names them\n";
    return kUsageIsWrong;
  }
  if (absl::GetFlag(FLAGS_list)) {
    for (const Workload* workload : workloads) {
      std::cout << workload->name << "\n";
    }
    return 0;
  }
  Subjects subjects = MakeSubjects();
  for (const std::string& missing : subjects.missing) {
    std::cerr << "compare: without " << missing << "\n";
  }
  if (!absl::GetFlag(FLAGS_peers)) subjects.present.resize(1);
  std::vector<std::string> peers;
  for (const auto& subject : subjects.present) {
    if (subject != subjects.present.front()) {
      peers.emplace_back(subject->name());
    }
  }
#ifndef NDEBUG
  std::cerr << "compare: built without -c opt; the figures mean nothing\n";
#endif

  const double two_threads = MeasureTwoThreads();
  Samples samples;
  int failures = Measure(ItemsOf(workloads, subjects), repetitions, &samples);
  CostFigures costs;
  if (absl::GetFlag(FLAGS_costs) && absl::GetFlag(FLAGS_filter).empty()) {
    costs = CountCosts();
  }
  costs["two_threads"] = two_threads;
  std::cout << DescribeMachine() << "\n"
            << "Per packet, medians of " << repetitions
            << " repetitions; ratio: syncline / peer. Two threads without a "
               "graph got "
            << absl::StrFormat("%.2f", two_threads)
            << " times as much done as one.\n\n"
            << ComparisonTable(workloads, samples, peers) << "\n"
            << GoalTable(EvaluateGoals(samples, costs)) << std::flush;
  const std::string csv = absl::GetFlag(FLAGS_csv);
  if (!csv.empty() && !WriteCsv(samples, FromCaller(csv))) ++failures;
  return failures == 0 ? 0 : kSomethingFailed;
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  if (syncline::WantsHelp(argc, argv)) {
    std::cout << syncline::kUsage;
    return 0;
  }
  absl::SetProgramUsageMessage(syncline::kUsage);
  const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  if (rest.size() > 1) {
    std::cerr << "compare: unexpected argument \"" << rest[1] << "\"\n";
    return syncline::kUsageIsWrong;
  }
  return syncline::Main();
}
