#include "framework/graph/graph_input.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/base/status_text.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"

namespace syncline {

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
  if (!type.ok()) {
    return PrefixStatus(
        absl::StrCat("Packet type mismatch on the graph input \"", stream_.name,
                     "\", at ", timestamp.DebugString(), ": "),
        type);
  }
  if (!checks_order_) return absl::OkStatus();
  if (timestamp < bound_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Packet timestamp mismatch on the graph input \"", stream_.name,
        "\". Current minimum expected timestamp is ", bound_.DebugString(),
        " but received ", timestamp.DebugString(),
        ". Timestamps of a stream have to rise; the packet was not added."));
  }
  if (timestamp == Timestamp::PostStream() && has_packets_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "A packet at Timestamp::PostStream() must be the only packet of a "
        "stream, but the graph input \"",
        stream_.name, "\" has had others."));
  }
  return absl::OkStatus();
}

absl::Status GraphInput::Add(Packet packet, Receiver deliver) {
  {
    MutexLock lock(&mutex_);
    absl::Status status = CheckPacket(packet);
    if (!status.ok()) return status;
    const Timestamp after = packet.Timestamp().NextAllowedInStream();
    if (checks_order_ || packet.IsEmpty()) bound_ = std::max(bound_, after);
    if (!packet.IsEmpty()) {
      has_packets_ = true;
      accepted_.push_back(std::move(packet));
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
    closed_ = true;
    bound_ = Timestamp::Done();
    if (!StartDelivery()) return true;
  }
  DeliverAll(deliver);
  return true;
}

bool GraphInput::StartDelivery() {
  Delivery seen = delivery_.load(std::memory_order_acquire);
  // If this fails, the other thread came to its end first.
  if (seen == Delivery::kDelivering) {
    delivery_.compare_exchange_strong(seen, Delivery::kMore);
  }
  if (seen != Delivery::kIdle) return false;
  TakeNews();
  return true;
}

void GraphInput::TakeNews() {
  delivering_.swap(accepted_);
  delivering_bound_ = bound_;
  delivery_.store(Delivery::kDelivering, std::memory_order_relaxed);
}

void GraphInput::DeliverAll(Receiver deliver) {
  for (;;) {
    deliver(absl::MakeSpan(delivering_), delivering_bound_);
    delivering_.clear();
    Delivery seen = Delivery::kDelivering;
    if (delivery_.compare_exchange_strong(seen, Delivery::kIdle)) return;
    MutexLock lock(&mutex_);
    TakeNews();
  }
}

}  // namespace syncline
