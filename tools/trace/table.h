// Table: what a report has to say, apart from how it is shown: as text for a
// terminal, as JSON, or as CSV.
//
// Thread rule: values and free functions.
// Tested by table_test.

#ifndef SYNCLINE_TOOLS_TRACE_TABLE_H_
#define SYNCLINE_TOOLS_TRACE_TABLE_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {

struct Column {
  enum Kind {
    // Cells are strings.
    kText,
    // A string that stands in a line of its own above the row, or above all
    // rows that share it.
    kLine,
    // Cells are integers, but for empty ones.
    kCount,
    kNanoseconds,
    // Nanoseconds with a sign.
    kChange,
    // Cells are doubles: shares of 1, shown in percent.
    kShare,
    // Cells are doubles.
    kNumber,
  };

  // Of JSON and CSV, as in "mean_ns".
  std::string key;
  // Of text; empty: the column is left out there.
  std::string head;
  Kind kind = kText;
};

// Nothing, or what the column has.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double>;

struct Table {
  // Of JSON, and for --table.
  std::string key;
  // Of text. The table is left out there if it has no rows.
  std::string title;
  std::vector<Column> columns;
  // As many cells as there are columns.
  std::vector<std::vector<Cell>> rows;
};

struct Report {
  // Of JSON: the command.
  std::string key;
  // Of text: sentences that stand before the tables.
  std::vector<std::string> sentences;
  // Of JSON: single values.
  std::vector<std::pair<std::string, Cell>> values;
  std::vector<Table> tables;
  // Of text: sentences that stand behind the tables.
  std::vector<std::string> notes;
};

// Lines that fit into `width`, with line ends; names that do not fit are cut
// short in the middle. Nothing in it is a command to a terminal.
std::string ReportText(const Report& report, int width);

// One JSON object: the values, and an array of objects for each table.
std::string ReportJson(const Report& report);

// One table, with a line of heads, as in RFC 4180. `table` is its key, or empty
// for the first one. INVALID_ARGUMENT: the report has no such table.
absl::StatusOr<std::string> ReportCsv(const Report& report,
                                      absl::string_view table);

// "1 node", "2 nodes": the noun in the singular, which takes an s in the
// plural.
std::string CountText(std::int64_t count, absl::string_view noun);

// "1.23 ms": three digits, and the unit that fits.
std::string DurationText(std::int64_t ns);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_TABLE_H_
