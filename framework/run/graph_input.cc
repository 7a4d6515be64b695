#include "framework/run/graph_input.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/base/mutex.h"
#include "framework/base/status_text.h"
#include "framework/calculator/packet_times.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/idle_after.h"
#include "framework/stream/queue_limits.h"

namespace syncline {

absl::Status GraphInput::ThrottledError() const {
  return absl::UnavailableError(
      absl::StrCat("Graph is throttled. A queue behind the graph input \"",
                   plan_.name, "\" is full; try again later."));
}

absl::Status GraphInput::ClosedError() const {
  return absl::FailedPreconditionError(
      absl::StrCat("The graph input \"", stream_.name,
                   "\" is closed: nothing can be added until the next run."));
}

absl::Status GraphInput::CheckPacket(const Packet& packet) const {
  if (closed_) return ClosedError();
  const Timestamp timestamp = packet.Timestamp();
  if (!timestamp.IsAllowedInStream()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "In the graph input \"", stream_.name,
        "\", timestamp not specified or set to illegal value: ",
        timestamp.DebugString(), ". Give the packet one with At()."));
  }
  if (packet.IsEmpty()) return absl::OkStatus();
  absl::Status type = stream_.type->Validate(packet);
  if (type.ok()) return type;
  return PrefixStatus(
      absl::StrCat(
          "Packet type mismatch on a calculator receiving from stream \"",
          stream_.name, "\", a graph input, at ", timestamp.DebugString(),
          ": "),
      type);
}

absl::Status GraphInput::CheckOrder(Timestamp timestamp) const {
  const bool is_past = timestamp < bound_;
  if (is_past || (timestamp == Timestamp::PreStream() && !held_.empty())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Packet timestamp mismatch on a calculator receiving from stream \"",
        stream_.name,
        "\", a graph input. Current minimum expected timestamp is ",
        bound_.DebugString(), " but received ", timestamp.DebugString(),
        ". Timestamps of a stream have to rise; the packet was not added. "
        "(graph_input_info { bad_timestamps: ... } says what happens to such "
        "packets.)"));
  }
  if (timestamp == Timestamp::PostStream() &&
      (has_packets_ || !held_.empty())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "A packet at Timestamp::PostStream() must be the only packet of a "
        "stream, but the graph input \"",
        stream_.name, "\" has had others."));
  }
  return absl::OkStatus();
}

bool GraphInput::Mend(absl::Status* status, Packet* packet, bool* fails_run) {
  switch (plan_.bad_timestamps) {
    case GraphInputInfo::DROP:
    case GraphInputInfo::REORDER:
      break;
    case GraphInputInfo::CLAMP:
      if (packet->Timestamp() >= bound_ || !bound_.IsRangeValue()) break;
      *packet = Packet(std::move(*packet)).At(bound_);
      ++counts_.clamped;
      *status = absl::OkStatus();
      return true;
    case GraphInputInfo::REJECT:
      ++counts_.rejected;
      return false;
    default:
      ++counts_.rejected;
      *fails_run = true;
      return false;
  }
  ++counts_.dropped;
  *status = absl::OkStatus();
  return false;
}

void GraphInput::Accept(Packet&& packet, const PacketTimes& times) {
  CountAccepted(packet.Timestamp());
  accepted_.push_back(std::move(packet));
  if (clock_ != nullptr) accepted_times_.push_back(times);
}

void GraphInput::ReleaseFirst() {
  const auto first = held_.begin();
  held_bytes_ -= first->second.bytes;
  Accept(std::move(first->second.packet), first->second.times);
  held_.erase(first);
}

void GraphInput::ReleaseBefore(Timestamp end) {
  while (!held_.empty() && held_.begin()->first < end) ReleaseFirst();
}

bool GraphInput::Hold(Packet* packet, const PacketTimes& times,
                      std::int64_t bytes) {
  const Timestamp timestamp = packet->Timestamp();
  const auto [held, is_new] = held_.try_emplace(timestamp);
  if (!is_new) {
    ++counts_.dropped;
    return false;
  }
  held->second = {std::move(*packet), times, bytes};
  held_bytes_ += bytes;
  if (timestamp < latest_) ++counts_.reordered;
  latest_ = std::max(latest_, timestamp);
  // No packet that is accepted from now on can come before a packet that is the
  // whole window behind the latest one.
  const Timestamp settled = BoundBehind(latest_, plan_.reorder_window);
  if (settled != Timestamp::Unset()) {
    ReleaseBefore(settled.NextAllowedInStream());
    bound_ = std::max(bound_, settled);
  }
  while (static_cast<std::int64_t>(held_.size()) > plan_.max_held_packets) {
    ReleaseFirst();
  }
  while (max_held_bytes_ >= 0 && held_bytes_ > max_held_bytes_) ReleaseFirst();
  return true;
}

