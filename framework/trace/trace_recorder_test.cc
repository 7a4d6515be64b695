#include "framework/trace/trace_recorder.h"

#include <malloc.h>
#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_lane.h"
#include "framework/trace/trace_switch.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::uint32_t> Ids(const TraceThread& thread) {
  std::vector<std::uint32_t> ids;
  for (const TraceEvent& event : thread.events) ids.push_back(event.id());
  return ids;
}

void NoteOn(TraceRecorder* recorder, int id) {
  TraceLane* const lane = recorder->LaneOfThisThread();
  ASSERT_NE(lane, nullptr);
  lane->NoteNow(TraceKind::kSent, id, 0);
}

TEST(TraceRecorderTest, EachThreadHasALane) {
  TraceRecorder recorder({});
  NoteOn(&recorder, 1);
  std::atomic<bool> may_end{false};
  std::atomic<bool> has_noted{false};
  std::thread other([&] {
    NoteOn(&recorder, 2);
    has_noted.store(true);
    while (!may_end.load()) std::this_thread::yield();
  });
  while (!has_noted.load()) std::this_thread::yield();
  NoteOn(&recorder, 3);
  const Trace trace = recorder.Take(TraceFileHeader());
  may_end.store(true);
  other.join();
  ASSERT_THAT(trace.threads, SizeIs(2));
  EXPECT_THAT(Ids(trace.threads[0]), ElementsAre(1, 3));
  EXPECT_THAT(Ids(trace.threads[1]), ElementsAre(2));
  EXPECT_NE(trace.threads[0].tid, trace.threads[1].tid);
}

TEST(TraceRecorderTest, AThreadGoesOnInTheLaneOfOneThatHasEnded) {
  TraceRecorder recorder({.max_lanes = 1});
  for (int i = 0; i < 3; ++i) {
    std::thread([&] { NoteOn(&recorder, i); }).join();
  }
  const Trace trace = recorder.Take(TraceFileHeader());
  ASSERT_THAT(trace.threads, SizeIs(1));
  EXPECT_THAT(Ids(trace.threads[0]), ElementsAre(0, 1, 2));
}

// A thread of this name notes so many events, and ends.
void NoteAs(TraceRecorder* recorder, const std::string& name, int count) {
  std::thread([=] {
    pthread_setname_np(pthread_self(), name.c_str());
    for (int i = 0; i < count; ++i) NoteOn(recorder, i);
  }).join();
}

// "name: number of events" of the threads that had the lane one after another.
std::vector<std::string> Owners(const TraceThread& thread) {
  std::vector<std::string> owners;
  std::size_t left = thread.events.size();
  for (const TraceThread::Former& former : thread.former) {
    owners.push_back(absl::StrCat(former.name, ": ", former.num_events));
    left -= former.num_events;
  }
  owners.push_back(absl::StrCat(thread.name, ": ", left));
  return owners;
}

TEST(TraceRecorderTest, EventsStayThoseOfTheThreadThatNotedThem) {
  TraceRecorder recorder({.max_lanes = 1});
  NoteAs(&recorder, "first", 2);
  NoteAs(&recorder, "second", 3);
  TraceRecorder::Position position;
  EXPECT_THAT(Owners(recorder.Take(TraceFileHeader(), &position).threads[0]),
              ElementsAre("first: 2", "second: 3"));
  NoteAs(&recorder, "third", 1);
  EXPECT_THAT(Owners(recorder.Take(TraceFileHeader(), &position).threads[0]),
              ElementsAre("third: 1"));
  const Trace all = recorder.Take(TraceFileHeader());
  EXPECT_THAT(Owners(all.threads[0]),
              ElementsAre("first: 2", "second: 3", "third: 1"));
  EXPECT_NE(all.threads[0].former[0].tid, all.threads[0].former[1].tid);
}

