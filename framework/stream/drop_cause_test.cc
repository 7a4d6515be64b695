#include "framework/stream/drop_cause.h"

#include <cstddef>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(DropCauseTest, EachCauseHasATextOfItsOwn) {
  std::set<std::string> texts;
  for (std::size_t i = 0; i < kNumDropCauses; ++i) {
    texts.insert(std::string(DropCauseText(static_cast<DropCause>(i))));
  }
  EXPECT_EQ(texts.size(), kNumDropCauses);
  EXPECT_EQ(texts.count("dropped"), 0U) << "the text of what is no cause";
}

TEST(DropCauseTest, CountsByCause) {
  DropCounts counts;
  EXPECT_EQ(counts.total(), 0);
  counts.Add(DropCause::kByPolicy);
  counts.Add(DropCause::kByPolicy, 3);
  counts.Add(DropCause::kGoesBack);
  EXPECT_EQ(counts.of(DropCause::kByPolicy), 4);
  EXPECT_EQ(counts.of(DropCause::kGoesBack), 1);
  EXPECT_EQ(counts.of(DropCause::kAtEnd), 0);
  EXPECT_EQ(counts.total(), 5);
}

TEST(DropCauseTest, TheTextHasTheSumAndEachCause) {
  DropCounts counts;
  EXPECT_EQ(DroppedText(counts, "a"), "");
  counts.Add(DropCause::kAtEnd);
  EXPECT_EQ(DroppedText(counts, "a"),
            "1 packet of \"a\" (1 still waited when the run ended)");
  counts.Add(DropCause::kAfterClose, 2);
  EXPECT_EQ(DroppedText(counts, "a"),
            "3 packets of \"a\" (2 came after the node was closed, 1 still "
            "waited when the run ended)");
}

}  // namespace
}  // namespace syncline
