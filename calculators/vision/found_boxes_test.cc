#include "calculators/vision/found_boxes.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"

namespace syncline {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(GroupFoundBoxesTest, WhereNothingWasFoundThereIsNoGroup) {
  EXPECT_THAT(GroupFoundBoxes({}, 2), IsEmpty());
  EXPECT_THAT(GroupFoundBoxes({}, 0), IsEmpty());
}

TEST(GroupFoundBoxesTest, BoxesThatAreAlikeBecomeTheirMean) {
  const std::vector<FoundBox> groups =
      GroupFoundBoxes({{.box = {10, 20, 100, 100}, .weight = 1},
                       {.box = {14, 24, 100, 100}, .weight = 3},
                       {.box = {12, 22, 100, 100}, .weight = 2},
                       {.box = {300, 300, 50, 50}, .weight = 9}},
                      /*min_neighbors=*/2);
  ASSERT_THAT(groups, SizeIs(1)) << "the last box has no neighbors";
  EXPECT_EQ(groups[0].box, cv::Rect(12, 22, 100, 100));
  EXPECT_EQ(groups[0].weight, 3);
  EXPECT_EQ(groups[0].agreeing, 3);
}

TEST(GroupFoundBoxesTest, TheOrderOfTheBoxesDoesNotMatter) {
  const std::vector<FoundBox> boxes = {{.box = {200, 0, 40, 40}},
                                       {.box = {0, 0, 40, 40}}};
  for (const int min_neighbors : {0, 1}) {
    std::vector<FoundBox> doubled = boxes;
    if (min_neighbors > 0) {
      doubled.insert(doubled.end(), boxes.begin(), boxes.end());
    }
    const std::vector<FoundBox> groups =
        GroupFoundBoxes(doubled, min_neighbors);
    ASSERT_THAT(groups, SizeIs(2));
    EXPECT_EQ(groups[0].box.x, 0);
    EXPECT_EQ(groups[1].box.x, 200);
  }
}

}  // namespace
}  // namespace syncline