TEST(TraceRecorderTest, ThreadsOfWhichNothingIsLeftAreForgotten) {
  TraceRecorder recorder({.events_per_lane = 4, .max_lanes = 1});
  for (int i = 0; i < 100; ++i) NoteAs(&recorder, absl::StrCat("t", i), 1);
  EXPECT_THAT(Owners(recorder.Take(TraceFileHeader()).threads[0]),
              ElementsAre("t97: 1", "t98: 1", "t99: 1"));
  NoteAs(&recorder, "last", 50);
  EXPECT_THAT(Owners(recorder.Take(TraceFileHeader()).threads[0]),
              ElementsAre("last: 3"));
}

TEST(TraceRecorderTest, OfAThreadThatWasWrittenOverWhatIsLeftIsCounted) {
  TraceRecorder recorder({.events_per_lane = 4, .max_lanes = 1});
  NoteAs(&recorder, "first", 5);
  NoteAs(&recorder, "second", 1);
  EXPECT_THAT(Owners(recorder.Take(TraceFileHeader()).threads[0]),
              ElementsAre("first: 2", "second: 1"));
}

TEST(TraceRecorderTest, AThreadThatNotesNothingIsNoFormerOne) {
  TraceRecorder recorder({.max_lanes = 1});
  NoteAs(&recorder, "first", 2);
  std::thread([&] { EXPECT_NE(recorder.LaneOfThisThread(), nullptr); }).join();
  NoteAs(&recorder, "third", 1);
  EXPECT_THAT(Owners(recorder.Take(TraceFileHeader()).threads[0]),
              ElementsAre("first: 2", "third: 1"));
}

// In bytes; 0 where the allocator does not tell.
std::int64_t BytesInUse() {
  return static_cast<std::int64_t>(mallinfo2().uordblks);
}

TEST(TraceRecorderTest, ThreadsThatComeAndGoNeedNoMoreMemory) {
  constexpr int kThreads = 1'000;
  TraceRecorder recorder({.events_per_lane = 4, .max_lanes = 1});
  const auto come_and_go = [&] {
    for (int i = 0; i < kThreads; ++i) NoteAs(&recorder, "t", 1);
  };
  come_and_go();
  const std::int64_t before = BytesInUse();
  come_and_go();
  EXPECT_LT(BytesInUse() - before, 8 * kThreads)
      << "that is less than a thread's number for each of them";
}

TEST(TraceRecorderTest, WhatFindsNoLaneIsCounted) {
  TraceRecorder recorder({.max_lanes = 1});
  NoteOn(&recorder, 1);
  std::thread([&] {
    EXPECT_EQ(recorder.LaneOfThisThread(), nullptr);
    EXPECT_EQ(recorder.LaneOfThisThread(), nullptr);
  }).join();
  EXPECT_EQ(recorder.num_without_lane(), 2);
  EXPECT_EQ(recorder.Take(TraceFileHeader()).num_lost(), 2);
}

TEST(TraceRecorderTest, AThreadMayNoteForSeveralRecorders) {
  TraceRecorder first({});
  auto second = std::make_unique<TraceRecorder>(TraceRecorder::Options());
  for (int i = 0; i < 2; ++i) {
    NoteOn(&first, 10 + i);
    NoteOn(second.get(), 20 + i);
  }
  EXPECT_THAT(Ids(first.Take(TraceFileHeader()).threads[0]),
              ElementsAre(10, 11));
  EXPECT_THAT(Ids(second->Take(TraceFileHeader()).threads[0]),
              ElementsAre(20, 21));
  // A recorder that takes the place of another one is not taken for it.
  second = std::make_unique<TraceRecorder>(TraceRecorder::Options());
  NoteOn(second.get(), 30);
  EXPECT_THAT(Ids(second->Take(TraceFileHeader()).threads[0]), ElementsAre(30));
}

