// Files of GraphProfile messages, one behind the other, and what is left of one
// that was cut off.
//
// The messages are not parsed as one: a file that ends in the middle would give
// nothing then. Fields of the messages are gone through instead, and each is
// parsed by itself.
//
// Thread rule: pure functions.
// Tested by graph_profile_file_test and mediapipe_files_test.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "framework/trace/convert/graph_profile_form.h"

namespace syncline {
namespace {

// Fields of GraphProfile.
constexpr int kGraphTrace = GraphProfile::kGraphTraceFieldNumber;
constexpr int kProfiles = GraphProfile::kCalculatorProfilesFieldNumber;
constexpr int kConfig = GraphProfile::kConfigFieldNumber;

constexpr std::size_t kMaxFileSize = std::size_t{1} << 31;

// A field of a message.
struct Field {
  int number = 0;
  // 0: a number; 2: bytes. Others are not used by these messages.
  int wire = 0;
  // All of the field, and what is behind its tag and size.
  absl::string_view all;
  absl::string_view bytes;
};

// Goes over the fields of a message.
class Fields {
 public:
  explicit Fields(absl::string_view message) : message_(message) {}

  std::size_t position() const { return position_; }
  // What is left of a field of bytes that reaches beyond the end.
  const absl::optional<Field>& cut_field() const { return cut_field_; }
  bool is_cut_off() const { return is_cut_off_; }
  bool is_damaged() const { return is_damaged_; }

  // Nothing at the end, and where the message is cut off or damaged.
  absl::optional<Field> Next() {
    const std::size_t begin = position_;
    if (begin == message_.size()) return absl::nullopt;
    std::uint64_t tag = 0;
    if (!ReadNumber(&tag)) return absl::nullopt;
    Field field;
    field.number = static_cast<int>(tag >> 3);
    field.wire = static_cast<int>(tag & 7);
    std::uint64_t number = 0;
    is_damaged_ = tag >> 35 != 0 || field.number == 0 ||
                  (field.wire != 0 && field.wire != 2);
    if (is_damaged_ || !ReadNumber(&number)) {
      position_ = begin;
      return absl::nullopt;
    }
    if (field.wire == 2) {
      field.bytes = message_.substr(position_, number);
      if (field.bytes.size() < number) {
        is_cut_off_ = true;
        cut_field_ = field;
        return absl::nullopt;
      }
      position_ += number;
    }
    field.all = message_.substr(begin, position_ - begin);
    return field;
  }

 private:
  // False, and is_cut_off or is_damaged, if there is none.
  bool ReadNumber(std::uint64_t* number) {
    *number = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (position_ == message_.size()) {
        is_cut_off_ = true;
        return false;
      }
      const auto byte = static_cast<unsigned char>(message_[position_++]);
      *number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return true;
    }
    is_damaged_ = true;
    return false;
  }

  const absl::string_view message_;
  std::size_t position_ = 0;
  absl::optional<Field> cut_field_;
  bool is_cut_off_ = false;
  bool is_damaged_ = false;
};

// Numbers and bytes stand where GraphTrace has them.
bool IsFieldOfGraphTrace(const Field& field) {
  switch (field.number) {
    case GraphTrace::kBaseTimeFieldNumber:
    case GraphTrace::kBaseTimestampFieldNumber:
      return field.wire == 0;
    case GraphTrace::kCalculatorNameFieldNumber:
    case GraphTrace::kStreamNameFieldNumber:
    case GraphTrace::kCalculatorTraceFieldNumber:
      return field.wire == 2;
    default:
      return false;
  }
}

class Parser {
 public:
  Parser(absl::string_view bytes, absl::string_view name)
      : bytes_(bytes), name_(name) {}

  absl::StatusOr<GraphProfileContent> Parse() {
    if (bytes_.empty()) return Error(0, "is empty");
    Fields fields(bytes_);
    while (absl::optional<Field> field = fields.Next()) {
      if (!IsField(*field)) {
        return Error(Place(field->all), "has a field that is not its own");
      }
      SYNCLINE_RETURN_IF_ERROR(Add(*field));
    }
    if (fields.is_damaged()) {
      return Error(fields.position(), "has no field");
    }
    content_.is_cut_off = fields.is_cut_off();
    if (fields.cut_field().has_value()) {
      const Field& cut = *fields.cut_field();
      if (!IsField(cut)) {
        return Error(fields.position(), "has a field that is not its own");
      }
      if (cut.number == kGraphTrace) {
        SYNCLINE_RETURN_IF_ERROR(AddPiece(cut.bytes));
      }
    }
    return std::move(content_);
  }

