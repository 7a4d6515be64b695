// MediaPipe's graphs load unchanged: text and binary graphs in all that their
// syntax allows become the configs that stand beside them, and those that can
// run compile to the canonical configs beside them.
//
//   read/X.pbtxt, read/X.binarypb          as MediaPipe's users have them
//   read/X.expected.pbtxt                  the config read from either
//   compiled/X.pbtxt, .expected.pbtxt      the same after Compile
//
// The binary graphs were made from the same text by protoc and proto files that
// have MediaPipe's package. Where a result differs from what is expected, the
// test leaves it in its undeclared outputs, from where it may be taken over
// after a look at the difference.
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "calculators/core/bypass_calculator.pb.h"
#include "calculators/core/flow_limiter_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/config/callback_packet_calculator.pb.h"
#include "framework/config/default_input_stream_handler.pb.h"
#include "framework/config/fixed_size_input_stream_handler.pb.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/config/source.pb.h"
#include "framework/config/switch_container.pb.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/config/timestamp_align_input_stream_handler.pb.h"
#include "framework/graph_text/graph_source.h"
#include "framework/graph_text/proto_text.h"
#include "framework/packet_generator.h"
#include "framework/plan/compile.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/status_handler.h"
#include "framework/subgraph.h"
#include "gmock/gmock.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "tools/lint/lint_text.h"

namespace syncline {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

// --- What the compiled graphs are made of

// Any number of streams and side packets, of any type.
class GraphTestNode : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& type : cc->Inputs()) type.SetAny();
    for (PacketType& type : cc->Outputs()) type.SetAny();
    for (PacketType& type : cc->InputSidePackets()) type.SetAny();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(GraphTestNode);

class GraphTestGenerator : public PacketGenerator {
 public:
  static absl::Status FillExpectations(const PacketGeneratorOptions&,
                                       PacketTypeSet* inputs,
                                       PacketTypeSet* outputs) {
    inputs->Index(0).SetAny();
    outputs->Index(0).Set<int>();
    return absl::OkStatus();
  }
  static absl::Status Generate(const PacketGeneratorOptions&, const PacketSet&,
                               PacketSet* outputs) {
    outputs->Index(0) = MakePacket<int>(1);
    return absl::OkStatus();
  }
};
REGISTER_PACKET_GENERATOR(GraphTestGenerator);

class GraphTestStatusHandler : public StatusHandler {
 public:
  static absl::Status FillExpectations(const SynclineOptions&,
                                       PacketTypeSet* inputs) {
    inputs->Index(0).SetAny();
    return absl::OkStatus();
  }
  static absl::Status HandlePreRunStatus(const SynclineOptions&,
                                         const PacketSet&,
                                         const absl::Status&) {
    return absl::OkStatus();
  }
  static absl::Status HandleStatus(const SynclineOptions&, const PacketSet&,
                                   const absl::Status&) {
    return absl::OkStatus();
  }
};
REGISTER_STATUS_HANDLER(GraphTestStatusHandler);

}  // namespace

namespace samples {

// Two nodes, the second with an input that may be left unconnected.
class TwoNodes : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions&) override {
    return ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
      input_stream: "IN:in"
      input_stream: "EXTRA:extra"
      output_stream: "OUT:out"
      node {
        calculator: "GraphTestNode"
        input_stream: "in"
        output_stream: "mid"
      }
      node {
        calculator: "GraphTestNode"
        input_stream: "MID:mid"
        input_stream: "EXTRA:extra"
        output_stream: "out"
      }
    )pb");
  }
};
REGISTER_SYNCLINE_GRAPH(::syncline::samples::TwoNodes);

}  // namespace samples

namespace {

// --- Files

constexpr char kFolder[] = "testing/mediapipe_graphs/";

std::string Contents(const std::string& file) {
  std::ifstream in(kFolder + file, std::ios::binary);
  EXPECT_TRUE(in.good()) << file;
  std::ostringstream contents;
  contents << in.rdbuf();
  return contents.str();
}

std::string Text(const Message& message) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetExpandAny(true);
  std::string text;
  EXPECT_TRUE(printer.PrintToString(message, &text));
  return text;
}

void ExpectText(const std::string& text, const std::string& file) {
  EXPECT_EQ(text, Contents(file)) << file;
  const char* const folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  if (folder == nullptr || text == Contents(file)) return;
  std::string name = file;
  for (char& c : name) c = c == '/' ? '_' : c;
  std::ofstream(absl::StrCat(folder, "/", name)) << text;
}

