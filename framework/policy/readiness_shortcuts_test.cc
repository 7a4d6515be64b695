// Every way in which the engine decides whether a node may be called agrees
// with the default rule, in all small cases: up to three queues, and every
// sequence of a few arrivals, bounds, ends and calls.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/default_policy.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/single_input_readiness.h"
#include "framework/stream/input_queue.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using State = Readiness::State;

// The rule: what is the earliest time at which some input still has something
// to say, and does every input that may say something then have its packet?
Readiness Rule(absl::Span<InputQueue> queues) {
  Timestamp earliest = Timestamp::Done();
  for (const InputQueue& queue : queues) {
    earliest = std::min(earliest, queue.MinTimestampOrBound());
  }
  if (earliest >= Timestamp::OneOverPostStream()) {
    return {State::kClose, earliest};
  }
  for (const InputQueue& queue : queues) {
    if (queue.MinTimestampOrBound() == earliest && queue.empty()) {
      return {State::kWait, earliest};
    }
  }
  return {State::kProcess, earliest};
}

// What can happen: for each queue five things, and a call.
constexpr int kEventsOfQueue = 5;

class Replay {
 public:
  explicit Replay(int num_queues)
      : storage_(std::make_unique<InputQueue[]>(num_queues)),
        queues_(storage_.get(), num_queues),
        kept_(queues_, /*process_timestamp_bounds=*/false) {}

  // False if this cannot happen now.
  bool Do(int event) {
    absl::StrAppend(&story_, " ", event);
    if (event == static_cast<int>(queues_.size()) * kEventsOfQueue) {
      return Call();
    }
    const int slot = event / kEventsOfQueue;
    InputQueue& queue = queues_[slot];
    const Timestamp bound = std::max(queue.bound(), Timestamp(0));
    if (bound >= Timestamp::OneOverPostStream()) return false;
    switch (event % kEventsOfQueue) {
      case 0:
        return Add(slot, bound);
      case 1:
        return Add(slot, bound + 2);
      case 2:
        queue.RaiseBound(bound + 1);
        break;
      case 3:
        queue.RaiseBound(bound + 2);
        break;
      case 4:
        queue.RaiseBound(Timestamp::Done());
        break;
    }
    kept_.OnChange(slot);
    return true;
  }

  void Compare() {
    const Readiness expected = Rule(queues_);
    Expect(kept_.Evaluate(), expected, "the set that is kept up to date");
    Expect(InputSetReadiness(queues_, false).Evaluate(), expected, "a new set");
    if (queues_.size() > 1) return;
    Expect(EvaluateSingleInput(queues_[0]), expected, "a single input");
  }

 private:
  bool Add(int slot, Timestamp timestamp) {
    InputQueue& queue = queues_[slot];
    Packet packet = MakePacket<int>(1).At(timestamp);
    if (queue.CanPass(timestamp)) {
      queue.AddFirst(std::move(packet), timestamp);
      kept_.OnFirstPacket(slot, timestamp);
    } else {
      EXPECT_EQ(queue.Add(std::move(packet)), InputQueue::Added::kOk);
      kept_.OnChange(slot);
    }
    return true;
  }
  bool Call() {
    const Readiness readiness = Rule(queues_);
    if (readiness.state != State::kProcess) return false;
    for (size_t slot = 0; slot < queues_.size(); ++slot) {
      if (queues_[slot].MinTimestampOrBound() != readiness.timestamp) continue;
      queues_[slot].TakeAt(readiness.timestamp);
      kept_.OnChange(static_cast<int>(slot));
    }
    return true;
  }
  void Expect(const Readiness& is, const Readiness& expected,
              const std::string& who) {
    ASSERT_EQ(static_cast<int>(is.state), static_cast<int>(expected.state))
        << who << " after" << story_;
    ASSERT_EQ(is.timestamp, expected.timestamp) << who << " after" << story_;
  }

  const std::unique_ptr<InputQueue[]> storage_;
  const absl::Span<InputQueue> queues_;
  InputSetReadiness kept_;
  std::string story_;
};

// All sequences of `length` events. Returns how many could happen.
int TryAll(int num_queues, int length) {
  const int num_events = num_queues * kEventsOfQueue + 1;
  std::vector<int> events(length, 0);
  int tried = 0;
  for (;;) {
    Replay replay(num_queues);
    replay.Compare();
    bool happens = true;
    for (size_t i = 0; happens && i < events.size(); ++i) {
      happens = replay.Do(events[i]);
      replay.Compare();
    }
    tried += happens ? 1 : 0;
    if (::testing::Test::HasFatalFailure()) return tried;
    size_t i = 0;
    while (i < events.size() && ++events[i] == num_events) events[i++] = 0;
    if (i == events.size()) return tried;
  }
}

TEST(ReadinessShortcutsTest, OneInputAgreesWithTheRule) {
  EXPECT_GT(TryAll(1, 6), 10'000);
}

TEST(ReadinessShortcutsTest, JoinsOfTwoAgreeWithTheRule) {
  EXPECT_GT(TryAll(2, 4), 5'000);
}

TEST(ReadinessShortcutsTest, JoinsOfThreeAgreeWithTheRule) {
  EXPECT_GT(TryAll(3, 4), 20'000);
}

}  // namespace
}  // namespace syncline