TEST(TraceRecorderTest, TakesWhatIsNewSinceAPosition) {
  TraceRecorder recorder({});
  TraceRecorder::Position position;
  NoteOn(&recorder, 1);
  EXPECT_THAT(Ids(recorder.Take(TraceFileHeader(), &position).threads[0]),
              ElementsAre(1));
  NoteOn(&recorder, 2);
  EXPECT_THAT(Ids(recorder.Take(TraceFileHeader(), &position).threads[0]),
              ElementsAre(2));
  EXPECT_THAT(recorder.Take(TraceFileHeader(), &position).threads[0].events,
              IsEmpty());
  // Others see all of it still.
  EXPECT_THAT(Ids(recorder.Take(TraceFileHeader()).threads[0]),
              ElementsAre(1, 2));
}

TEST(TraceRecorderTest, CountsWhatWasWrittenOverBetweenTwoTakes) {
  TraceRecorder recorder({.events_per_lane = 4});
  TraceRecorder::Position position;
  for (int i = 0; i < 10; ++i) NoteOn(&recorder, i);
  const Trace trace = recorder.Take(TraceFileHeader(), &position);
  EXPECT_EQ(trace.num_lost(), 7);
  EXPECT_THAT(Ids(trace.threads[0]), ElementsAre(7, 8, 9));
}

TEST(TraceRecorderTest, AReaderMayLeaveOutOlderEvents) {
  TraceRecorder recorder({});
  TraceRecorder::Position position{.most_of_lane = 2};
  for (int i = 0; i < 5; ++i) NoteOn(&recorder, i);
  Trace trace = recorder.Take(TraceFileHeader(), &position);
  EXPECT_THAT(Ids(trace.threads[0]), ElementsAre(3, 4));
  EXPECT_EQ(trace.threads[0].num_lost, 3);
  EXPECT_EQ(trace.threads[0].events.pieces()[0].lost_before, 3);
  NoteOn(&recorder, 5);
  trace = recorder.Take(TraceFileHeader(), &position);
  EXPECT_THAT(Ids(trace.threads[0]), ElementsAre(5));
  EXPECT_EQ(trace.num_lost(), 0);
}

// The other thread of the tests below, which does what it is told.
class Helper {
 public:
  ~Helper() {
    Do([this] { is_done_ = true; });
    thread_.join();
  }
  // Returns when the thread has done it.
  void Do(std::function<void()> what) {
    what_ = std::move(what);
    has_work_.store(true);
    while (has_work_.load()) std::this_thread::yield();
  }

 private:
  void Run() {
    while (!is_done_) {
      while (!has_work_.load()) std::this_thread::yield();
      what_();
      has_work_.store(false);
    }
  }

  std::function<void()> what_;
  std::atomic<bool> has_work_{false};
  bool is_done_ = false;
  std::thread thread_{[this] { Run(); }};
};

TEST(TraceRecorderTest, WhatIsYoungerThanTheReadingComesWithTheNextPart) {
  std::uint64_t now = 10;
  TraceRecorder recorder({.now_ns = [&] { return now; }});
  TraceRecorder::Position position;
  const auto take = [&] {
    return recorder.Take(TraceFileHeader(), &position,
                         TraceRecorder::Extent::kUntilNow);
  };
  Helper other;
  NoteOn(&recorder, 1);
  // The first lane was read at 20, and a packet is sent there at 25. The second
  // one was read after it was taken from there.
  now = 30;
  other.Do([&] { NoteOn(&recorder, 2); });
  now = 20;
  const Trace first = take();
  EXPECT_THAT(Ids(first.threads[0]), ElementsAre(1));
  EXPECT_THAT(first.threads[1].events, IsEmpty());
  now = 25;
  NoteOn(&recorder, 3);
  now = 30;
  const Trace second = take();
  EXPECT_THAT(Ids(second.threads[0]), ElementsAre(3));
  EXPECT_THAT(Ids(second.threads[1]), ElementsAre(2));
  EXPECT_EQ(second.num_lost(), 0);
}

