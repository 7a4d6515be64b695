// Every way in which the engine decides whether a node may be called agrees
// with the default rule, in all small cases: up to three queues, and every
// sequence of a few arrivals, bounds, ends and calls.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/port_layout.h"
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
// to say, and does every input that may say something then have its packet? If
// not, and bounds are processed, there is a call at the time before, unless one
// was there already.
Readiness Rule(absl::Span<InputQueue> queues, bool process_bounds,
               Timestamp last_taken) {
  Timestamp earliest = Timestamp::Done();
  for (const InputQueue& queue : queues) {
    earliest = std::min(earliest, queue.MinTimestampOrBound());
  }
  if (earliest >= Timestamp::OneOverPostStream()) {
    return {State::kClose, earliest};
  }
  for (const InputQueue& queue : queues) {
    if (queue.MinTimestampOrBound() != earliest || !queue.empty()) continue;
    const Timestamp settled = earliest.PreviousAllowedInStream();
    if (process_bounds && settled > last_taken) {
      return {State::kProcess, settled};
    }
    return {State::kWait, earliest};
  }
  return {State::kProcess, earliest};
}

// What can happen: for each queue seven things, and a call.
constexpr int kEventsOfQueue = 7;

std::vector<std::string> PortNames(int size) {
  std::vector<std::string> names;
  for (int port = 0; port < size; ++port) {
    names.push_back(absl::StrCat("s", port));
  }
  return names;
}

class Replay {
 public:
  // `inputs` have a stream for each queue.
  Replay(InputStreamSet* inputs, bool process_bounds)
      : process_bounds_(process_bounds),
        inputs_(*inputs),
        storage_(std::make_unique<InputQueue[]>(inputs->NumEntries())),
        queues_(storage_.get(), inputs->NumEntries()),
        kept_(queues_, process_bounds),
        noted_(queues_, process_bounds) {}

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
        return bound.IsRangeValue() && Add(slot, bound + 2);
      case 2:
        return Raise(slot, bound.NextAllowedInStream());
      case 3:
        return bound.IsRangeValue() && Raise(slot, bound + 2);
      case 4:
        return Raise(slot, Timestamp::Done());
      case 5:
        return queue.bound() <= Timestamp::PreStream() &&
               Add(slot, Timestamp::PreStream());
      default:
        return bound < Timestamp::PostStream() &&
               Add(slot, Timestamp::PostStream());
    }
  }

  void Compare() {
    Expect(kept_.Evaluate(), last_taken_, "the set that is kept up to date");
    Expect(InputSetReadiness(queues_, process_bounds_).Evaluate(),
           Timestamp::Unstarted(), "a new set");
    Expect(noted_.Evaluate(), Timestamp::Unstarted(),
           "the set that is told of each change");
    if (queues_.size() > 1 || process_bounds_) return;
    Expect(EvaluateSingleInput(queues_[0]), last_taken_, "a single input");
  }

 private:
  bool Add(int slot, Timestamp timestamp) {
    InputQueue& queue = queues_[slot];
    Packet packet = MakePacket<int>(1).At(timestamp);
    if (queue.CanAddFirst(timestamp)) {
      queue.AddFirst(std::move(packet), timestamp);
      kept_.OnFirstPacket(slot, timestamp);
    } else {
      EXPECT_EQ(queue.Add(std::move(packet)), InputQueue::Added::kOk);
      kept_.OnChange(slot);
    }
    noted_.OnChange(slot);
    return true;
  }
  bool Raise(int slot, Timestamp bound) {
    queues_[slot].RaiseBound(bound);
    kept_.OnChange(slot);
    noted_.OnChange(slot);
    return true;
  }
  bool Call() {
    const Readiness readiness = Rule(queues_, process_bounds_, last_taken_);
    if (readiness.state != State::kProcess) return false;
    last_taken_ = readiness.timestamp;
    kept_.Take(last_taken_, &inputs_);
    for (int slot = 0; slot < static_cast<int>(queues_.size()); ++slot) {
      noted_.OnChange(slot);
      const Packet& packet = inputs_.Get(slot).Value();
      EXPECT_TRUE(packet.IsEmpty() || packet.Timestamp() == last_taken_)
          << story_;
      EXPECT_EQ(queues_[slot].dropped(), 0) << story_;
    }
    return true;
  }
  void Expect(const Readiness& is, Timestamp last_taken, const char* who) {
    const Readiness expected = Rule(queues_, process_bounds_, last_taken);
    ASSERT_EQ(static_cast<int>(is.state), static_cast<int>(expected.state))
        << who << " after" << story_;
    ASSERT_EQ(is.timestamp, expected.timestamp) << who << " after" << story_;
  }

  const bool process_bounds_;
  InputStreamSet& inputs_;
  const std::unique_ptr<InputQueue[]> storage_;
  const absl::Span<InputQueue> queues_;
  InputSetReadiness kept_;   // takes the input sets
  InputSetReadiness noted_;  // only sees what changes
  Timestamp last_taken_ = Timestamp::Unstarted();
  std::string story_;
};

// All sequences of `length` events. Returns how many could happen.
int TryAll(int num_queues, int length, bool process_bounds) {
  const int num_events = num_queues * kEventsOfQueue + 1;
  InputStreamSet inputs =
      MakeInputStreams(*PortLayout::Create(PortNames(num_queues)));
  std::vector<int> events(length, 0);
  int tried = 0;
  int changed = 0;  // the events before this one are those of the last sequence
  for (;;) {
    Replay replay(&inputs, process_bounds);
    if (tried == 0) replay.Compare();
    int done = 0;
    while (done < length && replay.Do(events[done])) {
      if (done++ >= changed) replay.Compare();
    }
    if (done == length) ++tried;
    if (::testing::Test::HasFailure()) return tried;
    // What comes behind an event that cannot happen need not be tried.
    changed = std::min(done, length - 1);
    std::fill(events.begin() + changed + 1, events.end(), 0);
    while (++events[changed] == num_events) {
      events[changed] = 0;
      if (--changed < 0) return tried;
    }
  }
}

class ReadinessShortcutsTest : public ::testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(ProcessTimestampBounds, ReadinessShortcutsTest,
                         ::testing::Bool());

TEST_P(ReadinessShortcutsTest, OneInputAgreesWithTheRule) {
  EXPECT_GT(TryAll(1, 6, GetParam()), 10'000);
}

TEST_P(ReadinessShortcutsTest, JoinsOfTwoAgreeWithTheRule) {
  EXPECT_GT(TryAll(2, 4, GetParam()), 5'000);
}

TEST_P(ReadinessShortcutsTest, JoinsOfThreeAgreeWithTheRule) {
  EXPECT_GT(TryAll(3, 4, GetParam()), 20'000);
}

}  // namespace
}  // namespace syncline
