#include "framework/plan/name_index.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace syncline {
namespace {

struct Record {
  std::string name;
};

TEST(NameIndexTest, AnEmptyIndexFindsNothing) {
  EXPECT_EQ(NameIndex().Find(std::vector<Record>(), "a"), -1);
}

TEST(NameIndexTest, FindsEachOfManyRecords) {
  std::vector<Record> records;
  NameIndex index;
  for (int i = 0; i < 1000; ++i) {
    records.push_back({absl::StrCat("n", i)});
    ASSERT_EQ(index.Add(records, i), i);
  }
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(index.Find(records, absl::StrCat("n", i)), i);
  }
  EXPECT_EQ(index.Find(records, "n1000"), -1);
  EXPECT_EQ(index.Find(records, ""), -1);
}

TEST(NameIndexTest, OfRecordsWithOneNameTheFirstCounts) {
  std::vector<Record> records = {{"a"}, {"b"}, {"a"}};
  NameIndex index;
  index.AddAll(records);
  EXPECT_EQ(index.Find(records, "a"), 0);
  EXPECT_EQ(index.Add(records, 2), 0);
}

}  // namespace
}  // namespace syncline