TEST(TraceRecorderTest, AReadingOfAllHasTheYoungestToo) {
  std::uint64_t now = 30;
  TraceRecorder recorder({.now_ns = [&] { return now; }});
  TraceRecorder::Position position;
  NoteOn(&recorder, 1);
  now = 20;
  EXPECT_THAT(Ids(recorder.Take(TraceFileHeader(), &position).threads[0]),
              ElementsAre(1));
}

TEST(TraceRecorderTest, WhatWaitsForTheNextPartCanBeWrittenOver) {
  std::uint64_t now = 30;
  TraceRecorder recorder({.events_per_lane = 4, .now_ns = [&] { return now; }});
  TraceRecorder::Position position;
  for (int i = 0; i < 3; ++i) NoteOn(&recorder, i);
  now = 20;
  EXPECT_EQ(
      recorder
          .Take(TraceFileHeader(), &position, TraceRecorder::Extent::kUntilNow)
          .num_events(),
      0);
  now = 40;
  for (int i = 3; i < 6; ++i) NoteOn(&recorder, i);
  const Trace part = recorder.Take(TraceFileHeader(), &position,
                                   TraceRecorder::Extent::kUntilNow);
  EXPECT_THAT(Ids(part.threads[0]), ElementsAre(3, 4, 5));
  EXPECT_EQ(part.num_lost(), 3);
}

TEST(TraceRecorderTest, NoPartHasWhatFollowsFromALaterOne) {
  constexpr int kPackets = 100'000;
  TraceRecorder recorder({.events_per_lane = 1 << 18});
  std::atomic<int> num_sent{0};
  std::atomic<bool> may_send{false};
  // The lane of the sender is read first.
  std::thread sender([&] {
    NoteOn(&recorder, 0);
    may_send.store(true);
    for (int i = 1; i <= kPackets; ++i) {
      NoteOn(&recorder, i);
      num_sent.store(i);
    }
  });
  while (!may_send.load()) std::this_thread::yield();
  std::thread taker([&] {
    for (int taken = 0; taken < kPackets;) {
      const int sent = num_sent.load();
      if (sent == taken) continue;
      taken = sent;
      NoteOn(&recorder, taken);
    }
  });
  TraceRecorder::Position position;
  std::uint32_t newest_sent = 0;
  for (int i = 0; newest_sent < kPackets; ++i) {
    const Trace part = recorder.Take(TraceFileHeader(), &position,
                                     TraceRecorder::Extent::kUntilNow);
    if (!part.threads[0].events.empty()) {
      newest_sent = part.threads[0].events.back().id();
    }
    if (part.threads.size() < 2 || part.threads[1].events.empty()) continue;
    EXPECT_LE(part.threads[1].events.back().id(), newest_sent) << i;
  }
  sender.join();
  taker.join();
}

