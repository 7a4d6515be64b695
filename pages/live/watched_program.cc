// A program whose graph is watched on its page, for the tests in a browser.
//
//   watched_program run|stand|many|names [PORT]
//
// It prints the address of the page, and then does what it reads, line by line:
//   start   a run
//   end     closes the inputs of the graph, ends sources, waits for the end,
//   and
//           prints the counts that GetGraphRuntimeInfo has: "counts {...}" with
//           the packets of each output stream by its name
//   fail    ends the run with an error
//   log T   logs T as a warning
//   quit    or the end of what it reads: ends the program
//
// Each line is answered by another one, "done" unless it says something else.
//
// Thread rule: the graph's threads, the page's, and the main one.
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/matrix.h"
#include "framework/port/parse_text_proto.h"
#include "glog/logging.h"
#include "nlohmann/json.hpp"
#include "pages/live/live_page.h"

namespace syncline {
namespace {

std::atomic<bool> is_ending{false};

// A picture whose colors move.
std::unique_ptr<ImageFrame> Frame(int number) {
  auto frame = std::make_unique<ImageFrame>(ImageFormat::SRGB, 320, 180);
  for (int y = 0; y < frame->Height(); ++y) {
    std::uint8_t* pixel = frame->MutablePixelData() + y * frame->WidthStep();
    for (int x = 0; x < frame->Width(); ++x) {
      *pixel++ = static_cast<std::uint8_t>(x * 255 / 320);
      *pixel++ = static_cast<std::uint8_t>(y * 255 / 180);
      *pixel++ = static_cast<std::uint8_t>(x + 4 * number);
    }
  }
  return frame;
}

// A column of a spectrogram, with a peak that moves.
std::unique_ptr<Matrix> Column(int number) {
  auto column = std::make_unique<Matrix>(64, 1);
  for (int row = 0; row < 64; ++row) {
    (*column)(row, 0) =
        std::exp(-std::abs(row - 32 - 20 * std::sin(number * 0.04F)));
  }
  return column;
}

// Fifty packets a second on each output, until the program ends the run.
class WatchedSource : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Tag("FRAME").Set<ImageFrame>();
    cc->Outputs().Tag("COLUMN").Set<Matrix>();
    cc->Outputs().Tag("TEXT").Set<std::string>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (is_ending) return tool::StatusStop();
    absl::SleepFor(absl::Milliseconds(20));
    const Timestamp time(20'000 * number_);
    cc->Outputs().Tag("FRAME").Add(Frame(number_).release(), time);
    cc->Outputs().Tag("COLUMN").Add(Column(number_).release(), time);
    cc->Outputs().Tag("TEXT").AddPacket(
        MakePacket<std::string>(absl::StrCat("frame <b>", number_, "</b>"))
            .At(time));
    ++number_;
    return absl::OkStatus();
  }

 private:
  int number_ = 0;
};
REGISTER_CALCULATOR(WatchedSource);

// Sends its first input on, and takes the time that its options say.
class WatchedPass : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.SetAny();
    for (PacketType& output : cc->Outputs()) {
      output.SetSameAs(&cc->Inputs().Index(0));
    }
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Outputs().NumEntries() == 0 || cc->Inputs().Index(0).IsEmpty()) {
      return absl::OkStatus();
    }
    if (cc->NodeName() == "slow") absl::SleepFor(absl::Milliseconds(5));
    for (OutputStream& output : cc->Outputs()) {
      output.AddPacket(cc->Inputs().Index(0).Value());
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(WatchedPass);

constexpr char kRun[] = R"(
  output_stream: "shown"
  executor { name: "drawing" type: "ThreadPoolExecutor"
             options { [syncline.ThreadPoolExecutorOptions.ext]
                       { num_threads: 1 } } }
  node { name: "camera" calculator: "WatchedSource" output_stream: "FRAME:frames"
         output_stream: "COLUMN:spectrum" output_stream: "TEXT:labels" }
  node { name: "slow" calculator: "WatchedPass" input_stream: "frames"
         output_stream: "found" executor: "drawing"
         node_options { [type.googleapis.com/syncline.ThreadPoolExecutorOptions]
                        { num_threads: 7 stack_size: 65536 } } }
  node { name: "limited" calculator: "WatchedPass" input_stream: "spectrum"
         output_stream: "smooth"
         condition { name: "calls" type: "CountCondition"
                     options { [syncline.CountConditionOptions.ext]
                               { count: 1000000 } } } }
  node { name: "join" calculator: "WatchedPass" input_stream: "found"
         input_stream: "smooth" input_stream: "labels"
         output_stream: "shown" })";