CalculatorGraphConfig Read(const std::string& file) {
  absl::StatusOr<GraphSource> source = ReadGraphFile(kFolder + file);
  SYNCLINE_EXPECT_OK(source.status());
  return source.ok() ? source->config : CalculatorGraphConfig();
}

CalculatorGraphTemplate ReadTemplate(const std::string& file) {
  CalculatorGraphTemplate result;
  SYNCLINE_EXPECT_OK(ParseProtoText(Contents(file), file, &result));
  return result;
}

// --- Reading

class ReadTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Graphs, ReadTest,
                         testing::Values("every_field", "every_option",
                                         "other_styles"));

TEST_P(ReadTest, TextBecomesTheExpectedConfig) {
  ExpectText(Text(Read(absl::StrCat("read/", GetParam(), ".pbtxt"))),
             absl::StrCat("read/", GetParam(), ".expected.pbtxt"));
}

TEST_P(ReadTest, BytesBecomeTheExpectedConfig) {
  ExpectText(Text(Read(absl::StrCat("read/", GetParam(), ".binarypb"))),
             absl::StrCat("read/", GetParam(), ".expected.pbtxt"));
}

TEST_P(ReadTest, TheExpectedConfigReadsAsItself) {
  const std::string file = absl::StrCat("read/", GetParam(), ".expected.pbtxt");
  ExpectText(Text(Read(file)), file);
}

TEST(ReadTemplateTest, ATemplateBecomesTheExpectedOne) {
  ExpectText(Text(ReadTemplate("read/every_template_field.pbtxt")),
             "read/every_template_field.expected.pbtxt");
}

// --- No field is lost

// Calls `visit` for each field that is set in `message`, and in what it
// contains.
template <typename Visit>
void ForEachSetField(Message* message, const Visit& visit) {
  const Reflection& reflection = *message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(*message, &fields);
  for (const FieldDescriptor* field : fields) {
    visit(message, field);
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      ForEachSetField(reflection.MutableMessage(message, field), visit);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(*message, field); ++i) {
      ForEachSetField(reflection.MutableRepeatedMessage(message, field, i),
                      visit);
    }
  }
}

TEST_P(ReadTest, TheExpectedConfigTellsWhenAnyOneFieldIsLost) {
  CalculatorGraphConfig config =
      Read(absl::StrCat("read/", GetParam(), ".pbtxt"));
  const std::string expected =
      Contents(absl::StrCat("read/", GetParam(), ".expected.pbtxt"));
  std::vector<std::pair<Message*, const FieldDescriptor*>> fields;
  ForEachSetField(&config, [&](Message* message, const FieldDescriptor* field) {
    fields.emplace_back(message, field);
  });
  EXPECT_GT(fields.size(), 20);
  for (const auto& [message, field] : fields) {
    // Swapped out, so that messages below stay where they are.
    const std::unique_ptr<Message> kept(message->New());
    message->GetReflection()->SwapFields(message, kept.get(), {field});
    EXPECT_NE(Text(config), expected) << field->full_name();
    message->GetReflection()->SwapFields(message, kept.get(), {field});
  }
  EXPECT_EQ(Text(config), expected);
}

// The options that the graphs have. Named here, so that they are linked.
std::vector<const Descriptor*> OptionTypes() {
  return {
      BypassCalculatorOptions::descriptor(),
      CallbackPacketCalculatorOptions::descriptor(),
      DefaultInputStreamHandlerOptions::descriptor(),
      FixedSizeInputStreamHandlerOptions::descriptor(),
      FlowLimiterCalculatorOptions::descriptor(),
      NodeChainSubgraphOptions::descriptor(),
      PacketGeneratorWrapperCalculatorOptions::descriptor(),
      SidePacketsToStreamsCalculatorOptions::descriptor(),
      SwitchContainerOptions::descriptor(),
      SyncSetInputStreamHandlerOptions::descriptor(),
      TemplateSubgraphOptions::descriptor(),
      ThreadPoolExecutorOptions::descriptor(),
      TimestampAlignInputStreamHandlerOptions::descriptor(),
  };
}

// Numbers from 10001 on are Syncline's own.
bool IsOwn(const FieldDescriptor& field) { return field.number() > 10000; }

