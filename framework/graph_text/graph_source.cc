#include "framework/graph_text/graph_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/config_types.h"
#include "framework/graph_text/expand_template.h"
#include "framework/graph_text/graph_positions.h"
#include "framework/graph_text/node_names.h"
#include "framework/graph_text/normalize_names.h"
#include "framework/graph_text/proto_text.h"
#include "framework/graph_text/template_text.h"
#include "framework/graph_text/utf8.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/wire_format_lite.h"

namespace syncline {
namespace {

namespace pb = ::google::protobuf;

// Two bytes can make a node of 300: more entries than this are not read.
constexpr int kMaxEntries = 1'000'000;

// The name of a file at the start of a line of an error: it neither ends that
// line nor commands a terminal.
std::string ShownFile(absl::string_view file) {
  const bool is_plain = absl::c_none_of(file, [](char c) {
    return absl::ascii_iscntrl(static_cast<uint8_t>(c));
  });
  return is_plain ? std::string(file) : absl::Utf8SafeCHexEscape(file);
}

absl::Status BadGraph(absl::string_view file, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(
      file.empty() ? "<binary graph>" : ShownFile(file), ": ", what));
}

// Entries at the top level of a binary message, and in groups there, as far as
// it is one.
int CountEntries(absl::string_view bytes) {
  pb::io::CodedInputStream input(reinterpret_cast<const uint8_t*>(bytes.data()),
                                 static_cast<int>(bytes.size()));
  int count = 0;
  bool good = true;
  while (good) {
    const uint32_t tag = input.ReadTag();
    if (tag == 0) return count;
    ++count;
    const auto type = pb::internal::WireFormatLite::GetTagWireType(tag);
    // What is in a group counts as well.
    good = type == pb::internal::WireFormatLite::WIRETYPE_START_GROUP ||
           type == pb::internal::WireFormatLite::WIRETYPE_END_GROUP ||
           pb::internal::WireFormatLite::SkipField(&input, tag);
  }
  return count;
}

// Whether `config` has any field of a graph. What has none, but has others, is
// some other message, or no message at all.
bool HasKnownField(const CalculatorGraphConfig& config) {
  std::vector<const pb::FieldDescriptor*> fields;
  config.GetReflection()->ListFields(config, &fields);
  return !fields.empty();
}

bool LooksLikeText(absl::string_view bytes) {
  return IsValidUtf8(bytes) && absl::c_none_of(bytes, [](char c) {
           return static_cast<uint8_t>(c) < 0x20 &&
                  !absl::ascii_isspace(static_cast<uint8_t>(c));
         });
}

// The whole of a regular file. Others could be endless, or never begin.
absl::StatusOr<std::string> ReadFile(const std::string& path) {
  const auto error = [&](int number) {
    return absl::ErrnoToStatus(number,
                               absl::StrCat("graph file ", Quoted(path)));
  };
  if (absl::StrContains(path, '\0')) return error(ENOENT);
  const int fd = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return error(errno);
  const absl::Cleanup close_file = [fd] { close(fd); };
  struct stat status;
  if (fstat(fd, &status) != 0) return error(errno);
  if (!S_ISREG(status.st_mode)) {
    return BadGraph(path, "not a regular file; graphs are read from files.");
  }

  std::string contents;
  char block[1 << 16];
  while (true) {
    const ssize_t count = read(fd, block, sizeof(block));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return error(errno);
    if (count == 0) return contents;
    contents.append(block, static_cast<size_t>(count));
    if (contents.size() > kMaxGraphBytes) {
      return BadGraph(path, absl::StrCat("the file has more than ",
                                         kMaxGraphBytes, " bytes."));
    }
  }
}

template <typename... Suffix>
bool EndsWithAny(absl::string_view path, Suffix... suffix) {
  return (absl::EndsWithIgnoreCase(path, suffix) || ...);
}

}  // namespace

absl::StatusOr<GraphSource> ReadGraphText(absl::string_view text,
                                          absl::string_view path,
                                          const TemplateDict& arguments) {
  GraphSource source;
  const std::string file = ShownFile(path);
  if (HasTemplateRules(text)) {
    SYNCLINE_ASSIGN_OR_RETURN(const CalculatorGraphTemplate graph_template,
                              ReadTemplateText(text, file));
    SYNCLINE_ASSIGN_OR_RETURN(
        source.config,
        ExpandTemplate(graph_template, arguments, &source.positions));
    return source;
  }
  google::protobuf::TextFormat::ParseInfoTree locations;
  absl::Status status = ParseProtoText(text, file, &source.config, &locations);
  if (!status.ok()) return status;
  source.positions =
      std::make_shared<GraphPositions>(file, source.config, locations);
  return source;
}

absl::StatusOr<GraphSource> ReadGraphBinary(absl::string_view bytes,
                                            absl::string_view file) {
  if (bytes.size() > kMaxGraphBytes) {
    return BadGraph(
        file, absl::StrCat("the graph has ", bytes.size(), " bytes; at most ",
                           kMaxGraphBytes, " are read."));
  }
  if (const int entries = CountEntries(bytes); entries > kMaxEntries) {
    return BadGraph(
        file, absl::StrCat("the graph has ", entries, " entries; at most ",
                           kMaxEntries, " are read."));
  }
  LinkConfigTypes();
  GraphSource source;
  // Invalid UTF-8 and missing fields make Protobuf write to stderr as well.
  const google::protobuf::LogSilencer quiet;
  const bool parsed = source.config.ParseFromArray(
      bytes.data(), static_cast<int>(bytes.size()));
  if (!parsed || !(bytes.empty() || HasKnownField(source.config))) {
    return BadGraph(
        file, absl::StrCat("not a binary CalculatorGraphConfig.",
                           LooksLikeText(bytes)
                               ? " It looks like text: does the file's name "
                                 "end in .pbtxt?"
                               : ""));
  }
  NormalizeNames(&source.config);
  return source;
}

absl::StatusOr<GraphSource> ReadGraphFile(absl::string_view path,
                                          const TemplateDict& arguments) {
  absl::StatusOr<std::string> contents = ReadFile(std::string(path));
  if (!contents.ok()) return contents.status();
  const bool is_text =
      EndsWithAny(path, ".pbtxt", ".textproto", ".prototxt", ".txt") ||
      (!EndsWithAny(path, ".binarypb", ".pb", ".binpb") &&
       LooksLikeText(*contents));
  return is_text ? ReadGraphText(*contents, path, arguments)
                 : ReadGraphBinary(*contents, path);
}

}  // namespace syncline