 private:
  static bool IsField(const Field& field) {
    return field.wire == 2 &&
           (field.number == kGraphTrace || field.number == kProfiles ||
            field.number == kConfig);
  }
  std::size_t Place(absl::string_view piece) const {
    return static_cast<std::size_t>(piece.data() - bytes_.data());
  }
  absl::Status Error(std::size_t place, absl::string_view what) const {
    return absl::DataLossError(absl::StrCat(
        "\"", name_, "\" is no GraphProfile, or it is damaged: at byte ", place,
        " it ", what));
  }

  absl::Status Add(const Field& field) {
    if (field.number == kGraphTrace) {
      Fields inner(field.bytes);
      while (absl::optional<Field> of_trace = inner.Next()) {
        if (IsFieldOfGraphTrace(*of_trace)) continue;
        return Error(Place(of_trace->all), "has no field of a GraphTrace");
      }
      if (inner.is_cut_off() || inner.is_damaged()) {
        return Error(Place(field.bytes), "has a GraphTrace that is damaged");
      }
    }
    GraphProfile piece;
    if (field.all.size() >= kMaxFileSize ||
        !piece.ParseFromArray(field.all.data(),
                              static_cast<int>(field.all.size()))) {
      return Error(Place(field.all), "has a message that is damaged");
    }
    content_.profile.MergeFrom(piece);
    return absl::OkStatus();
  }

  // What is left of a GraphTrace that the end of the file cuts.
  absl::Status AddPiece(absl::string_view piece) {
    Fields fields(piece);
    std::size_t whole = 0;
    while (absl::optional<Field> field = fields.Next()) {
      if (!IsFieldOfGraphTrace(*field)) {
        return Error(Place(field->all), "has no field of a GraphTrace");
      }
      whole = fields.position();
    }
    if (fields.is_damaged()) {
      return Error(Place(piece) + whole, "has a GraphTrace that is damaged");
    }
    if (!content_.profile.add_graph_trace()->ParseFromArray(
            piece.data(), static_cast<int>(whole))) {
      return Error(Place(piece), "has a GraphTrace that is damaged");
    }
    return absl::OkStatus();
  }

  const absl::string_view bytes_;
  const absl::string_view name_;
  GraphProfileContent content_;
};

absl::Status CannotRead(int error, absl::string_view path) {
  return absl::ErrnoToStatus(
      error, absl::StrCat("cannot read the trace \"", path, "\""));
}

absl::StatusOr<std::string> ReadAll(int fd, absl::string_view path) {
  struct stat about = {};
  if (fstat(fd, &about) != 0) return CannotRead(errno, path);
  if (S_ISDIR(about.st_mode)) return CannotRead(EISDIR, path);
  std::string content;
  std::size_t size = 0;
  while (true) {
    content.resize(size + (std::size_t{1} << 16) + size / 2);
    const ssize_t got = read(fd, content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return CannotRead(errno, path);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    // Also where a device would go on for ever.
    if (size >= kMaxFileSize) return CannotRead(EFBIG, path);
  }
  content.resize(size);
  return content;
}

}  // namespace

absl::StatusOr<GraphProfileContent> ParseGraphProfile(absl::string_view bytes,
                                                      absl::string_view name) {
  return Parser(bytes, name).Parse();
}

absl::StatusOr<Trace> ReadGraphProfileFile(absl::string_view path) {
  // Without O_NONBLOCK, opening a pipe would wait for who writes to it.
  const int fd =
      open(std::string(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return CannotRead(errno, path);
  absl::StatusOr<std::string> bytes = ReadAll(fd, path);
  close(fd);
  SYNCLINE_RETURN_IF_ERROR(bytes.status());
  SYNCLINE_ASSIGN_OR_RETURN(const GraphProfileContent content,
                            ParseGraphProfile(*bytes, path));
  SYNCLINE_ASSIGN_OR_RETURN(Trace trace, FromGraphProfile(content.profile),
                            _ << "in \"" << std::string(path) << "\"");
  trace.is_cut_off = content.is_cut_off;
  return trace;
}

}  // namespace syncline
