#include "framework/node/node_row.h"

#include <cstddef>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(NodeRowTest, IsEmptyAtFirst) {
  const NodeRow row;
  EXPECT_EQ(row.call().start, nullptr);
  EXPECT_EQ(row.call().lines, 0);
  EXPECT_EQ(row.num_readers(), 0);
  row.FetchCall();
  row.FetchReaders();
}

TEST(NodeRowTest, KeepsTheCallAndTheFirstReadersApart) {
  NodeRow row;
  int places[6];
  for (int i = 1; i < 6; ++i) row.AddReader({.start = &places[i], .lines = i});
  row.SetCall({.start = &places[0], .lines = 9});
  EXPECT_EQ(row.call().start, &places[0]);
  EXPECT_EQ(row.call().lines, 9);
  ASSERT_EQ(row.num_readers(), NodeRow::kMostReaders);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(row.reader(i).start, &places[i + 1]);
    EXPECT_EQ(row.reader(i).lines, i + 1);
  }
  row.FetchCall();
  row.FetchReaders();
}

TEST(NodeRowTest, VeryManyLinesAreNotToldExactly) {
  NodeRow row;
  int place = 0;
  row.SetCall({.start = &place, .lines = 254});
  EXPECT_EQ(row.call().lines, 254);
  row.SetCall({.start = &place, .lines = 1000});
  EXPECT_EQ(row.call().lines, 255);
}

}  // namespace
}  // namespace syncline
