// See the header.
#include "framework/calculator/output_stream.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace syncline {
namespace {

const OutputPort& NoPort() {
  static const auto& none = *new OutputPort();
  return none;
}

}  // namespace

void OutputStream::Bind(const OutputPort* port, CallErrors* errors) {
  port_ = port;
  errors_ = errors;
}

void OutputStream::BeginCall(const Start& start) {
  packets_.clear();
  explicit_bound_ = Timestamp::Unset();
  bound_ = start.bound;
  closed_ = start.closed;
  had_packets_ = start.had_packets;
  in_open_ = start.in_open;
}

void OutputStream::SetConstants(TimestampDiff offset, Packet header) {
  offset_ = offset;
  header_ = std::move(header);
}

const std::string& OutputStream::Name() const {
  return port_ == nullptr ? NoPort().stream_name : port_->stream_name;
}

void OutputStream::Fail(absl::StatusCode code, absl::string_view text) {
  if (errors_ == nullptr) return;
  const OutputPort& port = port_ == nullptr ? NoPort() : *port_;
  errors_->Add(absl::Status(
      code, absl::StrCat(text, " (output stream \"", port.stream_name,
                         "\" of node ", port.node, ")")));
}

bool OutputStream::Check(const Packet& packet) {
  const Timestamp timestamp = packet.Timestamp();
  if (ABSL_PREDICT_FALSE(!timestamp.IsAllowedInStream())) {
    Fail(absl::StatusCode::kInvalidArgument,
         absl::StrCat("In stream \"", Name(),
                      "\", timestamp not specified or set to illegal value: ",
                      timestamp.DebugString(),
                      "; give the packet a timestamp with At()"));
    return false;
  }
  if (port_ == nullptr) return true;
  if (port_->type != nullptr) {
    const absl::Status status = port_->type->Validate(packet);
    if (ABSL_PREDICT_FALSE(!status.ok())) {
      Fail(absl::StatusCode::kInvalidArgument,
           absl::StrCat("Packet type mismatch on calculator outputting to "
                        "stream \"",
                        Name(), "\": ", std::string(status.message())));
      return false;
    }
  }
  if (port_->ignores_time) return true;
  if (ABSL_PREDICT_FALSE(timestamp < bound_)) {
    Fail(absl::StatusCode::kInvalidArgument,
         absl::StrCat("Packet timestamp mismatch on a calculator outputting to "
                      "stream \"",
                      Name(), "\". Current minimum expected timestamp is ",
                      bound_.DebugString(), " but received ",
                      timestamp.DebugString(),
                      "; timestamps on a stream must increase"));
    return false;
  }
  if (ABSL_PREDICT_FALSE(timestamp == Timestamp::PostStream() &&
                         had_packets_)) {
    Fail(absl::StatusCode::kInvalidArgument,
         "A packet at Timestamp::PostStream() must be the only one of its "
         "stream, but packets were sent before");
    return false;
  }
  return true;
}

void OutputStream::AddPacket(Packet&& packet) {
  if (ABSL_PREDICT_FALSE(closed_)) {
    Fail(absl::StatusCode::kFailedPrecondition,
         absl::StrCat("Packet sent to closed stream \"", Name(), "\""));
    return;
  }
  if (packet.IsEmpty()) {
    SetNextTimestampBound(packet.Timestamp().NextAllowedInStream());
    return;
  }
  if (!Check(packet)) return;
  had_packets_ = true;
  bound_ = std::max(bound_, packet.Timestamp().NextAllowedInStream());
  packets_.push_back(std::move(packet));
}

void OutputStream::SetNextTimestampBound(Timestamp bound) {
  if (ABSL_PREDICT_FALSE(closed_)) {
    Fail(absl::StatusCode::kFailedPrecondition,
         absl::StrCat("SetNextTimestampBound on closed stream \"", Name(),
                      "\""));
    return;
  }
  if (ABSL_PREDICT_FALSE(!bound.IsAllowedInStream() &&
                         bound != Timestamp::OneOverPostStream())) {
    Fail(absl::StatusCode::kInvalidArgument,
         absl::StrCat(
             "In stream \"", Name(),
             "\", timestamp bound set to illegal value: ", bound.DebugString(),
             "; to end the stream, call Close()"));
    return;
  }
  // With an offset the bound has moved on its own, and the higher one counts.
  if (ABSL_PREDICT_FALSE(bound < bound_ && !OffsetEnabled() &&
                         !(port_ != nullptr && port_->ignores_time))) {
    Fail(absl::StatusCode::kUnknown,
         absl::StrCat("In stream \"", Name(),
                      "\", the timestamp bound goes back. Current minimum "
                      "expected timestamp is ",
                      bound_.DebugString(), " but received ",
                      bound.DebugString()));
    return;
  }
  bound_ = std::max(bound_, bound);
  explicit_bound_ = std::max(explicit_bound_, bound);
}

void OutputStream::Close() { closed_ = true; }

bool OutputStream::CheckOpenOnly(absl::string_view what) {
  if (in_open_ && !closed_) return true;
  Fail(absl::StatusCode::kFailedPrecondition,
       absl::StrCat(what, in_open_ ? " after the stream was closed"
                                   : " is allowed in Open() only"));
  return false;
}

void OutputStream::SetOffset(TimestampDiff offset) {
  if (CheckOpenOnly("SetOffset")) offset_ = offset;
}

void OutputStream::SetHeader(const Packet& header) {
  if (!CheckOpenOnly("SetHeader")) return;
  if (header.Timestamp() != Timestamp::Unset()) {
    Fail(absl::StatusCode::kInvalidArgument,
         absl::StrCat("A stream header must not have a timestamp, but this one "
                      "has ",
                      header.Timestamp().DebugString()));
    return;
  }
  header_ = header;
}

}  // namespace syncline
