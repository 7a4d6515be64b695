// Code that was ported from MediaPipe finds the things of the public face under
// their names, at their include paths, and with their types: tag maps,
// collections, names, registries, and what observes a graph.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/collection.h"
#include "framework/collection_item_id.h"
#include "framework/counter_factory.h"
#include "framework/delegating_executor.h"
#include "framework/demangle.h"
#include "framework/deps/registration.h"
#include "framework/executor.h"
#include "framework/input_stream_handler.h"
#include "framework/output_stream_poller.h"
#include "framework/packet_set.h"
#include "framework/packet_test.pb.h"
#include "framework/packet_type.h"
#include "framework/port/canonical_errors.h"
#include "framework/port/gmock.h"
#include "framework/port/gtest.h"
#include "framework/port/integral_types.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/subgraph.h"
#include "framework/thread_pool_executor.h"
#include "framework/tool/fill_packet_set.h"
#include "framework/tool/status_util.h"
#include "framework/tool/tag_map.h"
#include "framework/tool/tag_map_helper.h"
#include "framework/tool/type_util.h"
#include "framework/tool/validate_name.h"
#include "framework/type_map.h"
#include "gpu/gpu_service.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PortedNamesTest, TagMapsAreHeldByPointersToTagMap) {
  absl::StatusOr<std::shared_ptr<tool::TagMap>> made =
      tool::CreateTagMap({"B:b", "A:1:a1", "A:a0", "x"});
  SYNCLINE_ASSERT_OK(made);
  const std::shared_ptr<tool::TagMap> map = std::move(made).value();
  EXPECT_THAT(map->Names(), ElementsAre("x", "a0", "a1", "b"));
  EXPECT_EQ(map->Mapping().at("A").count, 2);
  EXPECT_EQ(map->Mapping().at("A").id, CollectionItemId(1));

  proto_ns::RepeatedPtrField<std::string> ports;
  *ports.Add() = "A:a";
  const std::shared_ptr<tool::TagMap> from_ports =
      tool::TagMap::Create(ports).value();
  EXPECT_FALSE(map->SameAs(*from_ports));

  PacketTypeSet types(from_ports);
  const std::shared_ptr<tool::TagMap> shared = types.TagMap();
  EXPECT_EQ(shared, from_ports);
}

TEST(PortedNamesTest, CollectionsAreMadeOfMapsTagsAndNumbers) {
  internal::Collection<int> of_map(tool::CreateTagMap({"A:a", "x"}).value());
  of_map.Tag("A") = 1;
  of_map.Index(0) = 2;
  internal::Collection<int>::const_iterator it = of_map.begin();
  EXPECT_EQ(*it, 2);
  internal::Collection<int> of_tags({"A", "B"});
  EXPECT_THAT(of_tags.GetTags(), ElementsAre("A", "B"));
  internal::Collection<int> of_number(3);
  EXPECT_EQ(of_number.NumEntries(""), 3);
  EXPECT_EQ(internal::Collection<int>(-1).NumEntries(), 0);
  internal::Collection<int, internal::CollectionStorage::kStorePointer>
      pointers(of_map.TagMap());
  pointers.GetPtr(pointers.BeginId()) = &of_map.Index(0);
  EXPECT_EQ(pointers.Index(0), 2);
}

TEST(PortedNamesTest, TypesHaveNames) {
  EXPECT_EQ(Demangle(typeid(std::pair<int, float>).name()),
            "std::pair<int, float>");
  EXPECT_EQ(Demangle("no mangled name"), "no mangled name");
  EXPECT_EQ(SynclineTypeStringOrDemangled<int>(), "int");
  ASSERT_NE(SynclineTypeString<int>(), nullptr);
  EXPECT_EQ(*SynclineTypeString<int>(), "int");
  EXPECT_EQ(kTypeId<int>.hash_code(), tool::GetTypeHash<int>());
  EXPECT_GT(kint64max, kint32max);
}

TEST(PortedNamesTest, RegistriesAreAskedByName) {
  EXPECT_TRUE(CalculatorBaseRegistry::IsRegistered("PassThroughCalculator"));
  EXPECT_FALSE(CalculatorBaseRegistry::IsRegistered("NoSuchCalculator"));
  EXPECT_FALSE(SubgraphRegistry::IsRegistered("NoSuchSubgraph"));
  EXPECT_THAT(
      CalculatorBaseRegistry::CreateByName("NoSuchCalculator"),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("NoSuchCalculator")));
}

TEST(PortedNamesTest, AGraphIsObservedAndCounted) {
  CalculatorGraph graph(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node {
      calculator: "PassThroughCalculator"
      input_stream: "in"
      output_stream: "out"
    }
  )pb"));
  graph.SetCounterFactory(new BasicCounterFactory());
  StatusOrPoller poller = graph.AddOutputStreamPoller("out");
  SYNCLINE_ASSERT_OK(poller);
  poller->SetMaxQueueSize(10);
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(
      graph.AddPacketToInputStream("in", MakePacket<int>(3).At(Timestamp(1))));
  SYNCLINE_ASSERT_OK(graph.CloseAllPacketSources());
  Packet packet;
  ASSERT_TRUE(poller->Next(&packet));
  EXPECT_EQ(packet.Get<int>(), 3);
  EXPECT_FALSE(poller->Next(&packet));
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  CounterSet* const counters = graph.GetCounterFactory()->GetCounterSet();
  EXPECT_EQ(counters->Get("PassThroughCalculator-PassThrough")->Get(), 1);
  EXPECT_EQ(counters->GetCountersValues().size(), 1);
}

