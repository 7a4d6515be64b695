// TraceRecorder: the events of a graph's threads, while they run.
//
//   TraceRecorder recorder(options);
//   TraceLane* const lane = recorder.LaneOfThisThread();   // once in a while
//   lane->NoteNow(TraceKind::kProcessBegin, node, timestamp);
//   ...
//   Trace trace = recorder.Take(header);                   // any thread
//
// Each thread has a lane of its own, in which it notes events without a lock
// and without asking for memory; only the first event of a thread makes a lane,
// or goes on with that of a thread that has ended. The lanes keep the last
// events, and count those that were written over.
//
// Thread rule: any thread; a lane belongs to the thread that asked for it.
// Tested by trace_recorder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_RECORDER_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_RECORDER_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_lane.h"
#include "framework/trace/trace_ticks.h"

namespace syncline {

class TraceRecorder {
 public:
  struct Options {
    // Of each lane; at 24 bytes each.
    std::size_t events_per_lane = std::size_t{1} << 16;
    // So many threads at a time have lanes; what others do is not noted.
    int max_lanes = 1024;
    // The clock of the trace, in nanoseconds, as for a graph in simulated time.
    // None: the fastest clock of the machine.
    std::function<std::uint64_t()> now_ns;
  };

  explicit TraceRecorder(Options options);
  ~TraceRecorder();
  TraceRecorder(const TraceRecorder&) = delete;
  TraceRecorder& operator=(const TraceRecorder&) = delete;

  // Null: there are too many threads, or there is no memory.
  TraceLane* LaneOfThisThread() {
    if (ABSL_PREDICT_TRUE(last_used_.recorder == id_)) return last_used_.lane;
    return FindLane();
  }

  // How far a reader has come in each lane.
  struct Position {
    std::vector<std::uint64_t> lanes;
    std::int64_t num_without_lane = 0;
    // It is that of the reader of SetReader.
    bool is_of_reader = false;
    // Of each lane, so many of the newest events are taken at most. The others
    // count as lost.
    std::uint64_t most_of_lane = std::numeric_limits<std::uint64_t>::max();
  };
  // How far Take goes. The lanes are read one after the other, and a thread
  // whose lane is read later may have taken a packet by then whose sending the
  // lane of another one had not when it was read.
  enum class Extent {
    kAll,
    // No event that is younger than the call of Take: whatever another event
    // follows from is in the same part, or in an earlier one. Younger events
    // come with the next part.
    kUntilNow,
  };
  // The events since `position`, which is moved on; null: all that are there.
  Trace Take(const TraceFileHeader& header, Position* position = nullptr,
             Extent extent = Extent::kAll) const;

  // From now on, threads call `reader` before it would miss an event; null:
  // there is no reader any more. REQUIRES: when the reader is taken away, no
  // thread is about to begin a call.
  void SetReader(TraceReader* reader) const {
    reader_.store(reader, std::memory_order_release);
  }

  TraceClockPoint ClockPoint() const;
  bool has_given_clock() const { return options_.now_ns != nullptr; }
  // How often a thread found no lane, and did what it did next unnoted: one
  // call or many.
  std::int64_t num_without_lane() const {
    return num_without_lane_.load(std::memory_order_relaxed);
  }

  // Work of a device for a call of `node`: kDeviceBegin and kDeviceEnd, at
  // these times of CLOCK_MONOTONIC. They are in a lane of no thread, `devices`,
  // which Take() puts in the order of time. Nothing is noted where the clock of
  // the trace is a given one, whose time is not that of devices.
  void NoteDeviceWork(int node, std::int64_t timestamp, std::uint32_t stream,
                      std::int64_t begin_ns, std::int64_t end_ns)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // For signal handlers, which take no lock: the lanes that there are.
  int num_lanes() const { return num_lanes_.load(std::memory_order_acquire); }
  const TraceLane* lane(int index) const {
    return lanes_[index].load(std::memory_order_acquire);
  }

 private:
  // A lane and whose it is. Threads keep them by shared pointers, as they may
  // outlive the recorder.
  struct Shared;
  // The lanes of one thread, in several recorders.
  class OfThread;
  struct LastUsed {
    std::uint64_t recorder;
    TraceLane* lane;
  };
  static constexpr int kMostLanes = 1024;

  TraceLane* FindLane();
  std::shared_ptr<Shared> MakeLane() ABSL_LOCKS_EXCLUDED(mutex_);
  // Adds it, if there is room.
  bool AddLane(std::shared_ptr<Shared> lane)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Null as LaneOfThisThread().
  std::shared_ptr<Shared> MakeLaneOfDevices()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::uint64_t NowTick() const { return now_ ? now_() : CounterTicks(); }
  // How many events of a lane Take leaves out for its reader.
  static std::uint64_t NumSkipped(const Shared& shared, std::uint64_t from,
                                  const Position* position);
  // What is new in a lane, up to a tick. `*end`: the first event of the lane
  // that was not taken.
  TraceThread TakeLane(Shared* shared, std::uint64_t from, std::uint64_t until,
                       std::vector<TraceEvent>* events,
                       std::uint64_t* end) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // REQUIRES: the clock is not a given one.
  std::uint64_t TickOf(std::int64_t steady_ns,
                       const TraceClockPoint& now) const;

  // Of the lane that this thread has used last. A number is never used again.
  inline static thread_local LastUsed last_used_ = {};

  const std::uint64_t id_;
  const Options options_;
  const std::function<std::uint64_t()> now_;  // empty: the counter
  const TraceClockPoint start_;
  std::atomic<std::int64_t> num_without_lane_{0};
  mutable std::atomic<TraceReader*> reader_{nullptr};
  std::array<std::atomic<TraceLane*>, kMostLanes> lanes_{};
  std::atomic<int> num_lanes_{0};
  mutable Mutex mutex_;
  std::vector<std::shared_ptr<Shared>> shared_ ABSL_GUARDED_BY(mutex_);
  // One of those; null: no device has worked so far.
  std::shared_ptr<Shared> devices_ ABSL_GUARDED_BY(mutex_);
};

// How far somebody has come who reads the events of a graph again and again
// (CalculatorGraph::TakeTrace).
struct TraceCursor {
  // That which the position is of; null: nothing was read so far.
  std::shared_ptr<const TraceRecorder> recorder;
  TraceRecorder::Position position;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_RECORDER_H_
