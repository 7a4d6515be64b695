#include "tools/trace/table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "framework/base/nearest_names.h"
#include "nlohmann/json.hpp"
#include "tools/exit_status.h"

namespace syncline {
namespace {

constexpr absl::string_view kIndent = "  ";
constexpr std::size_t kLeastNameWidth = 8;

bool IsText(Column::Kind kind) {
  return kind == Column::kText || kind == Column::kLine;
}

// A change has a sign.
std::string ChangeText(std::int64_t ns) {
  return ns > 0 ? absl::StrCat("+", DurationText(ns)) : DurationText(ns);
}

std::string CellText(const Cell& cell, Column::Kind kind) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return ShownName(*text);
  }
  if (const auto* number = std::get_if<std::int64_t>(&cell)) {
    return kind == Column::kNanoseconds ? DurationText(*number)
           : kind == Column::kChange    ? ChangeText(*number)
                                        : absl::StrCat(*number);
  }
  if (const auto* number = std::get_if<double>(&cell)) {
    return kind == Column::kShare ? absl::StrFormat("%.1f %%", *number * 100)
                                  : absl::StrFormat("%.2f", *number);
  }
  return "-";
}

// Characters, where each is one place wide, as in UTF-8.
std::size_t WidthOf(absl::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// The first, or the last, characters of a text.
absl::string_view First(absl::string_view text, std::size_t width) {
  std::size_t end = 0;
  while (end < text.size()) {
    std::size_t next = end + 1;
    while (next < text.size() && WidthOf(text.substr(next, 1)) == 0) ++next;
    if (width-- == 0) break;
    end = next;
  }
  return text.substr(0, end);
}
absl::string_view Last(absl::string_view text, std::size_t width) {
  const std::size_t all = WidthOf(text);
  if (all <= width) return text;
  return text.substr(First(text, all - width).size());
}

// Cut short in the middle, as names often differ at their ends.
std::string Fitted(const std::string& text, std::size_t width) {
  if (WidthOf(text) <= width) return text;
  const std::size_t kept = width - 2;
  return absl::StrCat(First(text, kept / 2), "..", Last(text, kept - kept / 2));
}

// Wrapped at spaces. A word that is too long is left so.
std::string Wrapped(absl::string_view text, std::size_t width,
                    absl::string_view indent) {
  std::string lines;
  std::size_t used = 0;
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    const std::size_t size = WidthOf(word);
    if (used > 0 && used + 1 + size > width) {
      absl::StrAppend(&lines, "\n", indent);
      used = indent.size();
    } else if (used > 0) {
      lines += " ";
      ++used;
    }
    absl::StrAppend(&lines, word);
    used += size;
  }
  return lines + "\n";
}

std::string Padded(const std::string& text, std::size_t width, bool left) {
  const std::size_t size = WidthOf(text);
  const std::string space(width > size ? width - size : 0, ' ');
  return left ? absl::StrCat(text, space) : absl::StrCat(space, text);
}

// The texts of a table, and how wide its columns are.
class TextTable {
 public:
  TextTable(const Table& table, std::size_t width)
      : table_(table), width_(width) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Column& column = table.columns[i];
      if (column.head.empty() || column.kind == Column::kLine) continue;
      shown_.push_back(i);
      widths_.push_back(WidthOf(column.head));
      for (const std::vector<Cell>& row : table.rows) {
        widths_.back() =
            std::max(widths_.back(), WidthOf(CellText(row[i], column.kind)));
      }
    }
    Narrow();
  }

  std::string Text() const {
    std::string text = Wrapped(ShownName(table_.title), width_, kIndent);
    std::vector<std::string> heads;
    for (const std::size_t i : shown_) {
      heads.push_back(table_.columns[i].head);
    }
    absl::StrAppend(&text, Line(heads));
    for (std::size_t number = 0; number < table_.rows.size(); ++number) {
      const std::vector<Cell>& row = table_.rows[number];
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (table_.columns[i].kind != Column::kLine) continue;
        // Rows that share it stand below one line.
        if (number > 0 && table_.rows[number - 1][i] == row[i]) continue;
        absl::StrAppend(&text, kIndent,
                        Wrapped(CellText(row[i], Column::kLine),
                                width_ - kIndent.size(), "      "));
      }
      std::vector<std::string> cells;
      for (const std::size_t i : shown_) {
        cells.push_back(CellText(row[i], table_.columns[i].kind));
      }
      absl::StrAppend(&text, Line(cells));
    }
    return text;
  }

 private:
  // Takes places from the widest columns of names, until all fit.
  void Narrow() {
    std::size_t all = 0;
    for (const std::size_t width : widths_) all += kIndent.size() + width;
    while (all > width_) {
      std::size_t* widest = nullptr;
      for (std::size_t i = 0; i < shown_.size(); ++i) {
        if (!IsText(table_.columns[shown_[i]].kind)) continue;
        if (widest == nullptr || widths_[i] > *widest) widest = &widths_[i];
      }
      if (widest == nullptr || *widest <= kLeastNameWidth) return;
      --*widest;
      --all;
    }
  }

  std::string Line(const std::vector<std::string>& cells) const {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      absl::StrAppend(&line, kIndent,
                      Padded(Fitted(cells[i], widths_[i]), widths_[i],
                             IsText(table_.columns[shown_[i]].kind)));
    }
    absl::StripTrailingAsciiWhitespace(&line);
    return line + "\n";
  }

  const Table& table_;
  const std::size_t width_;
  // The positions of the columns that are shown, and their widths.
  std::vector<std::size_t> shown_;
  std::vector<std::size_t> widths_;
};