TEST(PortedNamesTest, SetsAreMadeOfTagsAndNumbers) {
  PacketSet packets({"A", "B"});
  packets.Tag("B") = MakePacket<int>(1);
  PacketTypeSet types({"A", "B"});
  types.Tag("A").SetNone();
  types.Tag("B").Set<int>();
  SYNCLINE_EXPECT_OK(ValidatePacketSet(types, packets));
  EXPECT_TRUE(PacketSet(3).Index(2).IsEmpty());
  EXPECT_EQ(PacketTypeSet(0).NumEntries(), 0);
}

TEST(PortedNamesTest, AFunctionMayBeAnExecutorOfOneCallAtATime) {
  for (const bool one_at_a_time : {true, false}) {
    std::vector<std::function<void()>> waiting;
    const auto schedule = [&](std::function<void()> task) {
      waiting.push_back(std::move(task));
    };
    CalculatorGraph graph;
    SYNCLINE_ASSERT_OK(graph.SetExecutor(
        "", one_at_a_time
                ? std::make_shared<internal::DelegatingExecutor>(schedule, 1)
                : std::make_shared<internal::DelegatingExecutor>(schedule)));
    SYNCLINE_ASSERT_OK(
        graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
          input_stream: "in"
          node {
            calculator: "PassThroughCalculator"
            input_stream: "in"
            output_stream: "a"
          }
          node {
            calculator: "PassThroughCalculator"
            input_stream: "a"
            output_stream: "b"
          }
        )pb")));
    int seen = 0;
    for (const char* const stream : {"a", "b"}) {
      SYNCLINE_ASSERT_OK(graph.ObserveOutputStream(stream, [&](const Packet&) {
        ++seen;
        return absl::OkStatus();
      }));
    }
    SYNCLINE_ASSERT_OK(graph.StartRun({}));
    const auto run_one = [&] {
      const std::function<void()> task = std::move(waiting.front());
      waiting.erase(waiting.begin());
      task();
    };
    while (!waiting.empty()) run_one();
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "in", MakePacket<int>(3).At(Timestamp(1))));
    ASSERT_EQ(waiting.size(), 1);
    run_one();
    EXPECT_EQ(seen, one_at_a_time ? 1 : 2);
    while (!waiting.empty()) run_one();
    EXPECT_EQ(seen, 2);
    SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
    while (!waiting.empty()) run_one();
    SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  }
}

TEST(PortedNamesTest, AFunctionIsAnExecutor) {
  int tasks = 0;
  std::vector<std::function<void()>> waiting;
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.SetExecutor("", std::make_shared<internal::DelegatingExecutor>(
                                [&](std::function<void()> task) {
                                  ++tasks;
                                  waiting.push_back(std::move(task));
                                })));
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "in"
        node {
          calculator: "PassThroughCalculator"
          input_stream: "in"
          output_stream: "out"
        }
      )pb")));
  int seen = 0;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("out", [&](const Packet&) {
    ++seen;
    return absl::OkStatus();
  }));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(
      graph.AddPacketToInputStream("in", MakePacket<int>(3).At(Timestamp(1))));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  while (!waiting.empty()) {
    const std::function<void()> task = std::move(waiting.back());
    waiting.pop_back();
    task();
  }
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  EXPECT_EQ(seen, 1);
  EXPECT_GT(tasks, 0);
}

TEST(PortedNamesTest, PacketsHoldTheProtosOfTests) {
  PacketTestProto proto;
  proto.add_x(3);
  const Packet packet = MakePacket<PacketTestProto>(proto);
  EXPECT_EQ(packet.GetProtoMessageLite().GetTypeName(),
            "syncline.PacketTestProto");
}

// A calculator that leaves out its OpenGL code, since there is no OpenGL here.
class MayUseGpuCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->OutputSidePackets().Index(0).Set<bool>();
    cc->UseService(kGpuService).Optional();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    cc->OutputSidePackets().Index(0).Set(
        MakePacket<bool>(cc->Service(kGpuService).IsAvailable()));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(MayUseGpuCalculator);

TEST(PortedNamesTest, TheServiceOfOpenGlIsNotAvailable) {
  CalculatorGraph graph(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    node { calculator: "MayUseGpuCalculator" output_side_packet: "there" }
  )pb"));
  SYNCLINE_ASSERT_OK(graph.Run());
  const absl::StatusOr<Packet> there = graph.GetOutputSidePacket("there");
  SYNCLINE_ASSERT_OK(there);
  EXPECT_FALSE(there->Get<bool>());
}

TEST(PortedNamesTest, SidePacketsAreFilledByName) {
  PacketTypeSet types(tool::CreateTagMap({"A:a", "B:b"}).value());
  types.Tag("A").Set<int>();
  types.Tag("B").Set<int>();
  int missing = 0;
  absl::StatusOr<std::unique_ptr<PacketSet>> set =
      tool::FillPacketSet(types, {{"a", MakePacket<int>(1)}}, &missing);
  SYNCLINE_ASSERT_OK(set);
  EXPECT_EQ(missing, 1);
  EXPECT_EQ((*set)->Tag("A").Get<int>(), 1);
}

}  // namespace
}  // namespace syncline
