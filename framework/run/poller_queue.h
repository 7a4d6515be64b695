// PollerQueue: the packets of a stream that wait for the application.
//
// The graph, which fills the queue, and the poller, which reads it, share it;
// either of them may be destroyed first. A queue with a limit pauses sources
// while it is full; the graph never raises that limit by itself.
//
// Where there is a limit in bytes, the size of a packet is asked for once and
// kept with the packet, because PayloadSize is code of the user, which may give
// another number the next time. PayloadSize is called without a lock.
//
// Thread rule: any thread; guarded by the lock of the graph's wait point, where
// a reader waits and, on an application-thread executor, works meanwhile.
// Tested by poller_queue_test and output_stream_poller_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_POLLER_QUEUE_H_
#define SYNCLINE_FRAMEWORK_RUN_POLLER_QUEUE_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/run/output_stream_poller.h"
#include "framework/run/output_tap.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/stream/queue_limits.h"

namespace syncline {

// The run, which hears when the application has made room in a poller's queue,
// or has taken room away.
class PollerListener {
 public:
  virtual ~PollerListener() = default;
  virtual void OnFullChange(int stream, int change) = 0;
  // The calling thread is inside of the run that sends.
  virtual bool IsCalledFromInside() const { return false; }
};

class PollerQueue : public OutputTap {
 public:
  PollerQueue(int stream, bool observes_bounds,
              std::shared_ptr<WaitPoint> wait_point)
      : OutputTap(stream),
        observes_bounds_(observes_bounds),
        wait_point_(std::move(wait_point)) {}

  // --- For the graph
  void SetListener(std::weak_ptr<PollerListener> listener);
  // The length at which a queue without limit is worth a warning; 0 for none.
  void SetWarningSize(int size);
  void StartRun() override;
  void EndRun() override;
  Facts Deliver(absl::Span<const Packet> packets, Timestamp bound) override;
  // Its packets hold back the sources of its stream.
  bool IsFull() const;
  // The packets that wait, and their bytes.
  QueueUse Measure() const ABSL_LOCKS_EXCLUDED(wait_point_->mutex);

  // --- For pollers
  OutputStreamPoller::Result Next(absl::Duration timeout, Packet* packet);
  void Reset();
  void SetLimit(int limit);
  void SetByteLimit(std::int64_t limit);
  int size() const;
  // Nobody will read the queue any more: drops the packets that wait, and all
  // that come, and ends the limits.
  void Abandon();

 private:
  static constexpr std::int64_t kUnknown = -1;
  struct Waiting {
    Packet packet;
    std::int64_t bytes = kUnknown;
  };

  bool Full() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(wait_point_->mutex) {
    return (limit_ >= 0 && static_cast<int>(packets_.size()) >= limit_) ||
           (byte_limit_ >= 0 && bytes_ >= byte_limit_);
  }
  // Appends `packets`, of these sizes or, if there are none, of unknown ones.
  Facts Append(absl::Span<const Packet> packets,
               absl::Span<const std::int64_t> sizes, Timestamp bound)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(wait_point_->mutex);
  // Makes the sizes of what waits, and of what comes, known.
  void CountBytes() ABSL_LOCKS_EXCLUDED(wait_point_->mutex);
  void PopFront() ABSL_EXCLUSIVE_LOCKS_REQUIRED(wait_point_->mutex);
  // Takes all packets out, for the caller to drop without the lock.
  std::deque<Waiting> TakeAll()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(wait_point_->mutex);
  // The length to warn of, or 0.
  std::int64_t TakeWarning() ABSL_EXCLUSIVE_LOCKS_REQUIRED(wait_point_->mutex);
  // Whether the queue is to be measured, as it has grown. See Facts::has_grown.
  bool TakeGrowth() ABSL_EXCLUSIVE_LOCKS_REQUIRED(wait_point_->mutex);
  // Whether it became full (+1) or stopped being full (-1) since this was last
  // asked; else 0.
  int TakeFullChange() ABSL_EXCLUSIVE_LOCKS_REQUIRED(wait_point_->mutex);
  // Calls `change_queue` with the lock held, and tells the listener if the
  // queue became full by that, or is no longer.
  void ChangeAndTell(absl::FunctionRef<void()> change_queue)
      ABSL_LOCKS_EXCLUDED(wait_point_->mutex);
  void Tell(int change) ABSL_LOCKS_EXCLUDED(wait_point_->mutex);
  // Null: nobody listens any more.
  std::shared_ptr<PollerListener> Listener() const
      ABSL_LOCKS_EXCLUDED(wait_point_->mutex);
  // Whether this thread is inside of the run that sends the packets.
  bool IsInsideRun() const ABSL_LOCKS_EXCLUDED(wait_point_->mutex);

  const bool observes_bounds_;
  const std::shared_ptr<WaitPoint> wait_point_;

  // Whether sizes are asked for: a limit in bytes was, is or will soon be set.
  // Without the lock this is a guess; with it, packets that come from now on
  // have sizes.
  std::atomic<bool> counts_bytes_{false};
  std::deque<Waiting> packets_ ABSL_GUARDED_BY(wait_point_->mutex);
  // How many have gone: the number of the first that waits.
  std::int64_t first_ ABSL_GUARDED_BY(wait_point_->mutex) = 0;
  int limit_ ABSL_GUARDED_BY(wait_point_->mutex) = -1;
  std::int64_t byte_limit_ ABSL_GUARDED_BY(wait_point_->mutex) = -1;
  // The bytes of the packets that wait, as far as their sizes are known.
  std::int64_t bytes_ ABSL_GUARDED_BY(wait_point_->mutex) = 0;
  std::int64_t next_warning_ ABSL_GUARDED_BY(wait_point_->mutex) = 0;
  std::int64_t next_growth_ ABSL_GUARDED_BY(wait_point_->mutex) = 2;
  bool is_abandoned_ ABSL_GUARDED_BY(wait_point_->mutex) = false;
  bool known_full_ ABSL_GUARDED_BY(wait_point_->mutex) = false;
  // No more packets come: the stream is closed, or no run is going on that
  // might still send some.
  bool has_ended_ ABSL_GUARDED_BY(wait_point_->mutex) = false;
  // The last timestamp that is in the queue, or was.
  Timestamp last_ ABSL_GUARDED_BY(wait_point_->mutex) = Timestamp::Unstarted();
  std::weak_ptr<PollerListener> listener_ ABSL_GUARDED_BY(wait_point_->mutex);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_POLLER_QUEUE_H_
