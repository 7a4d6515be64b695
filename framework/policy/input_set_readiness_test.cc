// InputSetReadiness by hand and at random against the rule in one line.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
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
#include "framework/stream/input_queue.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// The rule as it reads, with a look at every queue.
Readiness Scan(absl::Span<const InputQueue> queues, bool process_bounds,
               Timestamp last_taken) {
  Timestamp packet = Timestamp::Done();
  Timestamp bound = Timestamp::Done();
  for (const InputQueue& queue : queues) {
    Timestamp& lowest = queue.empty() ? bound : packet;
    lowest = std::min(lowest, queue.MinTimestampOrBound());
  }
  const Timestamp earliest = std::min(packet, bound);
  if (earliest >= Timestamp::OneOverPostStream()) {
    return {Readiness::State::kClose, earliest};
  }
  if (packet < bound) return {Readiness::State::kProcess, packet};
  const Timestamp settled = bound.PreviousAllowedInStream();
  if (process_bounds && settled > last_taken) {
    return {Readiness::State::kProcess, settled};
  }
  return {Readiness::State::kWait, earliest};
}

std::vector<std::string> PortNames(int size) {
  std::vector<std::string> names;
  for (int port = 0; port < size; ++port) {
    names.push_back(absl::StrCat("s", port));
  }
  return names;
}

// A set of queues with one stream for each.
class Join {
 public:
  explicit Join(int size, bool process_bounds = false)
      : queues_(size),
        inputs_(MakeInputStreams(*PortLayout::Create(PortNames(size)))),
        set_(absl::MakeSpan(queues_), process_bounds) {}

  // A packet for an empty queue takes the short way every other time.
  void Add(int port, Timestamp timestamp) {
    Packet packet = MakePacket<int>(port).At(timestamp);
    if (queues_[port].CanAddFirst(timestamp) && ++arrivals_ % 2 == 0) {
      queues_[port].AddFirst(std::move(packet), timestamp);
      return set_.OnFirstPacket(port, timestamp);
    }
    const bool was_empty = queues_[port].empty();
    queues_[port].Add(std::move(packet));
    if (was_empty) set_.OnChange(port);
  }
  void Bound(int port, Timestamp bound) {
    if (queues_[port].RaiseBound(bound) && queues_[port].empty()) {
      set_.OnChange(port);
    }
  }
  // All that is ready.
  int Take() {
    int calls = 0;
    for (Readiness readiness = set_.Evaluate();
         readiness.state == Readiness::State::kProcess;
         readiness = set_.Evaluate()) {
      set_.Take(readiness.timestamp, &inputs_);
      ++calls;
    }
    return calls;
  }

  std::vector<InputQueue> queues_;
  InputStreamSet inputs_;
  InputSetReadiness set_;
  int arrivals_ = 0;
};

void CompareWithScan(std::uint32_t seed) {
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const int size = 1 + static_cast<int>(random() % 5);
  const bool process_bounds = random() % 2 == 0;
  Join join(size, process_bounds);
  Timestamp last_taken = Timestamp::Unstarted();
  // A short range: times are to meet, bounds to be equal.
  const Timestamp first = random() % 8 == 0 ? Timestamp::Min() : Timestamp(0);
  for (int step = 0; step < 100; ++step) {
    const int port = static_cast<int>(random() % size);
    const InputQueue& queue = join.queues_[port];
    Timestamp time = queue.bound() < first ? first : queue.bound();
    if (time.IsRangeValue()) time += static_cast<int>(random() % 3);
    switch (random() % 8) {
      case 0:
      case 1:
      case 2:
        if (queue.bound() <= Timestamp::PostStream()) join.Add(port, time);
        break;
      case 3:
      case 4:
        join.Bound(port, time);
        break;
      case 5: {
        constexpr Timestamp kLast[] = {Timestamp::PreStream(), Timestamp::Max(),
                                       Timestamp::PostStream()};
        const Timestamp last = kLast[random() % 3];
        if (random() % 10 != 0 || last < queue.bound()) break;
        join.Add(port, last);
        break;
      }
      case 6:
        if (step > 80) join.Bound(port, Timestamp::Done());
        break;
      default: {
        const Readiness readiness = join.set_.Evaluate();
        if (readiness.state != Readiness::State::kProcess) break;
        last_taken = readiness.timestamp;
        join.set_.Take(last_taken, &join.inputs_);
        for (int taken = 0; taken < size; ++taken) {
          const Packet& packet = join.inputs_.Get(taken).Value();
          ASSERT_TRUE(packet.IsEmpty() || packet.Timestamp() == last_taken);
          ASSERT_EQ(join.queues_[taken].dropped(), 0);
        }
      }
    }
    ASSERT_EQ(join.set_.Evaluate(),
              Scan(join.queues_, process_bounds, last_taken))
        << "step " << step;
  }
}