bool GraphInput::StartDirectly(const Packet& packet, Timestamp* bound) {
  if (!direct_.is_possible) return false;
  const Timestamp timestamp = packet.Timestamp();
  const bool has_type = direct_.accepts_any ? !packet.IsEmpty()
                                            : packet.Holds(direct_.exact_type);
  if (!has_type || !timestamp.IsRangeValue()) return false;
  MutexLock lock(&mutex_);
  if (closed_ || (checks_order_ && timestamp < bound_)) return false;
  if (delivery_.load(std::memory_order_acquire) != Delivery::kNone) {
    return false;
  }
  CountAccepted(timestamp);
  *bound = bound_;
  delivery_.store(Delivery::kDelivering, std::memory_order_relaxed);
  return true;
}

void GraphInput::DeliverMore(Receiver deliver) {
  {
    MutexLock lock(&mutex_);
    TakeAccepted();
  }
  DeliverAll(deliver);
}

absl::Status GraphInput::AddByRules(Packet&& packet, PacketTimes times,
                                    Receiver deliver, bool* fails_run) {
  if (clock_ != nullptr && times.publication_ns == PacketTimes::kNone) {
    times.publication_ns = clock_->NowNs();
  }
  // The size is asked for without the lock, because PayloadSize may be the
  // user's code.
  const std::int64_t bytes = holds_back() ? CountedBytes(packet) : 0;
  {
    MutexLock lock(&mutex_);
    absl::Status status = CheckPacket(packet);
    if (!status.ok()) return status;
    const Timestamp timestamp = packet.Timestamp();
    if (packet.IsEmpty()) {
      const Timestamp after = timestamp.NextAllowedInStream();
      ReleaseBefore(after);
      bound_ = std::max(bound_, after);
    } else {
      if (checks_order_) status = CheckOrder(timestamp);
      if (!status.ok() && !Mend(&status, &packet, fails_run)) return status;
      if (holds_back() && timestamp.IsRangeValue()) {
        if (!Hold(&packet, times, bytes)) return absl::OkStatus();
      } else {
        Accept(std::move(packet), times);
      }
    }
    if (!StartDelivery()) return absl::OkStatus();
  }
  DeliverAll(deliver);
  return absl::OkStatus();
}

absl::Status GraphInput::SetBound(Timestamp bound, Receiver deliver) {
  {
    MutexLock lock(&mutex_);
    if (closed_) return ClosedError();
    if (!bound.IsAllowedInStream() && bound != Timestamp::OneOverPostStream()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "In the graph input \"", stream_.name,
          "\", timestamp bound set to illegal value: ", bound.DebugString(),
          bound == Timestamp::Done()
              ? ". To end a stream, call CloseInputStream()."
              : "."));
    }
    if (bound < bound_) {
      return absl::InvalidArgumentError(absl::StrCat(
          "The bound of the graph input \"", stream_.name, "\" is ",
          bound_.DebugString(), " already and cannot be lowered to ",
          bound.DebugString(), "."));
    }
    ReleaseBefore(bound);
    bound_ = bound;
    if (!StartDelivery()) return absl::OkStatus();
  }
  DeliverAll(deliver);
  return absl::OkStatus();
}

bool GraphInput::Close(Receiver deliver) {
  {
    MutexLock lock(&mutex_);
    if (closed_) return false;
    ReleaseBefore(Timestamp::Done());
    closed_ = true;
    bound_ = Timestamp::Done();
    if (!StartDelivery()) return true;
  }
  DeliverAll(deliver);
  return true;
}

GraphInput::Snapshot GraphInput::LookIn() const {
  MutexLock lock(&mutex_);
  Snapshot snapshot = counts_;
  snapshot.bound = bound_;
  snapshot.held = static_cast<std::int64_t>(held_.size());
  snapshot.held_bytes = held_bytes_;
  return snapshot;
}

bool GraphInput::StartDelivery() {
  Delivery seen = delivery_.load(std::memory_order_acquire);
  // If the exchange fails, the other thread has just ended its delivery.
  if (seen == Delivery::kDelivering) {
    delivery_.compare_exchange_strong(seen, Delivery::kMore);
  }
  if (seen != Delivery::kNone) return false;
  TakeAccepted();
  return true;
}

void GraphInput::TakeAccepted() {
  delivering_.swap(accepted_);
  delivering_times_.swap(accepted_times_);
  delivering_bound_ = bound_;
  delivery_.store(Delivery::kDelivering, std::memory_order_relaxed);
}

void GraphInput::DeliverAll(Receiver deliver) {
  for (;;) {
    deliver(absl::MakeSpan(delivering_), delivering_bound_);
    delivering_.clear();
    delivering_times_.clear();
    if (EndDelivery()) return;
    MutexLock lock(&mutex_);
    TakeAccepted();
  }
}

}  // namespace syncline
