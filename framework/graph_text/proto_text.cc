#include "framework/graph_text/proto_text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/nearest_names.h"
#include "framework/graph_text/config_types.h"
#include "framework/graph_text/node_names.h"
#include "framework/graph_text/normalize_names.h"
#include "framework/graph_text/text_nesting.h"
#include "framework/graph_text/utf8.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor_database.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/message.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/text_format.h"

namespace syncline {
namespace {

namespace pb = ::google::protobuf;

// Nesting of messages; graphs have 5 to 20.
constexpr int kMaxDepth = 100;
// Nesting of brackets. Protobuf counts the messages in each other, but not the
// values of Anys, each of which may be an Any: a message with one takes two.
constexpr int kMaxBrackets = 2 * kMaxDepth;
// Every message has a bracket of its own. One costs up to 600 bytes of memory,
// and as little as three of text.
constexpr int kMaxMessages = 2'000'000;

std::string Suggestion(absl::string_view name,
                       const std::vector<std::string>& known) {
  return DidYouMeanText(NearestNames(name, known, /*max=*/3));
}

// What to do about an options type that nobody knows.
std::string NotLinked(absl::string_view type) {
  return absl::StrCat(
      "options type ", Quoted(type),
      " is not linked into this binary: add the target that defines it (its "
      "calculator, or its cc_proto_library) to the deps.");
}

// Looks names up as written and under our package, and keeps in mind what was
// looked up in vain, for the error that follows.
class NameFinder : public pb::TextFormat::Finder {
 public:
  const pb::FieldDescriptor* FindExtension(
      pb::Message* message, const std::string& name) const override {
    const pb::Descriptor* extendee = message->GetDescriptor();
    const pb::DescriptorPool* pool = extendee->file()->pool();
    const auto find = [&](const std::string& known) {
      return pool->FindExtensionByPrintableName(extendee, known);
    };
    const std::string found = NormalizedProtoName(
        name, [&](const std::string& known) { return find(known) != nullptr; });
    const pb::FieldDescriptor* extension = find(found);
    if (extension == nullptr) failure_ = DescribeExtension(*extendee, found);
    return extension;
  }

  const pb::Descriptor* FindAnyType(const pb::Message& message,
                                    const std::string& prefix,
                                    const std::string& name) const override {
    if (prefix != "type.googleapis.com/" && prefix != "type.googleprod.com/") {
      failure_ = absl::StrCat("the type of an Any starts with \"",
                              "type.googleapis.com/\", not with ",
                              Quoted(prefix), ".");
      return nullptr;
    }
    const pb::DescriptorPool* pool = message.GetDescriptor()->file()->pool();
    const std::string found = NormalizedTypeName(name, *pool);
    const pb::Descriptor* type = pool->FindMessageTypeByName(found);
    if (type == nullptr) {
      failure_ = NotLinked(found);
      std::vector<std::string> known;
      pb::DescriptorPool::internal_generated_database()->FindAllMessageNames(
          &known);
      failure_ += Suggestion(found, known);
    }
    return type;
  }

  // Why the last look-up found nothing; empty when it found something.
  std::string TakeFailure() const {
    std::string failure;
    failure.swap(failure_);
    return failure;
  }

 private:
  static std::string DescribeExtension(const pb::Descriptor& extendee,
                                       const std::string& name) {
    if (extendee.extension_range_count() == 0) {
      return absl::StrCat("message ", Quoted(extendee.full_name()),
                          " takes no extensions such as ", Quoted(name), ".");
    }
    const pb::DescriptorPool& pool = *extendee.file()->pool();
    if (const pb::FieldDescriptor* other = pool.FindExtensionByName(name)) {
      return absl::StrCat("extension ", Quoted(name), " belongs into a ",
                          Quoted(other->containing_type()->full_name()),
                          ", not into a ", Quoted(extendee.full_name()), ".");
    }
    const std::string type(absl::StripSuffix(name, ".ext"));
    if (type != name && pool.FindMessageTypeByName(type) != nullptr) {
      return absl::StrCat("message ", Quoted(type),
                          " has no extension \"ext\": write node_options { ",
                          "[type.googleapis.com/", type, "] { ... } }.");
    }
    std::vector<const pb::FieldDescriptor*> extensions;
    pool.FindAllExtensions(&extendee, &extensions);
    std::vector<std::string> known;
    for (const pb::FieldDescriptor* extension : extensions) {
      known.emplace_back(absl::StripSuffix(extension->full_name(), ".ext"));
    }
    return absl::StrCat(NotLinked(type), Suggestion(type, known));
  }

  mutable std::string failure_;
};

// Words protobuf's errors for people who write graphs.
class Errors : public google::protobuf::io::ErrorCollector {
 public:
  // The text begins at this place of the file, both counted from 1.
  Errors(absl::string_view text, absl::string_view file, int first_line,
         int first_column, const NameFinder& finder)
      : text_(text),
        file_(file.empty() ? "<text>" : file),
        first_line_(first_line),
        first_column_(first_column),
        finder_(finder) {}

  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    std::string text = finder_.TakeFailure();
    if (text.empty()) text = Reworded(message);
    Add(line, ByteColumn(line, column), text);
  }

  // Protobuf warns of deprecated fields, which graphs for MediaPipe have.
  void AddWarning(int, google::protobuf::io::ColumnNumber,
                  const std::string&) override {}

  // Lines and columns from 0; a negative line is an error without a place.
  void Add(int line, int column, absl::string_view text) {
    if (texts_.size() == kMaxKept) return;
    const std::string place =
        line < 0 ? ""
                 : absl::StrCat(":", line + first_line_, ":",
                                column + (line == 0 ? first_column_ : 1));
    texts_.push_back(absl::StrCat(file_, place, ": ", text));
  }

