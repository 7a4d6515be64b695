// Measures what recording costs.
//
//   ./bazelw run -c opt //benchmarks:recording [-- --seconds=60]
//
// It sends strings of a kilobyte, a hundred thousand a second, through a chain
// of three nodes, in turns without a recording and with the input recorded. It
// prints the time of each, the CPU time of the process, whether the graph kept
// up, and the size of the recording, each with its bar. With --rate=0 packets
// come as fast as the graph takes them.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/recording/graph_recorder.h"
#include "framework/recording/recording_reader.h"

ABSL_FLAG(double, seconds, 60, "how long each run is");
ABSL_FLAG(double, rate, 100'000, "packets a second; 0 for as many as can be");
ABSL_FLAG(int, bytes, 1'000, "size of a packet");
ABSL_FLAG(std::string, file, "",
          "where the recording goes; it is removed afterwards; without it, a "
          "new folder of temporary files");

namespace syncline {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double CpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Reads its packet and sends it on.
class ReadCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<std::string>();
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const auto& text = cc->Inputs().Index(0).Get<std::string>();
    sum_ += std::count(text.begin(), text.end(), 'x');
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }

 private:
  std::int64_t sum_ = 0;
};
REGISTER_CALCULATOR(ReadCalculator);

struct Result {
  double seconds = 0;
  double cpu_seconds = 0;
  GraphRecorder::Counts counts;
};

// Sends packets in portions, one each millisecond.
absl::Status Feed(CalculatorGraph* graph, std::int64_t packets, double rate) {
  const int size = absl::GetFlag(FLAGS_bytes);
  const auto start = Clock::now();
  for (std::int64_t i = 0; i < packets; ++i) {
    if (rate > 0 && i % std::max<std::int64_t>(1, rate / 1'000) == 0) {
      std::this_thread::sleep_until(
          start + std::chrono::nanoseconds(static_cast<std::int64_t>(
                      static_cast<double>(i) / rate * 1e9)));
    }
    SYNCLINE_RETURN_IF_ERROR(graph->AddPacketToInputStream(
        "in", MakePacket<std::string>(static_cast<std::size_t>(size), 'x')
                  .At(Timestamp(i))));
  }
  return graph->CloseAllInputStreams();
}

// Every call returns the same file. The name of its folder is random, so that
// nobody can create it before.
absl::StatusOr<std::string> RecordingPath() {
  std::string path = absl::GetFlag(FLAGS_file);
  if (!path.empty()) return path;
  std::string folder =
      std::filesystem::temp_directory_path() / "recording_benchmark.XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) {
    return absl::UnavailableError(
        absl::StrCat("cannot make the folder \"", folder,
                     "\": name a file with --file=FILE"));
  }
  absl::SetFlag(&FLAGS_file, absl::StrCat(folder, "/recording.syncline"));
  return absl::GetFlag(FLAGS_file);
}

absl::StatusOr<Result> RunOnce(bool records, std::int64_t packets,
                               double rate) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::string path, RecordingPath());
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(ParseTextProtoOrDie<
                                            CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node { calculator: "ReadCalculator" input_stream: "in" output_stream: "a" }
    node { calculator: "ReadCalculator" input_stream: "a" output_stream: "b" }
    node { calculator: "ReadCalculator" input_stream: "b" output_stream: "c" }
  )pb")));
  std::unique_ptr<GraphRecorder> recorder;
  if (records) {
    SYNCLINE_ASSIGN_OR_RETURN(recorder,
                              GraphRecorder::Create(&graph, path, {}));
    SYNCLINE_RETURN_IF_ERROR(recorder->Start({}));
  }
  const auto start = Clock::now();
  const double cpu = CpuSeconds();
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  SYNCLINE_RETURN_IF_ERROR(Feed(&graph, packets, rate));
  const absl::Status run = graph.WaitUntilDone();
  SYNCLINE_RETURN_IF_ERROR(run);
  Result result;
  result.seconds = SecondsSince(start);
  if (recorder != nullptr) {
    SYNCLINE_RETURN_IF_ERROR(recorder->Finish(run));
    result.counts = recorder->counts();
  }
  result.cpu_seconds = CpuSeconds() - cpu;
  return result;
}

absl::Status Benchmark() {
  const double rate = absl::GetFlag(FLAGS_rate);
  const auto packets = static_cast<std::int64_t>(absl::GetFlag(FLAGS_seconds) *
                                                 (rate > 0 ? rate : 100'000));
  SYNCLINE_ASSIGN_OR_RETURN(const Result plain, RunOnce(false, packets, rate));
  SYNCLINE_ASSIGN_OR_RETURN(const Result recorded,
                            RunOnce(true, packets, rate));
  const std::string path = absl::GetFlag(FLAGS_file);
  SYNCLINE_ASSIGN_OR_RETURN(const auto recording, RecordingReader::Open(path));
  SYNCLINE_ASSIGN_OR_RETURN(const auto summary, recording->Summarize());
  std::printf("packets                    %12lld\n",
              static_cast<long long>(packets));
  std::printf("unrecorded                 %12.2f s, CPU %.2f s\n",
              plain.seconds, plain.cpu_seconds);
  std::printf("recorded                   %12.2f s, CPU %.2f s\n",
              recorded.seconds, recorded.cpu_seconds);
  std::printf("recorded / unrecorded      %12.3f (bar 1.10)\n",
              recorded.seconds / plain.seconds);
  std::printf("packets in the recording   %12lld (bar: all)\n",
              static_cast<long long>(summary[0].packets));
  std::printf("dropped, waits             %12lld, %lld\n",
              static_cast<long long>(recorded.counts.dropped),
              static_cast<long long>(recorded.counts.waits));
  std::printf("file                       %12.1f MB\n",
              static_cast<double>(std::filesystem::file_size(path)) / 1e6);
  std::filesystem::remove(path);
  return absl::OkStatus();
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage(
      "What recording costs. Flags: --seconds, --rate, --bytes, --file.");
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = syncline::Benchmark();
  if (status.ok()) return 0;
  std::fprintf(stderr, "recording: %s\n", status.ToString().c_str());
  return 1;
}
