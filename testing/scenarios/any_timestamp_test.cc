// Packets and bounds at every special and extreme timestamp, from the
// application and from a calculator, to every input stream handler: what no
// stream can carry is refused by an error that says so, and all the rest is
// delivered.
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/lifetimes.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

struct Handler {
  std::string name;
  std::string options;
  // Packets are taken in any order.
  bool ignores_time = false;
  // It may leave packets out where the streams do not agree.
  bool may_drop = false;
};

std::vector<Handler> Handlers() {
  return {
      {.name = "DefaultInputStreamHandler"},
      {.name = "DefaultInputStreamHandler",
       .options = "[syncline.DefaultInputStreamHandlerOptions.ext] { "
                  "batch_size: 3 }"},
      {.name = "ImmediateInputStreamHandler"},
      {.name = "SyncSetInputStreamHandler",
       .options = "[syncline.SyncSetInputStreamHandlerOptions.ext] { "
                  "sync_set { tag_index: 'INPUT' } }"},
      {.name = "FixedSizeInputStreamHandler",
       .options = "[syncline.FixedSizeInputStreamHandlerOptions.ext] { "
                  "trigger_queue_size: 9 target_queue_size: 5 }"},
      {.name = "TimestampAlignInputStreamHandler",
       .options = "[syncline.TimestampAlignInputStreamHandlerOptions.ext] { "
                  "timestamp_base_tag_index: 'SELECT' }"},
      {.name = "BarrierInputStreamHandler",
       .ignores_time = true,
       .may_drop = true},
      {.name = "EarlyCloseInputStreamHandler", .may_drop = true},
      {.name = "MuxInputStreamHandler", .may_drop = true},
  };
}

std::vector<Timestamp> Times() {
  return {Timestamp::Unset(),
          Timestamp::Unstarted(),
          Timestamp::PreStream(),
          Timestamp::Min(),
          Timestamp::Min() + 1,
          Timestamp(-1),
          Timestamp(0),
          Timestamp(1),
          Timestamp::Max() - 1,
          Timestamp::Max(),
          Timestamp::PostStream(),
          Timestamp::OneOverPostStream(),
          Timestamp::Done()};
}

// What a stream takes, as its documentation has it.
class StreamModel {
 public:
  explicit StreamModel(bool ignores_time) : ignores_time_(ignores_time) {}
  bool Takes(Timestamp time) {
    if (!time.IsAllowedInStream()) return false;
    if (!ignores_time_) {
      if (time < bound_) return false;
      if (time == Timestamp::PostStream() && has_any_) return false;
    }
    has_any_ = true;
    bound_ = time.NextAllowedInStream();
    return true;
  }

 private:
  const bool ignores_time_;
  Timestamp bound_ = Timestamp::PreStream();
  bool has_any_ = false;
};

// Bounds that can be set: Done, and what comes before a stream, are none.
bool IsBound(Timestamp bound) {
  return bound.IsRangeValue() || bound == Timestamp::PostStream() ||
         bound == Timestamp::OneOverPostStream();
}

// Where streams "a" and "b" come from: the application, or what "write" sends.
constexpr char kFromApplication[] =
    "input_stream: 'a' input_stream: 'b'"
    " graph_input_info { stream: 'a' bad_timestamps: REJECT }"
    " graph_input_info { stream: 'b' bad_timestamps: REJECT } ";
constexpr char kFromCalculator[] =
    "input_stream: 'in' node { calculator: 'LambdaCalculator'"
    " name: 'writer' input_side_packet: 'PROCESS:write'"
    " input_stream: 'in' output_stream: 'a' output_stream: 'b' }";

// "a" and "b" to one node, which counts what it gets.
class ReaderGraph : public GraphHarness {
 public:
  ReaderGraph(const std::string& producers, const std::string& calculator,
              const Handler& handler, const Workers& workers)
      : GraphHarness(
            absl::StrCat(producers, "node { calculator: '", calculator,
                         "' name: 'reader' input_side_packet: 'PROCESS:count'",
                         "  input_stream: 'INPUT:a' input_stream: 'SELECT:b'",
                         "  input_stream_handler { input_stream_handler: '",
                         handler.name, "' options { ", handler.options,
                         " } } }"),
            workers) {
    SetFunction("count", [this](CalculatorContext* cc) {
      for (const InputStream& input : cc->Inputs()) {
        if (!input.IsEmpty()) ++received_;
      }
      return absl::OkStatus();
    });
  }

  void StartAnew() {
    received_ = 0;
    SYNCLINE_ASSERT_OK(Start());
  }
  // A run in which "write" is called once.
  absl::Status RunWriter(LambdaFunction write) {
    SetFunction("write", std::move(write));
    StartAnew();
    Feed("in", {{0, 1}});
    return Finish();
  }
  int received() const { return received_; }

 private:
  std::atomic<int> received_{0};
};