  absl::Status ToStatus() const {
    return absl::InvalidArgumentError(absl::StrJoin(texts_, "\n"));
  }

 private:
  static constexpr size_t kMaxKept = 10;
  static constexpr size_t kMaxText = 500;

  // Protobuf takes a tab for up to 8 columns; everybody else counts it as one.
  int ByteColumn(int line, int column) const {
    constexpr int kTab = 8;
    absl::string_view rest = text_;
    for (int i = 0; i < line; ++i) {
      const size_t end = rest.find('\n');
      if (end == absl::string_view::npos) return column;
      rest.remove_prefix(end + 1);
    }
    int bytes = 0;
    for (int at = 0; at < column && bytes < static_cast<int>(rest.size());
         ++bytes) {
      at += rest[static_cast<size_t>(bytes)] == '\t' ? kTab - at % kTab : 1;
    }
    return column < 0 ? column : bytes;
  }

  static std::string Reworded(const std::string& message) {
    absl::string_view rest = message;
    constexpr absl::string_view kNoField = "\" has no field named \"";
    const size_t at = rest.find(kNoField);
    if (absl::ConsumePrefix(&rest, "Message type \"") &&
        at != absl::string_view::npos && absl::ConsumeSuffix(&rest, "\".")) {
      const size_t middle = rest.find(kNoField);
      return NoField(std::string(rest.substr(0, middle)),
                     rest.substr(middle + kNoField.size()));
    }
    // Texts quote the input: its length and bytes are anybody's.
    return absl::StrReplaceAll(
        absl::Utf8SafeCEscape(absl::string_view(message).substr(0, kMaxText)),
        {{"\\\"", "\""}, {"\\'", "'"}});
  }

  static std::string NoField(const std::string& type, absl::string_view name) {
    std::vector<std::string> known;
    const pb::Descriptor* descriptor =
        pb::DescriptorPool::generated_pool()->FindMessageTypeByName(type);
    for (int i = 0; descriptor != nullptr && i < descriptor->field_count();
         ++i) {
      known.push_back(descriptor->field(i)->name());
    }
    return absl::StrCat("message ", Quoted(type), " has no field ",
                        Quoted(name), ".", Suggestion(name, known));
  }

  const absl::string_view text_;
  const std::string file_;
  const int first_line_;
  const int first_column_;
  const NameFinder& finder_;
  std::vector<std::string> texts_;
};

// What is wrong with the text's size, before a parser sees it.
bool IsReadable(absl::string_view text, Errors* errors) {
  if (text.size() > kMaxGraphBytes) {
    errors->Add(-1, 0,
                absl::StrCat("the text has ", text.size(), " bytes; at most ",
                             kMaxGraphBytes, " are read."));
    return false;
  }
  const auto messages = std::count_if(
      text.begin(), text.end(), [](char c) { return c == '{' || c == '<'; });
  if (messages > kMaxMessages) {
    errors->Add(-1, 0,
                absl::StrCat("the text has ", messages, " messages; at most ",
                             kMaxMessages, " are read."));
    return false;
  }
  const size_t too_deep = messages > kMaxBrackets
                              ? FindTooDeep(text, kMaxBrackets)
                              : absl::string_view::npos;
  if (too_deep == absl::string_view::npos) return true;
  const absl::string_view before = text.substr(0, too_deep);
  const size_t line_start = before.rfind('\n') + 1;
  errors->Add(
      static_cast<int>(std::count(before.begin(), before.end(), '\n')),
      static_cast<int>(too_deep - line_start),
      absl::StrCat("more than ", kMaxBrackets,
                   " messages inside each other; write the graph with fewer "
                   "levels."));
  return false;
}

absl::Status Parse(absl::string_view text, absl::string_view file,
                   int first_line, int first_column, bool partial,
                   pb::Message* message,
                   pb::TextFormat::ParseInfoTree* locations) {
  LinkConfigTypes();
  // What some editors put in front of UTF-8 text.
  absl::ConsumePrefix(&text, "\xEF\xBB\xBF");
  const NameFinder finder;
  Errors errors(text, file, first_line, first_column, finder);
  if (!IsReadable(text, &errors)) return errors.ToStatus();
  // Protobuf writes to stderr what it packs into an Any and finds to be invalid
  // UTF-8; the check below reports the same as an error.
  const google::protobuf::LogSilencer quiet;
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.SetFinder(&finder);
  parser.SetRecursionLimit(kMaxDepth);
  parser.AllowPartialMessage(partial);
  if (locations != nullptr) parser.WriteLocationsTo(locations);
  google::protobuf::io::ArrayInputStream input(text.data(),
                                               static_cast<int>(text.size()));
  if (!parser.Parse(&input, message)) return errors.ToStatus();

  // An escape such as "\377" can put any byte into a string. Such a message
  // could be written as binary, but not be read again.
  if (absl::StrContains(text, '\\') || !IsValidUtf8(text)) {
    if (const std::string bad = FindInvalidUtf8(*message); !bad.empty()) {
      errors.Add(-1, 0,
                 absl::StrCat("field ", Quoted(bad), " is not valid UTF-8."));
      return errors.ToStatus();
    }
  }
  NormalizeNames(message);
  return absl::OkStatus();
}

}  // namespace

absl::Status ParseProtoText(absl::string_view text, absl::string_view file,
                            pb::Message* message,
                            pb::TextFormat::ParseInfoTree* locations) {
  return Parse(text, file, 1, 1, /*partial=*/false, message, locations);
}

absl::Status ParseProtoTextAt(absl::string_view text, absl::string_view file,
                              int line, int column, pb::Message* message) {
  return Parse(text, file, line, column, /*partial=*/true, message,
               /*locations=*/nullptr);
}

}  // namespace syncline
