// Configs that no sensible person writes: each gives a plan or a status, soon.
//
// What matters is that nothing crashes, hangs or reads beyond its memory; run
// it under the sanitizers. testing/fuzz does the same at random.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/plan/compile.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "google/protobuf/any.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string>& StrangeStrings() {
  static const auto& strings = *new std::vector<std::string>{
      "",
      " ",
      ":",
      "::",
      "a:",
      ":a",
      "A:a",
      "A:0:a",
      "A:00:a",
      "A:-1:a",
      "A:9999:a",
      "A:10000:a",
      "A:99999999999999999999:a",
      "a:b:c:d:e",
      ".",
      "..",
      "...a...",
      "::::",
      "mediapipe.",
      "__",
      std::string("nul\0byte", 8),
      "\n\t\r\x01\x7f",
      "\xff\xfe\x80",
      "\xc3\xa4",
      "%s%n%d",
      "../../etc/passwd",
      std::string(100000, 'a'),
      std::string(100000, ':'),
      std::string(100000, '.'),
  };
  return strings;
}

// Compiles; if that fails the text must be readable and of a sane length.
void Try(const CalculatorGraphConfig& config) {
  CompileOptions options;
  options.log_warnings = false;
  const absl::StatusOr<GraphPlan> plan = Compile(config, options);
  if (plan.ok()) {
    plan->DebugString();
    return;
  }
  EXPECT_FALSE(plan.status().message().empty());
  EXPECT_LT(plan.status().message().size(), 1000000);
}

TEST(BadInputTest, StrangeStringsInEveryField) {
  for (const std::string& strange : StrangeStrings()) {
    using Config = CalculatorGraphConfig;
    const auto with = [](auto change) {
      Config config;
      auto* node = config.add_node();
      node->set_calculator("IntNode");
      change(&config, node);
      Try(config);
    };
    using Node = Config::Node;
    with([&](Config* c, Node*) { c->set_package(strange); });
    with([&](Config* c, Node*) { c->set_type(strange); });
    with([&](Config* c, Node*) { c->add_input_stream(strange); });
    with([&](Config* c, Node*) { c->add_output_stream(strange); });
    with([&](Config* c, Node*) { c->add_input_side_packet(strange); });
    with([&](Config* c, Node*) { c->add_output_side_packet(strange); });
    with([&](Config* c, Node*) { c->add_executor()->set_name(strange); });
    with([&](Config* c, Node*) { c->add_executor()->set_type(strange); });
    with([&](Config* c, Node*) {
      c->add_packet_generator()->set_packet_generator(strange);
    });
    with([&](Config* c, Node*) {
      c->add_status_handler()->set_status_handler(strange);
    });
    with([&](Config*, Node* n) { n->set_calculator(strange); });
    with([&](Config*, Node* n) { n->set_name(strange); });
    with([&](Config*, Node* n) { n->add_input_stream(strange); });
    with([&](Config*, Node* n) { n->add_output_stream(strange); });
    with([&](Config*, Node* n) { n->add_input_side_packet(strange); });
    with([&](Config*, Node* n) { n->add_output_side_packet(strange); });
    with([&](Config*, Node* n) { n->add_external_input(strange); });
    with([&](Config*, Node* n) { n->set_executor(strange); });
    with([&](Config*, Node* n) { n->add_option_value(strange); });
    with([&](Config*, Node* n) {
      n->add_input_stream_info()->set_tag_index(strange);
    });
    with([&](Config*, Node* n) {
      n->mutable_input_stream_handler()->set_input_stream_handler(strange);
    });
    with([&](Config*, Node* n) {
      n->add_node_options()->set_type_url(strange);
    });
    with([&](Config*, Node* n) {
      n->set_calculator("TwoPassGraph");
      n->set_name(strange);
      n->add_input_stream(strange);
      n->add_output_stream(strange);
    });
  }
}

TEST(BadInputTest, StrangeNumbersInEveryField) {
  for (int32_t strange : {std::numeric_limits<int32_t>::min(), -2, -1, 1,
                          std::numeric_limits<int32_t>::max()}) {
    CalculatorGraphConfig config;
    config.set_num_threads(strange);
    Try(config);
    config.Clear();
    config.set_max_queue_size(strange);
    Try(config);
    config.Clear();
    auto* node = config.add_node();
    node->set_calculator("IntNode");
    node->set_source_layer(strange);
    node->set_buffer_size_hint(strange);
    node->set_max_in_flight(strange);
    Try(config);
  }
}

TEST(BadInputTest, OptionsThatAreNotTheirTypeAreAStatus) {
  CalculatorGraphConfig config;
  auto* node = config.add_node();
  node->set_calculator("ChainGraph");
  google::protobuf::Any* options = node->add_node_options();
  options->set_type_url(
      "type.googleapis.com/syncline.NodeChainSubgraphOptions");
  options->set_value("\xff\xff\xff");
  CompileOptions compile_options;
  const absl::Status status = Compile(config, compile_options).status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("NodeChainSubgraphOptions"));
}

TEST(BadInputTest, IndexesHaveALimit) {
  CalculatorGraphConfig config;
  auto* node = config.add_node();
  node->set_calculator("IntNode");
  for (int i = 0; i < 10002; ++i) {
    node->add_output_stream(absl::StrCat("A:", i, ":s", i));
  }
  Try(config);
  EXPECT_FALSE(Compile(config).ok());
}

TEST(BadInputTest, ManyLongNamesGiveAShortAnswer) {
  CalculatorGraphConfig config;
  for (int i = 0; i < 200; ++i) {
    auto* node = config.add_node();
    node->set_calculator(std::string(10000, 'C'));
    node->set_name(std::string(10000, 'n'));
    node->add_input_stream(std::string(10000, 's'));
    node->add_output_stream(std::string(10000, 't'));
  }
  Try(config);
}

TEST(BadInputTest, ErrorTextsHaveNoRawControlCharacters) {
  CalculatorGraphConfig config;
  auto* node = config.add_node();
  node->set_calculator("a\x01\x1b[31m");
  node->set_name("n\x02");
  node->set_executor("e\x03");
  const std::string text(Compile(config).status().message());
  for (const char* raw : {"\x01", "\x02", "\x03", "\x1b"}) {
    EXPECT_THAT(text, Not(HasSubstr(raw)));
  }
}

}  // namespace
}  // namespace syncline
