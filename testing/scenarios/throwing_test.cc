// Exceptions of all kinds, out of everything of a user's that a graph calls:
// each becomes a status that carries the exception's text, nothing is left
// behind, and the graph runs again.
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator_framework.h"
#include "framework/graph_service.h"
#include "framework/packet_generator.h"
#include "framework/port/status_matchers.h"
#include "framework/status_handler.h"
#include "framework/subgraph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/lifetimes.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

enum class Kind { kNothing, kStandard, kBadAlloc, kInt, kText };
constexpr Kind kKinds[] = {Kind::kStandard, Kind::kBadAlloc, Kind::kInt,
                           Kind::kText};

// Which place throws next, and what.
std::string throwing_place;
Kind throwing_kind = Kind::kNothing;

void MaybeThrow(const std::string& place) {
  if (place != throwing_place) return;
  switch (throwing_kind) {
    case Kind::kNothing:
      return;
    case Kind::kStandard:
      throw std::runtime_error("thrown in " + place);
    case Kind::kBadAlloc:
      throw std::bad_alloc();
    case Kind::kInt:
      throw 7;
    case Kind::kText:
      throw "a text";
  }
}

struct ThrowingService {
  static absl::StatusOr<std::shared_ptr<ThrowingService>> Create() {
    MaybeThrow("Service::Create");
    return std::make_shared<ThrowingService>();
  }
};
constexpr GraphService<ThrowingService> kThrowingService(
    "throwing_service", GraphServiceBase::kAllowDefaultInitialization);

class ThrowingCalculator : public CountedCalculator {
 public:
  ThrowingCalculator() { MaybeThrow("constructor"); }
  static absl::Status GetContract(CalculatorContract* cc) {
    MaybeThrow("GetContract");
    for (PacketType& input : cc->Inputs()) input.Set<int>();
    for (PacketType& output : cc->Outputs()) output.Set<int>();
    for (PacketType& packet : cc->InputSidePackets()) packet.SetAny();
    cc->UseService(kThrowingService).Optional();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext*) override {
    MaybeThrow("Open");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    MaybeThrow("Process");
    const bool is_source = cc->Inputs().NumEntries() == 0;
    if (is_source && ++calls_ > 5) return tool::StatusStop();
    const Timestamp time = is_source ? Timestamp(calls_) : cc->InputTimestamp();
    for (OutputStream& output : cc->Outputs()) {
      output.AddPacket(MakeCounted<int>(1).At(time));
    }
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext*) override {
    MaybeThrow("Close");
    return absl::OkStatus();
  }
  Timestamp SourceProcessOrder(const CalculatorContext*) const override {
    MaybeThrow("SourceProcessOrder");
    return Timestamp(calls_);
  }

 private:
  int calls_ = 0;
};
REGISTER_CALCULATOR(ThrowingCalculator);

class ThrowingGenerator : public PacketGenerator {
 public:
  static absl::Status FillExpectations(const PacketGeneratorOptions&,
                                       PacketTypeSet*, PacketTypeSet* outputs) {
    MaybeThrow("Generator::FillExpectations");
    outputs->Index(0).Set<int>();
    return absl::OkStatus();
  }
  static absl::Status Generate(const PacketGeneratorOptions&, const PacketSet&,
                               PacketSet* outputs) {
    MaybeThrow("Generator::Generate");
    outputs->Index(0) = MakeCounted<int>(3);
    return absl::OkStatus();
  }
};
REGISTER_PACKET_GENERATOR(ThrowingGenerator);

class ThrowingHandler : public StatusHandler {
 public:
  static absl::Status FillExpectations(const SynclineOptions&, PacketTypeSet*) {
    MaybeThrow("Handler::FillExpectations");
    return absl::OkStatus();
  }
  static absl::Status HandlePreRunStatus(const SynclineOptions&,
                                         const PacketSet&,
                                         const absl::Status&) {
    MaybeThrow("Handler::HandlePreRunStatus");
    return absl::OkStatus();
  }
  static absl::Status HandleStatus(const SynclineOptions&, const PacketSet&,
                                   const absl::Status&) {
    MaybeThrow("Handler::HandleStatus");
    return absl::OkStatus();
  }
};
REGISTER_STATUS_HANDLER(ThrowingHandler);

class ThrowingSubgraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(SubgraphContext*) override {
    MaybeThrow("Subgraph::GetConfig");
    CalculatorGraphConfig config;
    config.add_input_stream("IN:in");
    config.add_output_stream("OUT:out");
    auto* const node = config.add_node();
    node->set_calculator("SumCalculator");
    node->add_input_stream("in");
    node->add_output_stream("out");
    return config;
  }
};
REGISTER_SYNCLINE_GRAPH(ThrowingSubgraph);

constexpr char kGraph[] = R"pb(
  packet_generator {
    packet_generator: "ThrowingGenerator"
    output_side_packet: "made"
  }
  status_handler { status_handler: "ThrowingHandler" }
  node { calculator: "ThrowingCalculator" name: "one" output_stream: "a" }
  node { calculator: "NumberSourceCalculator" output_stream: "b" }
  node {
    calculator: "ThrowingCalculator"
    name: "two"
    input_side_packet: "made"
    input_stream: "a"
    input_stream: "b"
    output_stream: "c"
  }
  node {
    calculator: "ThrowingSubgraph"
    input_stream: "IN:c"
    output_stream: "OUT:d"
  })pb";

class ThrowingTest : public WorkersTest {
 protected:
  void TearDown() override {
    throwing_kind = Kind::kNothing;
    WorkersTest::TearDown();
  }
  static void Throw(const std::string& place, Kind kind) {
    throwing_place = place;
    throwing_kind = kind;
  }
  static void ExpectTells(const absl::Status& status, const std::string& place,
                          Kind kind) {
    ASSERT_FALSE(status.ok());
    if (kind == Kind::kStandard) {
      EXPECT_THAT(status.message(), HasSubstr("thrown in " + place));
    } else if (kind == Kind::kBadAlloc) {
      EXPECT_THAT(status.message(), HasSubstr("bad_alloc"));
    }
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(ThrowingTest);

TEST_P(ThrowingTest, NothingIsThrownInitially) {
  GraphHarness graph(kGraph, GetParam());
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("d"), 10);
}

TEST_P(ThrowingTest, WhileTheGraphIsInitialized) {
  for (const char* const place :
       {"GetContract", "Generator::FillExpectations",
        "Handler::FillExpectations", "Subgraph::GetConfig"}) {
    for (const Kind kind : kKinds) {
      SCOPED_TRACE(place);
      Throw(place, kind);
      GraphHarness graph(kGraph, GetParam());
      ExpectTells(graph.Initialize(), place, kind);
    }
  }
}

TEST_P(ThrowingTest, WhileTheGraphRunsAndItRunsAgain) {
  GraphHarness graph(kGraph, GetParam());
  for (const char* const place :
       {"constructor", "Open", "Process", "Close", "SourceProcessOrder",
        "Handler::HandlePreRunStatus", "Handler::HandleStatus"}) {
    for (const Kind kind : kKinds) {
      SCOPED_TRACE(absl::StrCat(place, " ", static_cast<int>(kind)));
      Throw(place, kind);
      ExpectTells(graph.Run(), place, kind);
      if (HasFailure()) return;
      Throw("", Kind::kNothing);
      SYNCLINE_ASSERT_OK(graph.Run());
      ASSERT_EQ(graph.Count("d"), 10);
    }
  }
}

// What a generator has made is kept for later runs.
TEST_P(ThrowingTest, InAGenerator) {
  for (const Kind kind : kKinds) {
    GraphHarness graph(kGraph, GetParam());
    Throw("Generator::Generate", kind);
    for (int run = 0; run < 2; ++run) {
      const absl::Status status = graph.Run();
      ExpectTells(status, "Generator::Generate", kind);
      EXPECT_THAT(status.message(), HasSubstr("ThrowingGenerator"));
    }
    Throw("", Kind::kNothing);
    SYNCLINE_EXPECT_OK(graph.Run());
  }
}

TEST_P(ThrowingTest, InCloseAfterACancel) {
  for (const Kind kind : kKinds) {
    GraphHarness graph(
        "input_stream: 'in' node { calculator: 'ThrowingCalculator' "
        "input_stream: 'in' output_stream: 'out' }",
        GetParam());
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Idle();
    Throw("Close", kind);
    graph.graph().Cancel();
    EXPECT_THAT(graph.Finish(), StatusIs(absl::StatusCode::kCancelled));
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Idle();
    graph.Destroy();
  }
}

TEST_P(ThrowingTest, InAnObserver) {
  for (const bool with_bounds : {false, true}) {
    GraphHarness graph(kGraph, GetParam());
    SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream(
        "c",
        [](const Packet&) {
          MaybeThrow("observer");
          return absl::OkStatus();
        },
        with_bounds));
    for (const Kind kind : kKinds) {
      Throw("observer", kind);
      const absl::Status status = graph.Run();
      ExpectTells(status, "observer", kind);
      EXPECT_THAT(status.message(), HasSubstr("\"c\""));
      Throw("", Kind::kNothing);
      SYNCLINE_EXPECT_OK(graph.Run());
    }
  }
}

