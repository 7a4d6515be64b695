// The config protos are what MediaPipe's graphs need: every message, field,
// number, type, default and extension id.
//
// expected_fields.txt says what is expected and the descriptors what is there;
// both are compared as text, message by message, so that a field too many fails
// as a missing one does.

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/config/approximate_time_input_stream_handler.pb.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/config/calculator_profile.pb.h"
#include "framework/config/callback_packet_calculator.pb.h"
#include "framework/config/default_input_stream_handler.pb.h"
#include "framework/config/field_data.pb.h"
#include "framework/config/fixed_size_input_stream_handler.pb.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/config/latest_input_stream_handler.pb.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/config/packets_left.pb.h"
#include "framework/config/source.pb.h"
#include "framework/config/switch_container.pb.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/config/timeout_input_stream_handler.pb.h"
#include "framework/config/timestamp_align_input_stream_handler.pb.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::EnumDescriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::FileDescriptor;

// Block text by name.
std::map<std::string, std::string> ExpectedBlocks() {
  std::ifstream file("framework/config/expected_fields.txt");
  std::stringstream table;
  table << file.rdbuf();
  EXPECT_TRUE(file.good());

  std::map<std::string, std::string> blocks;
  for (absl::string_view block : absl::StrSplit(table.str(), "\n\n")) {
    const std::string text(absl::StripAsciiWhitespace(block));
    if (text.front() == '#') continue;
    const std::vector<std::string> words =
        absl::StrSplit(text, absl::MaxSplits(absl::ByAnyChar(" \n"), 1));
    EXPECT_TRUE(blocks.emplace(words.front(), text).second) << words.front();
  }
  return blocks;
}

std::string ShortName(const std::string& full_name) {
  return std::string(absl::StripPrefix(full_name, "syncline."));
}

std::string FieldLine(const FieldDescriptor& field) {
  std::string line = absl::StrCat(field.number(), " ", field.name(), " ");
  if (field.message_type() != nullptr) {
    line += ShortName(field.message_type()->full_name());
  } else if (field.enum_type() != nullptr) {
    line += ShortName(field.enum_type()->full_name());
  } else {
    line += field.type_name();
  }
  if (field.is_repeated()) line += " repeated";
  if (field.is_required()) line += " required";
  if (field.has_default_value()) {
    line += " default=";
    line += field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM
                ? field.default_value_enum()->name()
            : field.cpp_type() == FieldDescriptor::CPPTYPE_STRING
                ? field.default_value_string()
            : field.cpp_type() == FieldDescriptor::CPPTYPE_BOOL
                ? (field.default_value_bool() ? "true" : "false")
            : field.cpp_type() == FieldDescriptor::CPPTYPE_INT64
                ? absl::StrCat(field.default_value_int64())
                : absl::StrCat(field.default_value_int32());
  }
  if (field.real_containing_oneof() != nullptr) {
    line += " in=" + field.real_containing_oneof()->name();
  }
  if (field.options().deprecated()) line += " deprecated";
  return line;
}

void AddEnum(const EnumDescriptor& type,
             std::map<std::string, std::string>* blocks) {
  std::vector<std::string> lines = {ShortName(type.full_name())};
  for (int i = 0; i < type.value_count(); ++i) {
    lines.push_back(
        absl::StrCat(type.value(i)->number(), " ", type.value(i)->name()));
  }
  (*blocks)[lines.front()] = absl::StrJoin(lines, "\n");
}

