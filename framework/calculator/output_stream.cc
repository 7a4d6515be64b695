#include "framework/calculator/output_stream.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/base/status_text.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/packet_times.h"

namespace syncline {

OutputPort::OutputPort(const std::string& stream_name,
                       const CalculatorContract& contract,
                       const PacketType* type)
    : stream_name(&stream_name),
      contract(&contract),
      type(type),
      exact_type(type->ExactType()),
      accepts_any(type->IsAny()) {}

const OutputPort& OutputStream::NoPort() {
  static const auto* type = new PacketType();
  static const auto* name = new std::string();
  static const auto* contract = new CalculatorContract();
  static const auto& none = *new OutputPort(*name, *contract, type);
  return none;
}

std::string OutputStream::Node() const { return NodeText(*port_->contract); }

void OutputStream::NoteError(const absl::Status& error) {
  if (call_ == nullptr) ReportMisuse(error);
  call_->AddError(error);
}

void OutputStream::AddPacket(Packet packet, const PacketTimes& times) {
  const std::size_t place = packets().size();
  AddPacket(std::move(packet));
  if (packets().size() == place) return;
  std::vector<PacketTimes>& all = MakeExtras().times;
  // The times are those of an earlier call.
  if (!flags_.has_times) all.clear();
  flags_.has_times = true;
  all.resize(place + 1);
  all.back() = times;
}

void OutputStream::AddOther(const Packet& packet) {
  if (MayAdd(packet)) Append(Packet(packet));
}

void OutputStream::AddOther(Packet&& packet) {
  if (MayAdd(packet)) Append(std::move(packet));
}

bool OutputStream::LookCloser(const Packet& packet) {
  const Timestamp timestamp = packet.Timestamp();
  if (flags_.closed) {
    NoteError(ClosedError(timestamp));
    return false;
  }
  if (packet.IsEmpty()) {
    SetNextTimestampBound(timestamp.NextAllowedInStream());
    return false;
  }
  if (!timestamp.IsAllowedInStream()) {
    NoteError(absl::InvalidArgumentError(absl::StrCat(
        "In stream \"", Name(), "\" of node ", Node(),
        ", timestamp not specified or set to illegal value: ",
        timestamp.DebugString(),
        ". Give the packet one with At(). cc->InputTimestamp() is one in "
        "Process, but not in Open and Close.")));
    return false;
  }
  const absl::Status type_status = port_->type->Validate(packet);
  if (!type_status.ok()) {
    NoteError(PrefixStatus(
        absl::StrCat("Packet type mismatch on calculator outputting to stream "
                     "\"",
                     Name(), "\" of node ", Node(), ", at ",
                     timestamp.DebugString(), ": "),
        type_status));
    return false;
  }
  // This comes first, so that a call that overlaps others, and so does not know
  // the bound yet, makes the same error.
  if (timestamp == Timestamp::PostStream() && port_->checks_order &&
      (flags_.had_packets || !packets_.empty())) {
    NoteError(PostStreamNotAloneError());
    return false;
  }
  if (timestamp < packet_bound_ && port_->checks_order) {
    NoteError(GoesBackError(packet_bound_, timestamp));
    return false;
  }
  return true;
}

absl::Status OutputStream::ClosedError(Timestamp received) const {
  return absl::FailedPreconditionError(absl::StrCat(
      "Packet sent to closed stream \"", Name(), "\" by node ", Node(), ", at ",
      received.DebugString(),
      ". The stream was closed by Close() in this or an earlier call."));
}

absl::Status OutputStream::GoesBackError(Timestamp expected,
                                         Timestamp received) const {
  return absl::InvalidArgumentError(absl::StrCat(
      "Packet timestamp mismatch on a calculator outputting to stream \"",
      Name(), "\": node ", Node(),
      " sent a packet that is too early. Current minimum expected timestamp "
      "is ",
      expected.DebugString(), " but received ", received.DebugString(),
      ". Timestamps of a stream have to rise, and to stay at or above the "
      "bound "
      "that the node promised, by an offset or by SetNextTimestampBound()."));
}

absl::Status OutputStream::PostStreamNotAloneError() const {
  return absl::InvalidArgumentError(absl::StrCat(
      "A packet at Timestamp::PostStream() must be the only packet of a "
      "stream, but stream \"",
      Name(), "\" of node ", Node(), " has had others."));
}

absl::Status OutputStream::BoundGoesBackError(Timestamp current,
                                              Timestamp received) const {
  return absl::UnknownError(absl::StrCat(
      "SetNextTimestampBound on stream \"", Name(), "\": node ", Node(),
      " set the bound to ", received.DebugString(), ", but it is ",
      current.DebugString(), " already, and a bound cannot be lowered."));
}

void OutputStream::SetNextTimestampBound(Timestamp bound) {
  if (flags_.closed) return;  // Done, and that is final.
  if (!bound.IsAllowedInStream() && bound != Timestamp::OneOverPostStream()) {
    NoteError(absl::InvalidArgumentError(absl::StrCat(
        "In stream \"", Name(), "\" of node ", Node(),
        ", timestamp bound set to illegal value: ", bound.DebugString(),
        bound == Timestamp::Done() ? ". To end a stream, call Close()." : "")));
    return;
  }
  bound_ = bound;
  flags_.has_explicit_bound = true;
}

void OutputStream::SetOffset(TimestampDiff offset) {
  if (call_ == nullptr || call_->phase() != CallPhase::kOpen) {
    return NoteError(absl::FailedPreconditionError(absl::StrCat(
        "SetOffset must be called from Calculator::Open(). Stream: \"", Name(),
        "\" of node ", Node(), ".")));
  }
  offset_ = offset;
}

void OutputStream::SetHeader(const Packet& header) {
  const auto refuse = [this](const absl::Status& error) {
    NoteError(PrefixStatus(absl::StrCat("Header of stream \"", Name(),
                                        "\" of node ", Node(), ": "),
                           error));
  };
  if (call_ == nullptr || call_->phase() != CallPhase::kOpen) {
    return refuse(absl::FailedPreconditionError(
        "SetHeader must be called from Calculator::Open()."));
  }
  if (flags_.closed) {
    return refuse(absl::FailedPreconditionError(
        "SetHeader must be called before the stream is closed."));
  }
  if (header.Timestamp() != Timestamp::Unset()) {
    return refuse(absl::InvalidArgumentError(
        absl::StrCat("headers must not have a timestamp, but this one has ",
                     header.Timestamp().DebugString(), ".")));
  }
  MakeExtras().header = header;
}

const Packet& OutputStream::Header() const {
  static const Packet& none = *new Packet();
  return extras_ == nullptr ? none : extras_->header;
}

OutputStream::Extras& OutputStream::MakeExtras() {
  if (extras_ == nullptr) extras_ = std::make_unique<Extras>();
  return *extras_;
}

}  // namespace syncline
