// What comes before the first call and after the last: side packets, headers,
// services, status handlers, counters.
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "framework/counter_factory.h"
#include "framework/graph_service.h"
#include "framework/packet_generator.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/status_handler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

using Code = absl::StatusCode;

class PreparationTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(PreparationTest);

// --- Side packets and headers

TEST_P(PreparationTest, AStartNamesEverythingThatIsWrongAtOnce) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       input_side_packet: "one"
                       input_side_packet: "two"
                       node {
                         calculator: "SidePacketSumCalculator"
                         name: "sum"
                         input_side_packet: "one"
                         input_side_packet: "two"
                         output_side_packet: "made"
                       })pb",
                     GetParam());
  EXPECT_THAT(
      graph.Start({{"in", MakePacket<int>(1).At(Timestamp(4))},
                   {"nowhere", MakePacket<int>(2)}}),
      StatusIs(Code::kInvalidArgument,
               AllOf(HasSubstr("\"one\" is required but was not provided"),
                     HasSubstr("\"two\" is required but was not provided"),
                     HasSubstr("\"sum\""),
                     HasSubstr("\"in\" must not have a timestamp"),
                     HasSubstr("\"nowhere\", which is no graph input"))));
  EXPECT_THAT(graph.graph().GetOutputSidePacket("made").status(),
              StatusIs(Code::kUnavailable));
  EXPECT_THAT(graph.graph().GetOutputSidePacket("no").status(),
              StatusIs(Code::kNotFound));
  graph.SetSidePacket("one", MakePacket<int>(1));
  graph.SetSidePacket("two", MakePacket<int>(2));
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.graph().GetOutputSidePacket("made")->Get<int>(), 3);
  EXPECT_EQ(graph.graph().GetOutputSidePacket("one")->Get<int>(), 1);
}

// --- Initialize

TEST_P(PreparationTest, AnInitializeThatFailedMayBeRepeated) {
  CalculatorGraph graph;
  const auto initialize = [&graph](const char* node) {
    return graph.Initialize(
        ParseTextProtoOrDie<CalculatorGraphConfig>(absl::StrCat(
            "input_stream: 'in' node { input_stream: 'in' ", node, " }")));
  };
  EXPECT_THAT(initialize("calculator: 'NoSuchCalculator'").message(),
              HasSubstr("NoSuchCalculator"));
  EXPECT_THAT(initialize("calculator: 'LambdaCalculator' name: 'it' "
                         "max_in_flight: 4 input_stream_handler { "
                         "input_stream_handler: 'BarrierInputStreamHandler' }"),
              StatusIs(Code::kInvalidArgument,
                       AllOf(HasSubstr("CalculatorGraph::"
                                       "InitializeCalculatorNodes failed: "),
                             HasSubstr("\"it\""), HasSubstr("max_in_flight 4"),
                             HasSubstr("BarrierInputStreamHandler"))));
  SYNCLINE_ASSERT_OK(initialize("calculator: 'LambdaCalculator'"));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
}

// --- Services

struct Words {
  std::string text = "made by default";
};
inline constexpr GraphService<Words> kWords(
    "scenario_words", GraphServiceBase::kAllowDefaultInitialization);

// Sends the length of the words, if there are any.
class WordsCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).Set<int>();
    cc->UseService(kWords).Optional();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const auto words = cc->Service(kWords);
    const int length = words.IsAvailable()
                           ? static_cast<int>(words.GetObject().text.size())
                           : -1;
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(length).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(WordsCalculator);

constexpr char kSpeaks[] = R"pb(
  input_stream: "in"
  node { calculator: "WordsCalculator" input_stream: "in" output_stream: "out" }
)pb";

TEST_P(PreparationTest, AServiceIsMadeByDefaultEvenIfItIsOptional) {
  GraphHarness graph(kSpeaks, GetParam());
  graph.Feed("in", {{0, 1}});
  EXPECT_EQ(graph.graph().GetServiceObject(kWords), nullptr);
  SYNCLINE_EXPECT_OK(graph.Run());
  graph.Expect("out", {{0, 15}});
  EXPECT_NE(graph.graph().GetServiceObject(kWords), nullptr);
}

TEST_P(PreparationTest, WithoutDefaultsAServiceIsThereOnlyIfItWasGiven) {
  GraphHarness graph(kSpeaks, GetParam());
  SYNCLINE_ASSERT_OK(graph.graph().DisallowServiceDefaultInitialization());
  graph.Feed("in", {{0, 1}});
  SYNCLINE_EXPECT_OK(graph.Run());
  graph.Expect("out", {{0, -1}});
  SYNCLINE_ASSERT_OK(
      graph.SetService(kWords, std::make_shared<Words>(Words{"given"})));
  SYNCLINE_EXPECT_OK(graph.Run());
  graph.Expect("out", {{0, 5}});
}

