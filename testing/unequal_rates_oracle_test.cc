// Joins of streams of unequal rate on random streams: the graph and the
// reference run agree, whatever the threads do. Joins stand behind one another,
// so that what one of them sends late is another's input.

#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/graph_oracle.h"

namespace syncline {
namespace {

std::atomic<int> num_calls{0};

// Says what it was called with: "0@5 -@7 1@6", values and times by input.
class TellJoinCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.Set<std::string>();
    cc->Outputs().Index(0).Set<std::string>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    num_calls.fetch_add(1, std::memory_order_relaxed);
    std::string text;
    for (const InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) {
        absl::StrAppend(&text, "- ");
      } else {
        absl::StrAppend(&text, "(", input.Get<std::string>(), ")@",
                        input.Value().Timestamp().DebugString(), " ");
      }
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(text).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(TellJoinCalculator);

class Cases {
 public:
  explicit Cases(std::uint32_t seed) : random_(seed) {}

  int Below(int end) { return static_cast<int>(random_() % end); }
  bool OneIn(int n) { return Below(n) == 0; }

  std::string Latest() {
    std::string options = absl::StrCat("main_tag_index: ':", Below(3), "' ");
    if (OneIn(2)) absl::StrAppend(&options, "max_age: ", Below(15), " ");
    if (OneIn(2)) absl::StrAppend(&options, "requires_all: true ");
    return Handler("Latest", options);
  }

  std::string ApproximateTime() {
    std::string options;
    if (OneIn(2)) absl::StrAppend(&options, "tolerance: ", Below(20), " ");
    if (OneIn(2)) absl::StrAppend(&options, "max_interval: ", Below(20), " ");
    if (OneIn(3)) absl::StrAppend(&options, "close_enough: ", Below(5), " ");
    if (OneIn(3)) {
      absl::StrAppend(&options, "stream { tag_index: ':", Below(3),
                      "' tolerance: ", Below(20), " } ");
    }
    if (OneIn(2)) {
      absl::StrAppend(&options, "timestamp_base_tag_index: ':", Below(3), "' ");
    }
    return Handler("ApproximateTime", options);
  }

  // One node joins the inputs, the next what came out and two of the inputs.
  CalculatorGraphConfig Graph(bool latest_first) {
    const auto join = [](const std::string& inputs, const std::string& handler,
                         const std::string& output) {
      return absl::StrCat("node { calculator: 'TellJoinCalculator' ", inputs,
                          " output_stream: '", output, "' ", handler, " }");
    };
    const std::string first = latest_first ? Latest() : ApproximateTime();
    const std::string second = latest_first ? ApproximateTime() : Latest();
    return ParseTextProtoOrDie<CalculatorGraphConfig>(absl::StrCat(
        "input_stream: 'a' input_stream: 'b' input_stream: 'c' ",
        join("input_stream: 'a' input_stream: 'b' input_stream: 'c'", first,
             "joined"),
        join("input_stream: 'joined' input_stream: 'b' input_stream: 'c'",
             second, "twice"),
        join("input_stream: 'twice' input_stream: 'joined'", "", "both")));
  }

  ScheduleInputs Inputs() {
    ScheduleInputs inputs;
    for (const char* stream : {"a", "b", "c"}) {
      std::vector<Packet>& packets = inputs.streams[stream];
      const int step = 1 + Below(12);
      int time = Below(20);
      for (int i = Below(8); i > 0; --i) {
        const Timestamp now(time);
        packets.push_back(
            OneIn(6)
                ? Packet().At(now)
                : MakePacket<std::string>(absl::StrCat(stream, i)).At(now));
        time += 1 + Below(step);
      }
    }
    return inputs;
  }

 private:
  static std::string Handler(const std::string& kind,
                             const std::string& options) {
    return absl::StrCat("input_stream_handler { input_stream_handler: '", kind,
                        "InputStreamHandler' options { [syncline.", kind,
                        "InputStreamHandlerOptions.ext] { ", options, " } } }");
  }

  std::mt19937 random_;
};

TEST(UnequalRatesOracleTest, GraphsJoinAsTheWrittenRulesSay) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Cases cases(seed);
    const CalculatorGraphConfig graph = cases.Graph(seed % 2 == 0);
    SYNCLINE_ASSERT_OK(CompareGraphWithOracle(graph, cases.Inputs()))
        << graph.DebugString();
  }
  // There is something to compare.
  EXPECT_GT(num_calls, 2000);
}

}  // namespace
}  // namespace syncline
