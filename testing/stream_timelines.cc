#include "testing/stream_timelines.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {
namespace {

constexpr std::size_t kMaxCell = 24;

std::string TimeText(Timestamp timestamp) {
  if (timestamp.IsRangeValue()) return absl::StrCat(timestamp.Value());
  // "Timestamp::PreStream()" without what all have in common.
  const std::string full_text = timestamp.DebugString();
  absl::string_view text = full_text;
  text = text.substr(text.rfind(':') + 1);
  return std::string(text.substr(0, text.find('(')));
}

template <typename T>
bool ValueAs(const Packet& packet, std::string* text) {
  if (!packet.ValidateAsType<T>().ok()) return false;
  *text = absl::StrCat(packet.Get<T>());
  return true;
}

std::string CellText(const Packet& packet) {
  if (packet.IsEmpty()) return "-";
  std::string text;
  if (ValueAs<int>(packet, &text) || ValueAs<std::int64_t>(packet, &text) ||
      ValueAs<unsigned>(packet, &text) ||
      ValueAs<std::uint64_t>(packet, &text) || ValueAs<float>(packet, &text) ||
      ValueAs<double>(packet, &text)) {
    return text;
  }
  if (packet.ValidateAsType<bool>().ok()) {
    return packet.Get<bool>() ? "true" : "false";
  }
  if (ValueAs<std::string>(packet, &text))
    return absl::StrCat("\"", text, "\"");
  return packet.DebugTypeName();
}

std::string Pad(absl::string_view text, std::size_t width) {
  return absl::StrCat(std::string(width - std::min(width, text.size()), ' '),
                      text);
}

}  // namespace

std::string DrawTimelines(const std::vector<NamedStream>& streams,
                          int max_columns) {
  // Cells by timestamp and row.
  std::map<Timestamp, std::vector<std::string>> columns;
  std::size_t name_width = 0;
  for (std::size_t row = 0; row < streams.size(); ++row) {
    name_width = std::max(name_width, streams[row].name.size());
    for (const Packet& packet : streams[row].packets) {
      std::vector<std::string>& cells = columns[packet.Timestamp()];
      cells.resize(streams.size());
      absl::StrAppend(&cells[row], cells[row].empty() ? "" : ",",
                      CellText(packet));
    }
  }
  std::string head(name_width, ' ');
  std::vector<std::string> lines;
  for (const NamedStream& stream : streams) {
    lines.push_back(absl::StrCat(
        stream.name, std::string(name_width - stream.name.size(), ' ')));
  }
  int drawn = 0;
  for (auto& [timestamp, cells] : columns) {
    if (drawn++ == max_columns) {
      absl::StrAppend(&head, "  (", columns.size() - max_columns, " more)");
      break;
    }
    std::size_t width = TimeText(timestamp).size();
    for (std::string& cell : cells) {
      if (cell.size() > kMaxCell) cell.replace(kMaxCell - 2, cell.npos, "..");
      width = std::max(width, cell.size());
    }
    absl::StrAppend(&head, "  ", Pad(TimeText(timestamp), width));
    for (std::size_t row = 0; row < lines.size(); ++row) {
      absl::StrAppend(&lines[row], "  ", Pad(cells[row], width));
    }
  }
  std::string text = absl::StrCat(head, "\n");
  for (std::string& line : lines) {
    while (!line.empty() && line.back() == ' ') line.pop_back();
    absl::StrAppend(&text, line, "\n");
  }
  return text;
}

}  // namespace syncline
