// The table of README.md has every calculator, and its contents are true.

#include "calculators/calculator_table.h"

#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_registry.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(CalculatorTableTest, NamesEveryCalculatorAndItsTarget) {
  const std::map<std::string, Row> rows = RowsByName();
  for (const auto& [name, origin] : RegisteredCalculators()) {
    const auto row = rows.find(name);
    ASSERT_NE(row, rows.end())
        << "calculators/README.md has no row for " << name;
    // "calculators/core/gate_calculator.cc:42"
    const std::string target = absl::StrCat(
        "calculators/",
        std::vector<std::string>(absl::StrSplit(row->second.target, ':'))[0],
        "/",
        std::vector<std::string>(absl::StrSplit(row->second.target, ':'))[1],
        ".cc:");
    EXPECT_TRUE(absl::StartsWith(origin, target))
        << name << " is registered in " << origin;
  }
}

TEST(CalculatorTableTest, NamesNothingElse) {
  for (const auto& [name, row] : RowsByName()) {
    if (!row.is_here()) continue;
    EXPECT_TRUE(CalculatorBaseRegistry::IsRegistered(name)) << name;
    if (row.options.empty()) continue;
    EXPECT_NE(google::protobuf::DescriptorPool::generated_pool()
                  ->FindMessageTypeByName("syncline." + row.options),
              nullptr)
        << row.options;
  }
}

}  // namespace
}  // namespace syncline