class AnyTimestampTest : public WorkersTest {
 protected:
  // With every handler, the graph of it; stops at the first failure.
  static void WithEachHandler(
      const std::string& producers, const std::string& calculator,
      absl::FunctionRef<void(ReaderGraph&, const Handler&)> test) {
    for (const Handler& handler : Handlers()) {
      SCOPED_TRACE(
          absl::StrCat(handler.name, " ", handler.options, " of ", calculator));
      ReaderGraph graph(producers, calculator, handler, GetParam());
      test(graph, handler);
      if (HasFailure()) return;
    }
  }
  // Every two times, likewise.
  static void WithEachPair(absl::FunctionRef<void(Timestamp, Timestamp)> test) {
    for (const Timestamp first : Times()) {
      for (const Timestamp second : Times()) {
        SCOPED_TRACE(
            absl::StrCat(first.DebugString(), ", ", second.DebugString()));
        test(first, second);
        if (HasFailure()) return;
      }
    }
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(AnyTimestampTest);

TEST_P(AnyTimestampTest, EachPairOfPacketsFromTheApplication) {
  const auto test = [](ReaderGraph& graph, const Handler& handler) {
    WithEachPair([&](Timestamp first, Timestamp second) {
      int taken = 0;
      graph.StartAnew();
      for (const char* const stream : {"a", "b"}) {
        StreamModel model(handler.ignores_time);
        for (const Timestamp time : {first, second}) {
          // A control stream that chooses stream 0.
          const absl::Status status = graph.Add(stream, time, 0);
          if (model.Takes(time)) {
            SYNCLINE_ASSERT_OK(status);
            ++taken;
          } else {
            ASSERT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                                         HasSubstr(stream)));
          }
        }
      }
      SYNCLINE_ASSERT_OK(graph.Finish());
      ASSERT_EQ(graph.received(), taken);
    });
  };
  WithEachHandler(kFromApplication, "LambdaCalculator", test);
}

TEST_P(AnyTimestampTest, StreamsThatDoNotAgree) {
  const auto test = [](ReaderGraph& graph, const Handler& handler) {
    WithEachPair([&](Timestamp a, Timestamp b) {
      if (!a.IsAllowedInStream() || !b.IsAllowedInStream()) return;
      graph.StartAnew();
      SYNCLINE_ASSERT_OK(graph.Add("a", a, 0));
      SYNCLINE_ASSERT_OK(graph.Add("b", b, 0));
      SYNCLINE_ASSERT_OK(graph.Finish());
      if (handler.may_drop) {
        ASSERT_LE(graph.received(), 2);
      } else {
        ASSERT_EQ(graph.received(), 2);
      }
    });
  };
  WithEachHandler(kFromApplication, "LambdaCalculator", test);
}

TEST_P(AnyTimestampTest, EachPairOfPacketsFromACalculator) {
  const auto test = [](ReaderGraph& graph, const Handler& handler) {
    WithEachPair([&](Timestamp first, Timestamp second) {
      const absl::Status status = graph.RunWriter([&](CalculatorContext* cc) {
        for (const Timestamp time : {first, second}) {
          for (OutputStream& output : cc->Outputs()) {
            output.AddPacket(MakeCounted<int>(0).At(time));
          }
        }
        return absl::OkStatus();
      });
      StreamModel model(handler.ignores_time);
      const bool takes_first = model.Takes(first);
      const bool takes_second = model.Takes(second);
      if (takes_first && takes_second) {
        SYNCLINE_ASSERT_OK(status);
        ASSERT_EQ(graph.received(), 4);
      } else {
        ASSERT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("\"writer\"")));
        ASSERT_LE(graph.received(), takes_first || takes_second ? 2 : 0);
      }
    });
  };
  WithEachHandler(kFromCalculator, "LambdaCalculator", test);
}

TEST_P(AnyTimestampTest, EachBoundFromTheApplication) {
  const auto test = [](ReaderGraph& graph, const Handler& handler) {
    for (const Timestamp bound : Times()) {
      for (const Timestamp time : {Timestamp(0), Timestamp::Max()}) {
        SCOPED_TRACE(absl::StrCat("bound ", bound.DebugString()));
        graph.StartAnew();
        const absl::Status set =
            graph.graph().SetInputStreamTimestampBound("a", bound);
        if (IsBound(bound)) {
          SYNCLINE_ASSERT_OK(set);
        } else if (bound != Timestamp::PreStream()) {
          ASSERT_THAT(set, StatusIs(absl::StatusCode::kInvalidArgument,
                                    HasSubstr("\"a\"")));
        }
        const bool is_late = set.ok() && bound > time && !handler.ignores_time;
        const absl::Status added = graph.Add("a", time, 0);
        ASSERT_EQ(added.ok(), !is_late) << added;
        SYNCLINE_ASSERT_OK(graph.Add("b", time, 0));
        SYNCLINE_ASSERT_OK(graph.Finish());
        ASSERT_LE(graph.received(), 2);
      }
    }
  };
  for (const char* const calculator :
       {"LambdaCalculator", "LambdaBoundsCalculator",
        "LambdaOffsetCalculator"}) {
    WithEachHandler(kFromApplication, calculator, test);
  }
}

TEST_P(AnyTimestampTest, EachBoundFromACalculator) {
  const auto test = [](ReaderGraph& graph, const Handler&) {
    for (const Timestamp bound : Times()) {
      SCOPED_TRACE(bound.DebugString());
      const absl::Status status = graph.RunWriter([&](CalculatorContext* cc) {
        for (OutputStream& output : cc->Outputs()) {
          output.SetNextTimestampBound(bound);
        }
        return absl::OkStatus();
      });
      if (IsBound(bound)) {
        SYNCLINE_ASSERT_OK(status);
      } else if (!status.ok()) {
        ASSERT_THAT(status.message(), HasSubstr("\"writer\""));
      }
      ASSERT_EQ(graph.received(), 0);
    }
  };
  WithEachHandler(kFromCalculator, "LambdaBoundsCalculator", test);
}

}  // namespace
}  // namespace syncline
