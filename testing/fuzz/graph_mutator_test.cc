// Random changes reach everything in a graph, can be repeated, and stay small.

#include "testing/fuzz/graph_mutator.h"

#include <set>
#include <string>
#include <vector>

#include "framework/config/calculator.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/stubs/logging.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

CalculatorGraphConfig Mutated(unsigned seed, int times) {
  CalculatorGraphConfig config;
  config.add_node()->set_calculator("A");
  for (int i = 0; i < times; ++i) {
    GraphMutator(seed * 1000 + i).Mutate(&config);
  }
  return config;
}

void AddFieldNames(const google::protobuf::Message& message,
                   std::set<std::string>* names) {
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const auto* field : fields) {
    names->insert(field->full_name());
    if (field->cpp_type() != field->CPPTYPE_MESSAGE) continue;
    const auto& reflection = *message.GetReflection();
    if (!field->is_repeated()) {
      AddFieldNames(reflection.GetMessage(message, field), names);
    } else if (reflection.FieldSize(message, field) > 0) {
      AddFieldNames(reflection.GetRepeatedMessage(message, field, 0), names);
    }
  }
}

TEST(GraphMutatorTest, TheSameSeedMakesTheSameGraph) {
  EXPECT_EQ(Mutated(3, 20).DebugString(), Mutated(3, 20).DebugString());
  EXPECT_NE(Mutated(3, 20).DebugString(), Mutated(4, 20).DebugString());
}

TEST(GraphMutatorTest, EveryFieldOfGraphsAndNodesIsReached) {
  const google::protobuf::LogSilencer quiet;
  std::set<std::string> names;
  for (unsigned seed = 0; seed < 200; ++seed) {
    AddFieldNames(Mutated(seed, 50), &names);
  }
  for (const auto* type : {CalculatorGraphConfig::descriptor(),
                           CalculatorGraphConfig::Node::descriptor()}) {
    for (int i = 0; i < type->field_count(); ++i) {
      EXPECT_TRUE(names.count(type->field(i)->full_name()))
          << type->field(i)->full_name();
    }
  }
}

TEST(GraphMutatorTest, GraphsDoNotGrowWithoutEnd) {
  const google::protobuf::LogSilencer quiet;
  CalculatorGraphConfig config = Mutated(1, 1);
  const CalculatorGraphConfig other = Mutated(2, 100);
  for (unsigned seed = 0; seed < 500; ++seed) {
    GraphMutator(seed).CrossOver(other, &config);
    EXPECT_LE(config.node_size(), GraphMutator::kMaxNodes);
    EXPECT_LE(config.ByteSizeLong(), GraphMutator::kMaxBytes);
  }
}

}  // namespace
}  // namespace syncline
