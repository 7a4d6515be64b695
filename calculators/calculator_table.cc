#include "calculators/calculator_table.h"

#include <cstddef>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_registry.h"
#include "framework/deps/registration.h"

namespace syncline {
namespace {

// What stands between backquotes.
std::vector<std::string> Quoted(const std::string& cell) {
  std::vector<std::string> result;
  const std::vector<std::string> parts = absl::StrSplit(cell, '`');
  for (std::size_t i = 1; i < parts.size(); i += 2) result.push_back(parts[i]);
  return result;
}

std::vector<Row> ReadTable() {
  std::ifstream file("calculators/README.md");
  std::vector<Row> rows;
  std::string line;
  bool needs_opencv = false;
  while (std::getline(file, line)) {
    if (absl::StartsWith(line, "#")) {
      needs_opencv = absl::StrContains(line, "OpenCV");
    }
    const std::vector<std::string> cells = absl::StrSplit(line, '|');
    if (cells.size() != 7 || !absl::StrContains(cells[1], "Calculator`")) {
      continue;
    }
    const std::vector<std::string> target = Quoted(cells[2]);
    const std::vector<std::string> options = Quoted(cells[4]);
    rows.push_back({Quoted(cells[1]), target.empty() ? "" : target[0], cells[3],
                    options.empty() ? "" : options[0], needs_opencv});
  }
  return rows;
}

}  // namespace

std::map<std::string, std::string> RegisteredCalculators() {
  const NameRegistry& registry = NameRegistry::Get(
      TypeIdOf<std::unique_ptr<CalculatorBaseFactory>()>().name());
  std::map<std::string, std::string> result;
  for (const std::string& name :
       CalculatorBaseRegistry::functions()->GetRegisteredNames()) {
    const auto entry = registry.Find("", name);
    if (!entry.ok() || !absl::StartsWith(entry->origin, "calculators/") ||
        absl::StrContains(entry->origin, "_test.cc")) {
      continue;
    }
    result[name] = entry->origin;
  }
  return result;
}

std::map<std::string, Row> RowsByName() {
  std::map<std::string, Row> result;
  for (const Row& row : ReadTable()) {
    for (const std::string& name : row.names) result[name] = row;
  }
  return result;
}

}  // namespace syncline