nlohmann::ordered_json JsonOf(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return *number;
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return nullptr;
}

// Quoted where it has to be.
std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

std::string CsvCell(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return CsvField(ShownName(*text));
  }
  if (const auto* number = std::get_if<std::int64_t>(&cell)) {
    return absl::StrCat(*number);
  }
  if (const auto* number = std::get_if<double>(&cell)) {
    return absl::StrFormat("%.9g", *number);
  }
  return "";
}

}  // namespace

std::string CountText(std::int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

std::string DurationText(std::int64_t ns) {
  constexpr std::pair<double, const char*> kUnits[] = {
      {1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
  for (const auto& [size, unit] : kUnits) {
    const double value = static_cast<double>(ns) / size;
    if (std::abs(value) < 0.9995) continue;
    const int digits = std::abs(value) < 9.995   ? 2
                       : std::abs(value) < 99.95 ? 1
                                                 : 0;
    return absl::StrFormat("%.*f %s", digits, value, unit);
  }
  return absl::StrCat(ns, " ns");
}

std::string ReportText(const Report& report, int width) {
  const auto places = static_cast<std::size_t>(std::max(20, width));
  std::string text;
  for (const std::string& sentence : report.sentences) {
    text += Wrapped(ShownName(sentence), places, kIndent);
  }
  for (const Table& table : report.tables) {
    if (table.rows.empty() || table.title.empty()) continue;
    absl::StrAppend(&text, text.empty() ? "" : "\n",
                    TextTable(table, places).Text());
  }
  if (!report.notes.empty()) text += "\n";
  for (const std::string& note : report.notes) {
    text += Wrapped(ShownName(note), places, kIndent);
  }
  return text;
}

std::string ReportJson(const Report& report) {
  nlohmann::ordered_json json;
  json["report"] = report.key;
  for (const auto& [key, cell] : report.values) json[key] = JsonOf(cell);
  for (const Table& table : report.tables) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const std::vector<Cell>& row : table.rows) {
      nlohmann::ordered_json object;
      for (std::size_t i = 0; i < row.size(); ++i) {
        object[table.columns[i].key] = JsonOf(row[i]);
      }
      rows.push_back(std::move(object));
    }
    json[table.key] = std::move(rows);
  }
  // Names may be no UTF-8, and nothing in them is a command to a terminal.
  return json.dump(2, ' ', /*ensure_ascii=*/true,
                   nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

absl::StatusOr<std::string> ReportCsv(const Report& report,
                                      absl::string_view key) {
  std::vector<std::string> keys;
  for (const Table& table : report.tables) {
    keys.push_back(table.key);
    if (!key.empty() && key != table.key) continue;
    std::vector<std::string> fields;
    for (const Column& column : table.columns) fields.push_back(column.key);
    std::string csv = absl::StrCat(absl::StrJoin(fields, ","), "\n");
    for (const std::vector<Cell>& row : table.rows) {
      fields.clear();
      for (const Cell& cell : row) fields.push_back(CsvCell(cell));
      absl::StrAppend(&csv, absl::StrJoin(fields, ","), "\n");
    }
    return csv;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--table: this report has no table \"", ShownName(key),
                   "\".", DidYouMeanOrKnownText(std::string(key), keys)));
}

}  // namespace syncline