// Messages below `type`, through the fields that MediaPipe has.
void AddReachable(const Descriptor* type, std::set<const Descriptor*>* types) {
  if (!types->insert(type).second) return;
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor& field = *type->field(i);
    if (!IsOwn(field) && field.message_type() != nullptr) {
      AddReachable(field.message_type(), types);
    }
  }
}

// Takes the fields that are set in `message` out of *missing, also those in
// what an Any holds.
void CrossOff(Message* message, std::set<std::string>* missing) {
  ForEachSetField(message, [&](Message* at, const FieldDescriptor* field) {
    missing->erase(field->full_name());
    google::protobuf::Any any;
    if (at->GetDescriptor() != any.GetDescriptor() ||
        field->name() != "value") {
      return;
    }
    any.CopyFrom(*at);
    const std::string url = any.type_url();
    const Descriptor* const type =
        google::protobuf::DescriptorPool::generated_pool()
            ->FindMessageTypeByName(url.substr(url.rfind('/') + 1));
    ASSERT_NE(type, nullptr) << url;
    const std::unique_ptr<Message> held(
        google::protobuf::MessageFactory::generated_factory()
            ->GetPrototype(type)
            ->New());
    ASSERT_TRUE(any.UnpackTo(held.get())) << url;
    CrossOff(held.get(), missing);
  });
}

TEST(NoFieldIsLostTest, TheGraphsHaveEveryFieldThatMediaPipeHas) {
  // What graphs can hold: the fields, and the options of the framework.
  std::set<const Descriptor*> types;
  AddReachable(CalculatorGraphConfig::descriptor(), &types);
  AddReachable(CalculatorGraphTemplate::descriptor(), &types);
  for (const Descriptor* type : OptionTypes()) AddReachable(type, &types);
  std::set<std::string> missing;
  for (const Descriptor* type : types) {
    if (type->full_name().find("google.") == 0) continue;
    for (int i = 0; i < type->field_count(); ++i) {
      if (IsOwn(*type->field(i))) continue;
      missing.insert(type->field(i)->full_name());
    }
  }
  EXPECT_GT(missing.size(), 90);

  for (const char* file : {"every_field", "every_option", "other_styles"}) {
    CalculatorGraphConfig config = Read(absl::StrCat("read/", file, ".pbtxt"));
    CrossOff(&config, &missing);
  }
  CalculatorGraphTemplate graph_template =
      ReadTemplate("read/every_template_field.pbtxt");
  CrossOff(&graph_template, &missing);
  EXPECT_THAT(missing, testing::IsEmpty());
}

// --- Compiling

class CompileGraphsTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Graphs, CompileGraphsTest,
                         testing::Values("legacy", "subgraphs", "switch"));

TEST_P(CompileGraphsTest, TheGraphBecomesTheExpectedCanonicalConfig) {
  absl::StatusOr<GraphSource> source =
      ReadGraphFile(absl::StrCat(kFolder, "compiled/", GetParam(), ".pbtxt"));
  SYNCLINE_ASSERT_OK(source.status());
  const std::string bytes = source->config.SerializeAsString();
  const std::string expected =
      absl::StrCat("compiled/", GetParam(), ".expected.pbtxt");
  absl::StatusOr<GraphPlan> plan = Compile(*std::move(source));
  SYNCLINE_ASSERT_OK(plan.status());
  ExpectText(Text(plan->Config()), expected);

  // The same by way of bytes.
  absl::StatusOr<GraphSource> from_bytes = ReadGraphBinary(bytes);
  SYNCLINE_ASSERT_OK(from_bytes.status());
  plan = Compile(*std::move(from_bytes));
  SYNCLINE_ASSERT_OK(plan.status());
  ExpectText(Text(plan->Config()), expected);
}

TEST_P(CompileGraphsTest, NothingInTheGraphIsLikelyToStandStill) {
  const std::string path =
      absl::StrCat(kFolder, "compiled/", GetParam(), ".pbtxt");
  const absl::StatusOr<GraphSource> source = ReadGraphFile(path);
  SYNCLINE_ASSERT_OK(source.status());
  const absl::StatusOr<GraphPlan> plan = Compile(*source);
  SYNCLINE_ASSERT_OK(plan.status());
  const auto findings = LintGraphFile(*plan, *source, path);
  SYNCLINE_ASSERT_OK(findings.status());
  EXPECT_EQ(FindingsText(*findings), "");
}

}  // namespace
}  // namespace syncline