void AddMessage(const Descriptor& type,
                std::map<std::string, std::string>* blocks) {
  const std::string name = ShortName(type.full_name());
  std::vector<const FieldDescriptor*> fields;
  for (int i = 0; i < type.field_count(); ++i) fields.push_back(type.field(i));
  std::sort(fields.begin(), fields.end(),
            [](auto* a, auto* b) { return a->number() < b->number(); });

  std::vector<std::string> lines = {
      name + (type.file()->syntax() == FileDescriptor::SYNTAX_PROTO3
                  ? " proto3"
                  : " proto2")};
  for (const FieldDescriptor* field : fields)
    lines.push_back(FieldLine(*field));
  for (int i = 0; i < type.extension_range_count(); ++i) {
    EXPECT_EQ(type.extension_range(i)->end, FieldDescriptor::kMaxNumber + 1);
    lines.push_back(
        absl::StrCat("extensions ", type.extension_range(i)->start));
  }
  for (int i = 0; i < type.reserved_range_count(); ++i) {
    lines.push_back(absl::StrCat("reserved ", type.reserved_range(i)->start));
  }
  for (int i = 0; i < type.extension_count(); ++i) {
    const FieldDescriptor& extension = *type.extension(i);
    EXPECT_EQ(extension.message_type(), &type) << name;
    EXPECT_TRUE(extension.is_optional()) << name;
    lines.push_back(
        absl::StrCat(extension.name(), " ", extension.number(), " of ",
                     ShortName(extension.containing_type()->full_name())));
  }
  (*blocks)[name] = absl::StrJoin(lines, "\n");

  for (int i = 0; i < type.nested_type_count(); ++i) {
    AddMessage(*type.nested_type(i), blocks);
  }
  for (int i = 0; i < type.enum_type_count(); ++i) {
    AddEnum(*type.enum_type(i), blocks);
  }
}

// All of framework/config, whichever messages are found from those below.
void AddFile(const FileDescriptor& file,
             std::map<std::string, std::string>* blocks) {
  if (file.package() != "syncline") return;
  EXPECT_EQ(file.enum_type_count(), 0) << file.name();
  EXPECT_EQ(file.extension_count(), 0) << file.name();
  for (int i = 0; i < file.message_type_count(); ++i) {
    AddMessage(*file.message_type(i), blocks);
  }
  for (int i = 0; i < file.dependency_count(); ++i) {
    AddFile(*file.dependency(i), blocks);
  }
}

std::map<std::string, std::string> ActualBlocks() {
  std::map<std::string, std::string> blocks;
  for (const Descriptor* type :
       {ApproximateTimeInputStreamHandlerOptions::descriptor(),
        CalculatorGraphTemplate::descriptor(), GraphProfile::descriptor(),
        CallbackPacketCalculatorOptions::descriptor(),
        DefaultInputStreamHandlerOptions::descriptor(), FieldData::descriptor(),
        FixedSizeInputStreamHandlerOptions::descriptor(),
        GraphRuntimeInfo::descriptor(),
        LatestInputStreamHandlerOptions::descriptor(),
        NodeChainSubgraphOptions::descriptor(),
        PacketGeneratorWrapperCalculatorOptions::descriptor(),
        PacketsLeftOptions::descriptor(),
        SidePacketsToStreamsCalculatorOptions::descriptor(),
        SwitchContainerOptions::descriptor(),
        SyncSetInputStreamHandlerOptions::descriptor(),
        ThreadPoolExecutorOptions::descriptor(),
        TimeoutInputStreamHandlerOptions::descriptor(),
        TimestampAlignInputStreamHandlerOptions::descriptor()}) {
    AddFile(*type->file(), &blocks);
  }
  return blocks;
}

TEST(ConfigProtosTest, EveryFieldHasItsNumberNameTypeLabelAndDefault) {
  const std::map<std::string, std::string> actual = ActualBlocks();
  for (const auto& [name, expected] : ExpectedBlocks()) {
    ASSERT_TRUE(actual.contains(name)) << name;
    EXPECT_EQ(actual.at(name), expected);
  }
}

TEST(ConfigProtosTest, ThereIsNoOtherMessage) {
  const std::map<std::string, std::string> expected = ExpectedBlocks();
  for (const auto& [name, text] : ActualBlocks()) {
    EXPECT_TRUE(expected.contains(name)) << text;
  }
}

// The default name of a handler is there without anyone writing it, and it can
// still be seen that nobody did.
TEST(ConfigProtosTest, AnAbsentStreamHandlerNamesTheDefaultOne) {
  const CalculatorGraphConfig config;
  EXPECT_EQ(config.input_stream_handler().input_stream_handler(),
            "DefaultInputStreamHandler");
  EXPECT_FALSE(config.input_stream_handler().has_input_stream_handler());
  EXPECT_EQ(config.output_stream_handler().output_stream_handler(),
            "InOrderOutputStreamHandler");
  EXPECT_FALSE(config.output_stream_handler().has_output_stream_handler());
}

}  // namespace
}  // namespace syncline