// The node "tracker" gets no packets of "boxes", and says nothing of them.
constexpr char kStand[] = R"(
  input_stream: "frames"
  input_stream: "boxes"
  output_stream: "tracks"
  node { name: "scale" calculator: "WatchedPass" input_stream: "frames"
         output_stream: "small" }
  node { name: "tracker" calculator: "WatchedPass" input_stream: "small"
         input_stream: "boxes" output_stream: "tracks" }
  node { name: "draw" calculator: "WatchedPass" input_stream: "frames"
         input_stream: "tracks" })";

// Names with quotes, markup, control characters, and one that turns round what
// follows it.
constexpr char kNames[] = R"(
  input_stream: "in"
  node { name: "<img src=x onerror=alert(1)>\"'&\001\302\205" input_stream: "in"
         calculator: "WatchedPass" output_stream: "out" }
  node { name: "</script><script>alert(2)</script>" input_stream: "out"
         calculator: "WatchedPass" output_stream: "out2" }
  node { name: "back\342\200\256wards" input_stream: "out2"
         calculator: "WatchedPass" })";

std::string ManyNodes() {
  std::string text =
      "node { calculator: 'WatchedSource' output_stream: 'FRAME:s0' "
      "output_stream: 'COLUMN:c' output_stream: 'TEXT:t' }";
  for (int i = 1; i < 1000; ++i) {
    absl::StrAppend(&text, "node { name: 'node", i,
                    "' calculator: 'WatchedPass' input_stream: 's", i * 2 / 3,
                    "' output_stream: 's", i, "' }");
  }
  return text;
}

std::string GraphOf(absl::string_view mode) {
  if (mode == "run") return kRun;
  if (mode == "stand") return kStand;
  if (mode == "names") return kNames;
  return mode == "many" ? ManyNodes() : "";
}

std::string Counts(CalculatorGraph* graph) {
  nlohmann::json counts = nlohmann::json::object();
  const absl::StatusOr<GraphRuntimeInfo> info = graph->GetGraphRuntimeInfo();
  if (!info.ok()) return "no counts";
  for (const CalculatorRuntimeInfo& node : info->calculator_infos()) {
    for (const OutputStreamRuntimeInfo& output : node.output_stream_infos()) {
      const std::string& name = output.stream_name();
      counts[name.substr(name.rfind(':') + 1)] =
          output.number_of_packets_added();
    }
  }
  return absl::StrCat("counts ", counts.dump());
}

absl::Status StartRun(CalculatorGraph* graph) {
  is_ending = false;
  absl::Status status = graph->StartRun({});
  if (!status.ok()) return status;
  // What there is of inputs gets three packets on the first one.
  for (int i = 0; i < 3 && !graph->plan().graph_inputs().empty(); ++i) {
    status.Update(graph->AddPacketToInputStream(
        graph->plan().graph_inputs()[0].name,
        MakePacket<std::string>("packet").At(Timestamp(i))));
  }
  return status;
}

std::string EndRun(CalculatorGraph* graph) {
  is_ending = true;
  graph->CloseAllInputStreams().IgnoreError();
  graph->WaitUntilDone().IgnoreError();
  return Counts(graph);
}

std::string Do(absl::string_view line, CalculatorGraph* graph) {
  if (line == "start") {
    const absl::Status started = StartRun(graph);
    return started.ok() ? "done" : std::string(started.message());
  }
  if (line == "end") return EndRun(graph);
  if (line == "fail") {
    graph->RecordError(absl::DataLossError("the <lens> \"cap\" is on"));
    graph->WaitUntilDone().IgnoreError();
    return "done";
  }
  if (absl::ConsumePrefix(&line, "log ")) LOG(WARNING) << line;
  return "done";
}

int Watch(const std::string& mode, int port) {
  CalculatorGraph graph;
  const absl::Status initialized = graph.Initialize(
      ParseTextProtoOrDie<CalculatorGraphConfig>(GraphOf(mode)));
  if (!initialized.ok()) {
    std::cerr << initialized << "\n";
    return 1;
  }
  GraphPageOptions options;
  options.port = port;
  options.has_control = true;
  options.title = absl::StrCat(mode, ".pbtxt");
  const char* const folder = std::getenv("TEST_TMPDIR");
  options.trace_folder = folder == nullptr ? "" : folder;
  const auto page = LivePage::Serve(&graph, std::move(options));
  if (!page.ok()) {
    std::cerr << page.status() << "\n";
    return 1;
  }
  std::cout << (*page)->Url() << std::endl;
  std::string line;
  while (std::getline(std::cin, line) && line != "quit") {
    std::cout << Do(line, &graph) << std::endl;
  }
  is_ending = true;
  graph.Cancel();
  graph.WaitUntilDone().IgnoreError();
  return 0;
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  google::InitGoogleLogging(argv[0]);
  FLAGS_logtostderr = true;
  if (argc < 2) return 2;
  return syncline::Watch(argv[1], argc > 2 ? std::atoi(argv[2]) : 0);
}