TEST_P(ThrowingTest, InAnObserverOfAGraphInput) {
  GraphHarness graph(
      "input_stream: 'in' node { calculator: 'SumCalculator' "
      "input_stream: 'in' output_stream: 'out' }",
      GetParam());
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream("in", [](const Packet&) {
    MaybeThrow("observer");
    return absl::OkStatus();
  }));
  for (const Kind kind : kKinds) {
    Throw("observer", kind);
    SYNCLINE_ASSERT_OK(graph.Start());
    // It is called in here; the error is the run's.
    graph.Add("in", 0, 1).IgnoreError();
    ExpectTells(graph.Finish(), "observer", kind);
  }
}

TEST_P(ThrowingTest, InTheErrorCallback) {
  for (const Kind kind : kKinds) {
    GraphHarness graph(kGraph, GetParam());
    int calls = 0;
    graph.SetErrorCallback([&](const absl::Status&) {
      ++calls;
      throwing_place = "callback";
      MaybeThrow("callback");
    });
    Throw("Process", kind);
    EXPECT_FALSE(graph.Run().ok());
    EXPECT_GE(calls, 1);
  }
}

TEST_P(ThrowingTest, AnEmptyObserverIsAnErrorAndNoCrash) {
  GraphHarness graph(kGraph, GetParam());
  const absl::Status observed = graph.graph().ObserveOutputStream("c", nullptr);
  const absl::Status status = graph.Run();
  EXPECT_FALSE(observed.ok() && status.ok());
}

// --- Counters

class ThrowingCounterFactory : public BasicCounterFactory {
 public:
  Counter* GetCounter(absl::string_view name) override {
    MaybeThrow("GetCounter");
    return BasicCounterFactory::GetCounter(name);
  }
};

TEST_P(ThrowingTest, InACounterFactory) {
  GraphHarness graph(
      "node { calculator: 'LambdaCalculator' name: 'counts' "
      "input_side_packet: 'PROCESS:process' output_stream: 'out' }",
      GetParam());
  graph.graph().SetCounterFactory(new ThrowingCounterFactory());
  graph.SetFunction("process", [](CalculatorContext* cc) {
    cc->GetCounter("calls")->Increment();
    return tool::StatusStop();
  });
  for (const Kind kind : kKinds) {
    Throw("GetCounter", kind);
    const absl::Status status = graph.Run();
    ExpectTells(status, "GetCounter", kind);
    EXPECT_THAT(status.message(), HasSubstr("\"counts\""));
    Throw("", Kind::kNothing);
    SYNCLINE_EXPECT_OK(graph.Run());
  }
}

// Services are made when the first run starts.
TEST_P(ThrowingTest, WhereAServiceIsMade) {
  for (const Kind kind : kKinds) {
    GraphHarness graph(kGraph, GetParam());
    Throw("Service::Create", kind);
    for (int run = 0; run < 2; ++run) {
      const absl::Status status = graph.Run();
      ExpectTells(status, "Service::Create", kind);
      EXPECT_THAT(status.message(), HasSubstr("throwing_service"));
    }
    Throw("", Kind::kNothing);
    SYNCLINE_EXPECT_OK(graph.Run());
  }
}

}  // namespace
}  // namespace syncline
