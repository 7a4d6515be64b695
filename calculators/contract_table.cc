#include "calculators/contract_table.h"

#include <cstddef>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// Splits at `separator`, but not within <>, {} and quotes.
std::vector<std::string> SplitOutside(const std::string& text, char separator) {
  std::vector<std::string> parts = {""};
  int depth = 0;
  bool is_quoted = false;
  for (const char c : text) {
    is_quoted = is_quoted != (c == '"');
    depth += (c == '<' || c == '{') - (c == '>' || c == '}');
    if (c == separator && depth == 0 && !is_quoted) {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  std::vector<std::string> result;
  for (const std::string& part : parts) {
    result.emplace_back(absl::StripAsciiWhitespace(part));
  }
  return result;
}

std::vector<std::string> Entries(const std::string& cell) {
  if (cell.empty()) return {};
  return SplitOutside(cell, ',');
}

Port ReadPort(const std::string& entry) {
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(entry, absl::MaxSplits(' ', 1));
  absl::string_view type = parts.second;
  const bool may_be_left_out = absl::ConsumeSuffix(&type, "?");
  return {parts.first, std::string(type), may_be_left_out};
}

Contract ReadContract(std::string place,
                      const std::vector<std::string>& cells) {
  Contract contract;
  contract.place = std::move(place);
  contract.calculator = cells[0];
  for (std::size_t i = 1; i <= 4; ++i) {
    contract.ports.emplace_back();
    for (const std::string& entry : Entries(cells[i])) {
      contract.ports.back().push_back(ReadPort(entry));
    }
  }
  for (const std::string& entry : Entries(cells[5])) {
    if (absl::StartsWith(entry, "{")) {
      contract.options = entry;
    } else {
      contract.more.insert(entry);
    }
  }
  return contract;
}

}  // namespace

ContractTable ReadContracts(const std::string& folder) {
  ContractTable table;
  const std::string path =
      absl::StrCat("calculators/", folder, "/contracts.txt");
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::string place = absl::StrCat(path, ":", number);
    const std::vector<std::string> cells = SplitOutside(line, '|');
    absl::string_view name = cells[0];
    if (absl::ConsumePrefix(&name, "options ")) {
      OptionsRow row{std::move(place), std::string(name), {}};
      EXPECT_EQ(cells.size(), 2u) << row.place;
      for (const std::string& field : Entries(cells.back())) {
        row.fields.emplace_back(absl::StripSuffix(field, " (ours)"));
      }
      table.options.push_back(std::move(row));
      continue;
    }
    if (cells.size() != 6) {
      ADD_FAILURE() << place << ": there are " << cells.size()
                    << " cells instead of 6";
      continue;
    }
    table.contracts.push_back(ReadContract(std::move(place), cells));
  }
  return table;
}

}  // namespace syncline
