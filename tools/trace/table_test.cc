#include "tools/trace/table.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Report SmallReport() {
  Report report;
  report.key = "small";
  report.sentences = {"one sentence"};
  report.values = {{"answer", std::int64_t{42}}};
  Table table = {"things",
                 "all things",
                 {{"name", "name", Column::kText},
                  {"count", "count", Column::kCount},
                  {"took_ns", "took", Column::kNanoseconds},
                  {"share", "share", Column::kShare},
                  {"hidden", "", Column::kCount}}};
  table.rows = {
      {"a", std::int64_t{3}, std::int64_t{1500}, 0.25, std::int64_t{7}},
      {"b, \"c\"", std::int64_t{12}, Cell(), 1.0, std::int64_t{8}}};
  Table other = {"others", "others", {{"name", "name", Column::kText}}};
  report.tables = {table, other};
  report.notes = {"one note"};
  return report;
}

TEST(TableTest, TextHasColumns) {
  EXPECT_EQ(ReportText(SmallReport(), 80),
            "one sentence\n"
            "\n"
            "all things\n"
            "  name    count     took    share\n"
            "  a           3  1.50 us   25.0 %\n"
            "  b, \"c\"     12        -  100.0 %\n"
            "\n"
            "one note\n");
}

TEST(TableTest, LongNamesAreCutShortInTheMiddle) {
  Report report = SmallReport();
  report.tables[0].rows[0][0] =
      std::string("a_name_that_is_very_long/and_has_an_end_that_matters_1");
  const std::string text = ReportText(report, 60);
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    EXPECT_LE(line.size(), 60) << line;
  }
  EXPECT_THAT(text, HasSubstr("a_name_"));
  EXPECT_THAT(text, HasSubstr("matters_1 "));
  EXPECT_THAT(text, HasSubstr(".."));
}

TEST(TableTest, CharactersAreNotCutInTwo) {
  Report report = SmallReport();
  std::string name;
  for (int i = 0; i < 60; ++i) name += "\u00e4";
  report.tables[0].rows[0][0] = name;
  // The encoder of JSON refuses what is no UTF-8.
  const nlohmann::json json = ReportText(report, 50);
  EXPECT_NO_THROW(json.dump());
}

TEST(TableTest, LinesOfTheirOwnAreWrapped) {
  Report report;
  Table table = {
      "paths",
      "paths",
      {{"path", "path", Column::kLine}, {"count", "count", Column::kCount}}};
  const std::string path = "aaaaaaaa -> bbbbbbbb -> cccccccc -> dddddddd";
  table.rows = {{path, std::int64_t{1}},
                {path, std::int64_t{2}},
                {"other", std::int64_t{3}}};
  report.tables = {table};
  EXPECT_EQ(ReportText(report, 30),
            "paths\n"
            "  count\n"
            "  aaaaaaaa -> bbbbbbbb ->\n"
            "      cccccccc -> dddddddd\n"
            "      1\n"
            "      2\n"
            "  other\n"
            "      3\n");
}

TEST(TableTest, NamesAreNoCommandsToATerminal) {
  Report report = SmallReport();
  report.tables[0].rows[0][0] = std::string("x\x1b[2J\ny");
  report.sentences = {"s\x1b[2J", "t\xc2\x9b"};
  report.tables[0].rows[1][0] = std::string("u\xc2\x9b");
  for (const std::string& text :
       {ReportText(report, 80), ReportJson(report), *ReportCsv(report, "")}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\x9b")));
  }
  EXPECT_THAT(ReportText(report, 80), HasSubstr("x\\x1b[2J\\ny"));
}

TEST(TableTest, JsonHasAllColumns) {
  const nlohmann::json json = nlohmann::json::parse(ReportJson(SmallReport()));
  EXPECT_EQ(json["report"], "small");
  EXPECT_EQ(json["answer"], 42);
  EXPECT_EQ(json["things"][1]["name"], "b, \"c\"");
  EXPECT_EQ(json["things"][0]["took_ns"], 1500);
  EXPECT_TRUE(json["things"][1]["took_ns"].is_null());
  EXPECT_EQ(json["things"][0]["share"], 0.25);
  EXPECT_EQ(json["things"][1]["hidden"], 8);
  EXPECT_TRUE(json["others"].is_array());
}

TEST(TableTest, JsonOfNamesThatAreNoUtf8CanBeParsed) {
  Report report = SmallReport();
  report.tables[0].rows[0][0] = std::string("\xff\xc3");
  EXPECT_NO_THROW(nlohmann::json::parse(ReportJson(report)));
}

TEST(TableTest, CsvQuotesWhereItHasTo) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::string csv,
                                ReportCsv(SmallReport(), ""));
  EXPECT_EQ(csv,
            "name,count,took_ns,share,hidden\n"
            "a,3,1500,0.25,7\n"
            "\"b, \"\"c\"\"\",12,,1,8\n");
}

TEST(TableTest, CsvHasTheTableThatIsAskedFor) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::string csv,
                                ReportCsv(SmallReport(), "others"));
  EXPECT_EQ(csv, "name\n");
  const auto unknown = ReportCsv(SmallReport(), "thing");
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("\"things\""));
}

TEST(TableTest, OneIsNoPlural) {
  EXPECT_EQ(CountText(0, "node"), "0 nodes");
  EXPECT_EQ(CountText(1, "node"), "1 node");
  EXPECT_EQ(CountText(2, "node"), "2 nodes");
}

TEST(TableTest, DurationsHaveThreeDigits) {
  EXPECT_EQ(DurationText(0), "0 ns");
  EXPECT_EQ(DurationText(999), "999 ns");
  EXPECT_EQ(DurationText(1000), "1.00 us");
  EXPECT_EQ(DurationText(12345), "12.3 us");
  EXPECT_EQ(DurationText(999499), "999 us");
  EXPECT_EQ(DurationText(999600), "1.00 ms");
  EXPECT_EQ(DurationText(-2500000), "-2.50 ms");
  EXPECT_EQ(DurationText(123456789012), "123 s");
  EXPECT_EQ(DurationText(std::numeric_limits<std::int64_t>::max()),
            "9223372037 s");
}

}  // namespace
}  // namespace syncline