TEST(InputSetReadinessTest, SaysWhatALookAtAllQueuesSays) {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    CompareWithScan(seed);
    if (HasFatalFailure()) return;
  }
}

TEST(InputSetReadinessTest, UsesOnlyTheQueuesOfItsPorts) {
  std::vector<InputQueue> queues(3);
  InputStreamSet inputs = MakeInputStreams(*PortLayout::Create(PortNames(3)));
  InputSetReadiness set(absl::MakeSpan(queues), {2, 0},
                        /*process_timestamp_bounds=*/false);
  queues[2].Add(MakePacket<int>(2).At(Timestamp(5)));
  set.OnChange(0);  // slot 0 is port 2
  EXPECT_EQ(set.Evaluate().state, Readiness::State::kWait);
  queues[0].RaiseBound(Timestamp(6));
  set.OnChange(1);
  EXPECT_EQ(set.Evaluate(),
            (Readiness{Readiness::State::kProcess, Timestamp(5)}));
  set.Take(Timestamp(5), &inputs);
  EXPECT_EQ(inputs.Get(2).Get<int>(), 2);
  EXPECT_EQ(inputs.Get(0).Value().Timestamp(), Timestamp(5));
  EXPECT_EQ(inputs.Get(1).Value().Timestamp(), Timestamp::Unset());
}

TEST(InputSetReadinessTest, AnEmptySetIsFinished) {
  EXPECT_EQ(Join(0).set_.Evaluate().state, Readiness::State::kClose);
}

// A look at all queues costs as many looks as there are inputs, so there may be
// one for each input set, which has that many places to fill.
TEST(InputSetReadinessTest, AJoinLooksAtAllItsQueuesOncePerInputSet) {
  for (const int size : {2, 64}) {
    Join join(size);
    const std::int64_t before = join.set_.scans();
    constexpr int kTimes = 100;
    for (int time = 0; time < kTimes; ++time) {
      for (int port = 0; port < size; ++port) join.Add(port, Timestamp(time));
      EXPECT_EQ(join.Take(), 1);
    }
    // One more for leaving the start.
    EXPECT_LE(join.set_.scans() - before, kTimes + 1) << size;
  }
}

TEST(InputSetReadinessTest, QueuesThatFillFirstCostNoMore) {
  Join join(64);
  const std::int64_t before = join.set_.scans();
  constexpr int kTimes = 50;
  for (int port = 0; port < 64; ++port) {
    for (int time = 0; time < kTimes; ++time) join.Add(port, Timestamp(time));
  }
  EXPECT_EQ(join.Take(), kTimes);
  EXPECT_LE(join.set_.scans() - before, kTimes + 1);
}

// Streams that carry bounds only, as those behind a filter do.
TEST(InputSetReadinessTest, BoundsThatRiseTogetherCostOneLookAtAllPerTime) {
  Join join(64);
  const std::int64_t before = join.set_.scans();
  constexpr int kTimes = 100;
  for (int time = 1; time <= kTimes; ++time) {
    for (int port = 0; port < 64; ++port) join.Bound(port, Timestamp(time));
    EXPECT_EQ(join.set_.Evaluate(),
              (Readiness{Readiness::State::kWait, Timestamp(time)}));
  }
  EXPECT_LE(join.set_.scans() - before, kTimes);
}

}  // namespace
}  // namespace syncline