TEST_P(PreparationTest, ServicesAreGivenBetweenRunsAndAreNotNull) {
  GraphHarness graph(kSpeaks, GetParam());
  CalculatorGraph& inner = graph.graph();
  EXPECT_THAT(inner.SetServiceObject(kWords, std::shared_ptr<Words>()),
              StatusIs(Code::kInvalidArgument, HasSubstr("null")));
  EXPECT_THAT(inner.SetServicePacket(kWords, MakePacket<int>(1)),
              StatusIs(Code::kInvalidArgument, HasSubstr("scenario_words")));
  SYNCLINE_ASSERT_OK(graph.Start());
  EXPECT_THAT(inner.SetServiceObject(kWords, std::make_shared<Words>()),
              StatusIs(Code::kFailedPrecondition, HasSubstr("scenario_words")));
  SYNCLINE_EXPECT_OK(graph.Finish());
}

// --- Status handlers

// Writes down what it is told, and fails as told.
struct HandlerNotes {
  Mutex mutex;
  std::vector<std::string> told ABSL_GUARDED_BY(mutex);
  absl::Status before;
  absl::Status after;
  absl::Status of_generator;

  std::vector<std::string> Told() {
    MutexLock lock(&mutex);
    return told;
  }
};

class ScenarioHandler : public StatusHandler {
 public:
  static absl::Status FillExpectations(const SynclineOptions&,
                                       PacketTypeSet* inputs) {
    inputs->Tag("NOTES").Set<HandlerNotes*>();
    return absl::OkStatus();
  }
  static absl::Status HandlePreRunStatus(const SynclineOptions&,
                                         const PacketSet& inputs,
                                         const absl::Status& status) {
    return Note(inputs, "before", status)->before;
  }
  static absl::Status HandleStatus(const SynclineOptions&,
                                   const PacketSet& inputs,
                                   const absl::Status& status) {
    return Note(inputs, "after", status)->after;
  }

 private:
  static HandlerNotes* Note(const PacketSet& inputs, const std::string& when,
                            const absl::Status& status) {
    auto* const notes = inputs.Tag("NOTES").Get<HandlerNotes*>();
    MutexLock lock(&notes->mutex);
    notes->told.push_back(when + (status.ok() ? " ok" : " error"));
    return notes;
  }
};
REGISTER_STATUS_HANDLER(ScenarioHandler);

TEST_P(PreparationTest, StatusHandlersHearBeforeAndAfterAndMayFail) {
  HandlerNotes notes;
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       input_side_packet: "notes"
                       status_handler {
                         status_handler: "ScenarioHandler"
                         input_side_packet: "NOTES:notes"
                       }
                       node {
                         calculator: "LambdaCalculator"
                         input_side_packet: "PROCESS:process"
                         input_stream: "in"
                       })pb",
                     GetParam());
  graph.SetSidePacket("notes", MakePacket<HandlerNotes*>(&notes));
  graph.SetFunction("process",
                    [](CalculatorContext*) { return absl::OkStatus(); });
  graph.Feed("in", {{0, 1}});
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(notes.Told(), ElementsAre("before ok", "after ok"));

  notes.before = absl::AbortedError("not today");
  EXPECT_THAT(graph.Run(),
              StatusIs(Code::kAborted,
                       HasSubstr("ScenarioHandler::HandlePreRunStatus failed: "
                                 "not today")));
  notes.before = absl::OkStatus();
  notes.after = absl::AbortedError("not tidy");
  EXPECT_THAT(graph.Run(),
              StatusIs(Code::kAborted,
                       HasSubstr("ScenarioHandler::HandleStatus failed: "
                                 "not tidy")));

  graph.SetFunction("process", [](CalculatorContext*) {
    return absl::DataLossError("lost");
  });
  const absl::Status both = graph.Run();
  EXPECT_THAT(both.message(), AllOf(HasSubstr("lost"), HasSubstr("not tidy")));
  EXPECT_THAT(notes.Told(),
              ElementsAre("before ok", "after ok", "before ok", "before ok",
                          "after ok", "before ok", "after error"));
}

