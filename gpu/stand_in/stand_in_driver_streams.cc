// The streams and the events of a StandInDriver, and who waits for what.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "gpu/stand_in/stand_in_driver.h"
#include "gpu/stand_in/stand_in_stream.h"
#include "gpu/stand_in/work_queues.h"

namespace syncline::gpu {
namespace {

struct Event {
  const StandIn* stand_in;
  bool has_time;
  Mutex mutex;
  // The newest one; null before the first.
  std::shared_ptr<Recording> recording ABSL_GUARDED_BY(mutex);

  std::shared_ptr<Recording> Newest() {
    MutexLock lock(&mutex);
    return recording;
  }
};

}  // namespace

// --- Streams

absl::StatusOr<std::shared_ptr<StandInDriver::Stream>> StandInDriver::AddStream(
    const StreamOptions& options) {
  auto stream = std::make_shared<Stream>(&stand_in_->queues(), options,
                                         num_streams_.fetch_add(1));
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->queues().AddQueue(device_, options.priority, &stream->queue));
  return stream;
}

absl::StatusOr<StreamHandle> StandInDriver::MakeStream(
    const StreamOptions& options) {
  SYNCLINE_RETURN_IF_ERROR(Health());
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kMakeStream));
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<Stream> stream, AddStream(options));
  const StreamHandle handle = stream.get();
  MutexLock lock(&mutex_);
  streams_[handle] = std::move(stream);
  return handle;
}

void StandInDriver::DropStream(StreamHandle stream) {
  std::shared_ptr<Stream> dropped;
  MutexLock lock(&mutex_);
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return;
  dropped = std::move(found->second);
  streams_.erase(found);
}

absl::StatusOr<std::shared_ptr<StandInDriver::Stream>>
StandInDriver::DefaultStream() {
  {
    MutexLock lock(&mutex_);
    if (default_stream_ != nullptr) return default_stream_;
  }
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<Stream> stream, AddStream({}));
  MutexLock lock(&mutex_);
  if (default_stream_ == nullptr) default_stream_ = std::move(stream);
  return default_stream_;
}

absl::StatusOr<std::shared_ptr<StandInDriver::Stream>>
StandInDriver::FindStream(StreamHandle handle) {
  if (handle == nullptr) return DefaultStream();
  MutexLock lock(&mutex_);
  const auto found = streams_.find(handle);
  if (found != streams_.end()) return found->second;
  return absl::InvalidArgumentError(
      absl::StrCat(name_,
                   " has no such stream: it was destroyed, or is one "
                   "of another device"));
}

absl::Status StandInDriver::WaitForAllOf(Stream* waiter, Stream* other) {
  auto recording = std::make_shared<Recording>();
  SYNCLINE_RETURN_IF_ERROR(stand_in_->queues().Submit(
      other->queue, {.name = "record", .records = recording}));
  return stand_in_->queues().Submit(
      waiter->queue, {.name = "wait", .after = std::move(recording)});
}

absl::Status StandInDriver::FollowDefaultRule(
    const std::shared_ptr<Stream>& stream) {
  std::shared_ptr<Stream> default_stream;
  std::vector<std::shared_ptr<Stream>> others;
  {
    MutexLock lock(&mutex_);
    default_stream = default_stream_;
    for (const auto& [handle, other] : streams_) {
      if (stream == default_stream && other->waits_for_default()) {
        others.push_back(other);
      }
    }
  }
  // The order does not depend on where they lie in memory: a seed is one run.
  std::sort(others.begin(), others.end(),
            [](const auto& a, const auto& b) { return a->number < b->number; });
  if (default_stream == nullptr) return absl::OkStatus();
  if (stream != default_stream && stream->waits_for_default()) {
    return WaitForAllOf(stream.get(), default_stream.get());
  }
  for (const std::shared_ptr<Stream>& other : others) {
    SYNCLINE_RETURN_IF_ERROR(WaitForAllOf(stream.get(), other.get()));
  }
  return absl::OkStatus();
}

absl::Status StandInDriver::Submit(StreamHandle handle, Work work) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Stream> stream,
                            FindStream(handle));
  SYNCLINE_RETURN_IF_ERROR(FollowDefaultRule(stream));
  return stand_in_->queues().Submit(stream->queue, std::move(work));
}

// --- Events

absl::StatusOr<EventHandle> StandInDriver::MakeEvent(bool has_time) {
  SYNCLINE_RETURN_IF_ERROR(Health());
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kMakeEvent));
  auto* const event = new Event;
  event->stand_in = stand_in_.get();
  event->has_time = has_time;
  return static_cast<EventHandle>(event);
}

void StandInDriver::DropEvent(EventHandle event) {
  delete static_cast<Event*>(event);
}

absl::Status StandInDriver::Record(EventHandle event, StreamHandle stream) {
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kRecord));
  auto recording = std::make_shared<Recording>();
  SYNCLINE_RETURN_IF_ERROR(
      Submit(stream, {.name = "record", .records = recording}));
  auto* const recorded = static_cast<Event*>(event);
  MutexLock lock(&recorded->mutex);
  recorded->recording = std::move(recording);
  return absl::OkStatus();
}

absl::Status StandInDriver::WaitFor(StreamHandle stream, EventHandle event) {
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kWaitFor));
  auto* const awaited = static_cast<Event*>(event);
  if (awaited->stand_in != stand_in_.get()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name_, ": the event is one of other devices"));
  }
  std::shared_ptr<Recording> recording = awaited->Newest();
  if (recording == nullptr) return absl::OkStatus();
  return Submit(stream, {.name = "wait", .after = std::move(recording)});
}

absl::StatusOr<bool> StandInDriver::HasEnded(EventHandle event) {
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kHasEnded));
  const std::shared_ptr<Recording> recording =
      static_cast<Event*>(event)->Newest();
  if (recording == nullptr) return true;
  bool has_ended = false;
  SYNCLINE_RETURN_IF_ERROR(stand_in_->queues().HasEnded(recording, &has_ended));
  return has_ended;
}

absl::StatusOr<std::int64_t> StandInDriver::NanosecondsBetween(
    EventHandle begin, EventHandle end) {
  auto* const first = static_cast<Event*>(begin);
  auto* const second = static_cast<Event*>(end);
  SYNCLINE_ASSIGN_OR_RETURN(const bool has_begun, HasEnded(begin));
  SYNCLINE_ASSIGN_OR_RETURN(const bool has_ended, HasEnded(end));
  const std::shared_ptr<Recording> from = first->Newest();
  const std::shared_ptr<Recording> to = second->Newest();
  if (!first->has_time || !second->has_time || !has_begun || !has_ended ||
      from == nullptr || to == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat(
        name_,
        ": no time between these events: both have to be made with "
        "has_time, recorded and ended"));
  }
  return WorkQueues::Nanoseconds(*from, *to);
}

absl::Status StandInDriver::HostWaitForEvent(EventHandle event) {
  const std::shared_ptr<Recording> recording =
      static_cast<Event*>(event)->Newest();
  if (recording == nullptr) return absl::OkStatus();
  return stand_in_->queues().HostWaitFor(recording);
}

absl::Status StandInDriver::HostWaitForStream(StreamHandle stream) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Stream> found,
                            FindStream(stream));
  return stand_in_->queues().HostWaitFor(found->queue);
}

absl::Status StandInDriver::Health() {
  return stand_in_->queues().Health(device_);
}

}  // namespace syncline::gpu
