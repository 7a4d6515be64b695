#include "pages/model/config_text.h"

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::TextFormat;
using Node = CalculatorGraphConfig::Node;

// Bytes of one text that are shown.
constexpr std::size_t kMostBytes = 8000;
// Elements of a repeated field that are shown.
constexpr int kMostElements = 50;

TextFormat::Printer MakePrinter() {
  TextFormat::Printer printer;
  printer.SetExpandAny(true);
  printer.SetUseUtf8StringEscaping(true);
  return printer;
}

std::string Cut(std::string text) {
  absl::StripTrailingAsciiWhitespace(&text);
  if (text.size() <= kMostBytes) return text;
  std::size_t end = kMostBytes;
  // Not within a character of UTF-8.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
    --end;
  }
  return absl::StrCat(text.substr(0, end), "\n... and ", text.size() - end,
                      " more bytes");
}

// The elements of a field, or its value.
std::string FieldText(const Message& message, const FieldDescriptor& field) {
  const TextFormat::Printer printer = MakePrinter();
  std::string text;
  if (!field.is_repeated()) {
    printer.PrintFieldValueToString(message, &field, -1, &text);
    return Cut(std::move(text));
  }
  const int size = message.GetReflection()->FieldSize(message, &field);
  for (int i = 0; i < size && text.size() <= kMostBytes; ++i) {
    if (i == kMostElements) {
      absl::StrAppend(&text, "... and ", size - i, " more");
      break;
    }
    std::string element;
    printer.PrintFieldValueToString(message, &field, i, &element);
    absl::StripTrailingAsciiWhitespace(&element);
    absl::StrAppend(&text, element, "\n");
  }
  return Cut(std::move(text));
}

// Fields that are set, in the order of the .proto file.
std::vector<PictureSetting> Settings(
    const Message& message, const std::set<absl::string_view>& others) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  std::vector<PictureSetting> settings;
  for (const FieldDescriptor* const field : fields) {
    if (others.contains(field->name())) continue;
    settings.push_back({absl::StrReplaceAll(field->name(), {{"_", " "}}),
                        FieldText(message, *field)});
  }
  return settings;
}

}  // namespace

std::string ConfigText(const Message& message) {
  std::string text;
  MakePrinter().PrintToString(message, &text);
  return Cut(std::move(text));
}

std::string OptionsText(const Node& node) {
  Node options;
  if (node.has_options()) *options.mutable_options() = node.options();
  *options.mutable_node_options() = node.node_options();
  return ConfigText(options);
}

std::vector<PictureSetting> NodeSettings(const Node& node) {
  return Settings(node,
                  {"name", "calculator", "input_stream", "output_stream",
                   "input_side_packet", "output_side_packet", "external_input",
                   "options", "node_options", "executor", "condition"});
}

std::vector<PictureSetting> GraphSettings(const CalculatorGraphConfig& config) {
  return Settings(config,
                  {"node", "input_stream", "output_stream", "input_side_packet",
                   "output_side_packet", "executor", "packet_generator"});
}

}  // namespace syncline