TEST(TraceRecorderTest, HasTheClockThatItIsGiven) {
  std::uint64_t now = 1'000;
  TraceRecorder recorder({.now_ns = [&] { return now; }});
  EXPECT_TRUE(recorder.has_given_clock());
  now = 5'000;
  NoteOn(&recorder, 1);
  const Trace trace = recorder.Take(TraceFileHeader());
  EXPECT_EQ(trace.threads[0].events.front().tick, 5'000);
  EXPECT_EQ(trace.Ns(5'000), 5'000);
}

TEST(TraceRecorderTest, TicksBecomeTheTimeOfTheMachine) {
  TraceRecorder recorder({});
  const absl::Time before = absl::Now();
  NoteOn(&recorder, 1);
  absl::SleepFor(absl::Milliseconds(50));
  NoteOn(&recorder, 2);
  const absl::Time after = absl::Now();
  const Trace trace = recorder.Take(TraceFileHeader());
  const TraceEvents& events = trace.threads[0].events;
  const absl::Duration between = absl::Nanoseconds(
      trace.Ns(events.back().tick) - trace.Ns(events.front().tick));
  EXPECT_GE(between, absl::Milliseconds(49));
  EXPECT_LE(between, after - before + absl::Milliseconds(1));
  const absl::Time first =
      absl::FromUnixNanos(trace.UnixNs(events.front().tick));
  EXPECT_GE(first, before - absl::Milliseconds(5));
  EXPECT_LE(first, after);
}

TEST(TraceRecorderTest, TheSwitchKeepsWhatAThreadMayStillUse) {
  TraceSwitch trace_switch;
  EXPECT_EQ(trace_switch.recorder(), nullptr);
  auto recorder = std::make_shared<TraceRecorder>(TraceRecorder::Options());
  TraceRecorder* const raw = recorder.get();
  trace_switch.TurnOn(std::move(recorder));
  EXPECT_EQ(trace_switch.recorder(), raw);
  trace_switch.TurnOff();
  EXPECT_EQ(trace_switch.recorder(), nullptr);
  NoteOn(raw, 1);
  EXPECT_EQ(raw->Take(TraceFileHeader()).num_events(), 1);
}

TEST(TraceRecorderTest, ThreadsComeAndGoWhileOthersRead) {
  TraceRecorder recorder({.events_per_lane = 128});
  std::atomic<bool> is_done{false};
  std::thread reader([&] {
    while (!is_done.load()) {
      const Trace trace = recorder.Take(TraceFileHeader());
      for (const TraceThread& thread : trace.threads) {
        std::uint64_t last = 0;
        for (const TraceEvent& event : thread.events) {
          EXPECT_GE(event.tick, last);
          last = event.tick;
        }
      }
    }
  });
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 500; ++n) NoteOn(&recorder, n);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  is_done.store(true);
  reader.join();
  EXPECT_LE(recorder.num_lanes(), 3);
}

// Counts what threads note, and reads when they say that it has to.
class CountingReader : public TraceReader {
 public:
  explicit CountingReader(TraceRecorder* recorder) : recorder_(*recorder) {
    position_.is_of_reader = true;
    recorder_.SetReader(this);
  }
  ~CountingReader() override { recorder_.SetReader(nullptr); }
  void ReadNow() override { Read(); }
  void Read() {
    MutexLock lock(&mutex_);
    const Trace part = recorder_.Take(TraceFileHeader(), &position_);
    num_lost_ += part.num_lost();
    for (const TraceThread& thread : part.threads) {
      num_events_ += static_cast<std::int64_t>(thread.events.size());
    }
  }
  std::int64_t num_events() {
    MutexLock lock(&mutex_);
    return num_events_;
  }
  std::int64_t num_lost() {
    MutexLock lock(&mutex_);
    return num_lost_;
  }

 private:
  TraceRecorder& recorder_;
  Mutex mutex_;
  TraceRecorder::Position position_;
  std::int64_t num_events_ = 0;
  std::int64_t num_lost_ = 0;
};

TEST(TraceRecorderTest, AReaderMissesNothingHoweverQuickThreadsAre) {
  constexpr int kThreads = 3;
  constexpr int kCalls = 20'000;
  TraceRecorder recorder({.events_per_lane = 64});
  CountingReader reader(&recorder);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < kCalls; ++call) {
        recorder.LaneOfThisThread()->MakeRoom();
        for (int event = 0; event < 5; ++event) NoteOn(&recorder, event);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  reader.Read();
  EXPECT_EQ(reader.num_lost(), 0);
  EXPECT_EQ(reader.num_events(), kThreads * kCalls * 5);
}

TEST(TraceRecorderTest, WithoutAReaderThereIsAlwaysRoom) {
  TraceRecorder recorder({.events_per_lane = 64});
  for (int call = 0; call < 1000; ++call) {
    recorder.LaneOfThisThread()->MakeRoom();
    NoteOn(&recorder, call);
  }
  EXPECT_EQ(recorder.lane(0)->ring().written(), 1000u);
}

}  // namespace
}  // namespace syncline
