#include "gpu/access_history.h"

#include <set>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::IsNull;
using ::testing::SizeIs;

AccessNote NoteOf(StreamId stream, std::uint64_t number, bool writes) {
  return {.at = {stream, number}, .writes = writes};
}

bool NothingIsOrdered(WorkPosition) { return false; }
bool AllIsOrdered(WorkPosition) { return true; }

TEST(AccessHistoryTest, NobodyWaitsForMemoryThatNobodyUsed) {
  const AccessHistory history;
  EXPECT_THAT(history.FirstUnordered(true, NothingIsOrdered), IsNull());
}

TEST(AccessHistoryTest, AReadWaitsForTheWriteAndNotForOtherReads) {
  AccessHistory history;
  history.Add(NoteOf(0, 1, false), AllIsOrdered);
  EXPECT_THAT(history.FirstUnordered(false, NothingIsOrdered), IsNull());
  history.Add(NoteOf(1, 1, true), AllIsOrdered);
  const AccessNote* const before =
      history.FirstUnordered(false, NothingIsOrdered);
  ASSERT_NE(before, nullptr);
  EXPECT_EQ(before->at.stream, 1u);
  EXPECT_THAT(history.FirstUnordered(false, AllIsOrdered), IsNull());
}

TEST(AccessHistoryTest, AWriteWaitsForTheReadsOfAllStreams) {
  AccessHistory history;
  history.Add(NoteOf(0, 1, true), AllIsOrdered);
  history.Add(NoteOf(1, 1, false), AllIsOrdered);
  history.Add(NoteOf(2, 1, false), AllIsOrdered);
  const auto all_but_2 = [](WorkPosition at) { return at.stream != 2; };
  const AccessNote* const before = history.FirstUnordered(true, all_but_2);
  ASSERT_NE(before, nullptr);
  EXPECT_EQ(before->at.stream, 2u);
}

TEST(AccessHistoryTest, KeepsOneReadOfEachStreamAndNoneFromBeforeTheWrite) {
  AccessHistory history;
  for (std::uint64_t i = 1; i < 100; ++i) {
    history.Add(NoteOf(i % 3, i, false), AllIsOrdered);
  }
  EXPECT_THAT(history.notes(), SizeIs(3));
  history.Add(NoteOf(0, 100, true), AllIsOrdered);
  EXPECT_THAT(history.notes(), SizeIs(1));
}

// Without checks, memory must not go back before a write that nobody awaited.
TEST(AccessHistoryTest, AWriteKeepsWhatItIsNotOrderedAfter) {
  AccessHistory history;
  history.Add(NoteOf(0, 1, true), AllIsOrdered);
  history.Add(NoteOf(1, 1, false), AllIsOrdered);
  history.Add(NoteOf(2, 1, true), NothingIsOrdered);
  EXPECT_THAT(history.notes(), SizeIs(3));
}

}  // namespace
}  // namespace syncline::gpu