// Counts what it makes; fails when asked.
class CountingGenerator : public PacketGenerator {
 public:
  static absl::Status FillExpectations(const PacketGeneratorOptions&,
                                       PacketTypeSet* inputs,
                                       PacketTypeSet* outputs) {
    inputs->Tag("NOTES").Set<HandlerNotes*>();
    outputs->Tag("NOTES").Set<HandlerNotes*>();
    return absl::OkStatus();
  }
  static absl::Status Generate(const PacketGeneratorOptions&,
                               const PacketSet& inputs, PacketSet* outputs) {
    auto* const notes = inputs.Tag("NOTES").Get<HandlerNotes*>();
    MutexLock lock(&notes->mutex);
    notes->told.push_back("generated");
    outputs->Tag("NOTES") = inputs.Tag("NOTES");
    return notes->of_generator;
  }
};
REGISTER_PACKET_GENERATOR(CountingGenerator);

// `handler_packet` is what the status handler gets: "notes" of the application,
// or "made" of the generator.
std::string GeneratorAndHandler(const std::string& handler_packet) {
  return absl::StrCat(R"pb(
                        input_stream: "in"
                        input_side_packet: "notes"
                        packet_generator {
                          packet_generator: "CountingGenerator"
                          input_side_packet: "NOTES:notes"
                          output_side_packet: "NOTES:made"
                        }
                        node {
                          calculator: "LambdaCalculator"
                          input_side_packet: "PROCESS:process"
                          input_stream: "in"
                        })pb",
                      R"(
    status_handler {
      status_handler: "ScenarioHandler"
      input_side_packet: "NOTES:)",
                      handler_packet, "\" }");
}

TEST_P(PreparationTest, StatusHandlersGetWhatGeneratorsMakeBeforeAndAfter) {
  HandlerNotes notes;
  GraphHarness graph(GeneratorAndHandler("made"), GetParam());
  graph.SetSidePacket("notes", MakePacket<HandlerNotes*>(&notes));
  graph.SetFunction("process",
                    [](CalculatorContext*) { return absl::OkStatus(); });
  graph.Feed("in", {{0, 1}});
  for (int run = 0; run < 2; ++run) SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(notes.Told(), ElementsAre("generated", "before ok", "after ok",
                                        "generated", "before ok", "after ok"))
      << "once in each run, and first";
}

TEST_P(PreparationTest, TheErrorOfAGeneratorIsWhatHandlersSeeBeforeTheRun) {
  HandlerNotes notes;
  notes.of_generator = absl::DataLossError("no model");
  GraphHarness sees(GeneratorAndHandler("notes"), GetParam());
  sees.SetSidePacket("notes", MakePacket<HandlerNotes*>(&notes));
  sees.SetFunction("process",
                   [](CalculatorContext*) { return absl::OkStatus(); });
  EXPECT_THAT(
      sees.Run(),
      StatusIs(Code::kDataLoss,
               HasSubstr("CountingGenerator::Generate() failed. no model")));
  EXPECT_THAT(notes.Told(), ElementsAre("generated", "before error"));

  GraphHarness skipped(GeneratorAndHandler("made"), GetParam());
  skipped.SetSidePacket("notes", MakePacket<HandlerNotes*>(&notes));
  skipped.SetFunction("process",
                      [](CalculatorContext*) { return absl::OkStatus(); });
  EXPECT_THAT(skipped.Run().message(),
              AllOf(HasSubstr("no model"),
                    HasSubstr("Skipping run of "
                              "ScenarioHandler::HandlePreRunStatus")));
}

// --- Counters

TEST_P(PreparationTest, CountersHaveTheNameOfTheirNode) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "LambdaCalculator"
                         name: "left"
                         input_side_packet: "PROCESS:count"
                         input_stream: "in"
                       }
                       node {
                         calculator: "LambdaCalculator"
                         input_side_packet: "PROCESS:count"
                         input_stream: "in"
                       })pb",
                     GetParam());
  graph.SetFunction("count", [](CalculatorContext* cc) {
    cc->GetCounter("seen")->Increment();
    return absl::OkStatus();
  });
  graph.Feed("in", {{0, 1}, {1, 2}});
  CalculatorGraph& inner = graph.graph();
  for (const int runs : {1, 2}) {
    SYNCLINE_EXPECT_OK(graph.Run());
    EXPECT_THAT(inner.GetCounterFactory()->GetCounterSet()->GetCountersValues(),
                ElementsAre(Pair("LambdaCalculator-seen", 2 * runs),
                            Pair("left-seen", 2 * runs)));
  }
  auto* const mine = new BasicCounterFactory;  // the graph takes it
  inner.SetCounterFactory(mine);
  EXPECT_EQ(inner.GetCounterFactory(), mine);
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(mine->GetCounter("left-seen")->Get(), 2);
  inner.SetCounterFactory(nullptr);
  SYNCLINE_EXPECT_OK(graph.Run()) << "who has none loses the counts only";
}

}  // namespace
}  // namespace syncline
