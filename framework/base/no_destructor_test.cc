#include "framework/base/no_destructor.h"

#include <map>
#include <string>

#include "gtest/gtest.h"

namespace syncline {
namespace {

struct CountsDestructions {
  explicit CountsDestructions(int* count) : count(count) {}
  ~CountsDestructions() { ++*count; }
  int* count;
};

TEST(NoDestructorTest, TheValueIsNeverDestroyed) {
  int count = 0;
  {
    NoDestructor<CountsDestructions> object(&count);
    EXPECT_EQ(object->count, &count);
  }
  EXPECT_EQ(count, 0);
}

TEST(NoDestructorTest, TheValueIsReachedLikeThroughAPointer) {
  // Short enough that the text needs no memory that would be leaked.
  NoDestructor<std::string> text(3, 'a');
  EXPECT_EQ(*text, "aaa");
  text->push_back('b');
  const auto& constant = text;
  EXPECT_EQ(*constant.get(), "aaab");
}

TEST(NoDestructorTest, TheValueIsAlsoMadeFromAListInBraces) {
  static const NoDestructor<std::map<int, int>> map({{1, 2}, {3, 4}});
  EXPECT_EQ(map->at(3), 4);
}

}  // namespace
}  // namespace syncline
