// StreamCore: a stream and the numbers of its work, behind the handles Stream
// and WorkPoint.
//
//   open ──> closed ──> without a handle
//        Close()    its last event is recorded
//
// A closed stream takes no work; what was submitted still runs. The driver's
// stream is dropped when the event is recorded that covers all of it, which is
// in Close(), unless the driver refuses the event. Whoever uses the handle
// himself may give it work until then and say so later: the last event covers
// that, too.
//
// Idea: the number that work gets here and the place that the driver gives it
// must agree, or an event would cover what it does not. So one lock of the
// stream is held while the driver takes work or records an event. The lock of
// the group is taken within it, for bookkeeping only. No thread holds two
// streams' locks, and none asks twice for one: see submission.h.
//
// Events are recorded when somebody asks for the end of some work. The newest
// one is kept: it serves all who ask for work that it covers.
//
// Thread rule: any thread.
// Tested by stream_test and stream_end_test.

#ifndef SYNCLINE_GPU_STREAM_CORE_H_
#define SYNCLINE_GPU_STREAM_CORE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "gpu/access_order.h"
#include "gpu/device.h"
#include "gpu/driver.h"
#include "gpu/work_log.h"

namespace syncline::gpu {

struct Access;

// Where the buffers of a piece of work may lie.
enum class WorkReach {
  kOneDevice,  // on the stream's device, pinned or managed
  kAnyDevice,  // on any device of the group: copies
};

class StreamCore : public std::enable_shared_from_this<StreamCore> {
 public:
  // `is_owned`: Close() drops the driver's stream, too. The device outlives it.
  StreamCore(Device* device, StreamHandle handle, bool is_owned,
             absl::string_view name);
  // REQUIRES: it is closed. It may be destroyed under the lock of the group.
  ~StreamCore();
  StreamCore(const StreamCore&) = delete;
  StreamCore& operator=(const StreamCore&) = delete;

  Device& device() const { return *device_; }
  StreamHandle handle() const { return handle_; }
  StreamId id() const { return id_; }
  // From 1, of no other stream of this process.
  std::uint32_t number() const { return number_; }
  const std::string& name() const { return name_; }
  // `stream "a" of stand_in:0`
  std::string ToText() const;

  // Whoever gives work to a stream while this thread gives work to any (see
  // submission.h) gets FAILED_PRECONDITION, and so does who waits for a stream
  // then; who asks is told that nothing has ended.

  // Checks the accesses, notes them, and calls `tell_driver`. A driver that
  // refuses leaves them noted, as of work that ended at once. The watcher of
  // the thread hears of it (work_owner.h).
  absl::Status Submit(const char* work, absl::Span<const Access> accesses,
                      WorkReach reach,
                      absl::FunctionRef<absl::Status()> tell_driver);
  // The two halves for work that the caller gives to the stream himself.
  // Check() is FAILED_PRECONDITION for a stream that was destroyed.
  absl::Status Check(const char* work, absl::Span<const Access> accesses,
                     WorkReach reach);
  // Work of a stream that was destroyed since ends with the stream's last.
  void Note(const char* work, absl::Span<const Access> accesses);
  // Somebody uses the handle, and says later, by Note(), for what: what he has
  // given it when the stream is closed is covered by the last event.
  void Lend() { is_lent_.store(true); }
  // Calls `record` with the stream's lock held. FAILED_PRECONDITION for a
  // stream that was destroyed.
  absl::Status RecordTime(absl::FunctionRef<absl::Status()> record);

  // The number of the newest work.
  std::uint64_t Now() const;
  // Waits, on the device, until work of `other` has ended.
  absl::Status WaitFor(StreamCore* other, std::uint64_t number);
  absl::Status HostWait(std::uint64_t number);
  // The same for all work until now. Needs no event, so it is for who must wait
  // although the driver refuses one; an error is the device's.
  absl::Status HostWaitForAll();
  absl::StatusOr<bool> HasEnded(std::uint64_t number);
  // For memory that waits for its work: whether the device is done with it,
  // also by an error. The host learns no order from the answer. What was over
  // once is over for ever, whatever the stream is told later: who was told yes
  // gives the memory away, and the checker asks again.
  bool IsOver(std::uint64_t number);
  bool HostKnows(std::uint64_t number) const;
  // The host has learned, not by an event, that the work has ended.
  void NoteEnded(std::uint64_t number);
  // Whether what is submitted here from now on begins after work of `other`
  // has ended, without a wait. False for streams of another group.
  bool IsAfter(const StreamCore& other, std::uint64_t number) const;

  // On the notice thread, and later, if this thread gives work to a stream.
  void Close();
  // Takes no lock.
  bool is_open() const { return is_open_.load(); }

 private:
  // An event that covers the work; null if the host knows that it has ended.
  absl::StatusOr<std::shared_ptr<const RecordedEvent>> EventFor(
      std::uint64_t number);
  absl::StatusOr<std::shared_ptr<const RecordedEvent>> EventForLocked(
      std::uint64_t number) ABSL_EXCLUSIVE_LOCKS_REQUIRED(submit_mutex_);
  void CloseNow();
  // Drops the driver's stream of a closed one, if its last event is there.
  void DropHandle() ABSL_EXCLUSIVE_LOCKS_REQUIRED(submit_mutex_);
  absl::Status CheckReachOfAll(const char* work,
                               absl::Span<const Access> accesses,
                               WorkReach reach) const;
  absl::Status CheckOrderOfAll(const char* work,
                               absl::Span<const Access> accesses) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(group_->mutex);
  void NoteAll(const char* work, absl::Span<const Access> accesses)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(group_->mutex);
  // IsOver() has seen the end of the work up to `number`.
  void NoteOver(std::uint64_t number);
  // One more piece of work; of a closed stream, its last.
  WorkPosition AddWork() ABSL_EXCLUSIVE_LOCKS_REQUIRED(group_->mutex);
  bool IsKnownHere(WorkPosition position) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(group_->mutex);
  absl::Status CheckOpen(absl::string_view work) const;
  // An error if this thread gives work to a stream.
  absl::Status CheckFree(absl::string_view work) const;

  Device* const device_;
  DeviceGroup* const group_;
  const StreamHandle handle_;
  const bool is_owned_;
  const std::string name_;
  const StreamId id_;
  const std::uint32_t number_;
  // Work up to this was seen to be over. It only rises, and is order for
  // nobody.
  std::atomic<std::uint64_t> over_up_to_ = 0;
  WorkLog::Entry* const log_entry_;

  // Set with the lock held.
  std::atomic<bool> is_open_ = true;
  std::atomic<bool> is_lent_ = false;
  // Of a closed stream, whose id may be another's by now.
  absl::optional<std::uint64_t> last_number_ ABSL_GUARDED_BY(group_->mutex);

  mutable Mutex submit_mutex_;
  bool has_handle_ ABSL_GUARDED_BY(submit_mutex_) = true;
  // Threads that wait for the driver's stream, which is not dropped meanwhile.
  int num_handle_waits_ ABSL_GUARDED_BY(submit_mutex_) = 0;
  std::shared_ptr<const RecordedEvent> last_event_
      ABSL_GUARDED_BY(submit_mutex_);
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STREAM_CORE_H_
