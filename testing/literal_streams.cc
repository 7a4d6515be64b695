#include "testing/literal_streams.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace syncline {

absl::Status LiteralStreams::Add(std::vector<Packet> packets) {
  Timestamp bound = Timestamp::PreStream();
  for (const Packet& packet : packets) {
    const Timestamp timestamp = packet.Timestamp();
    if (!timestamp.IsAllowedInStream()) {
      return absl::InvalidArgumentError(
          absl::StrCat("timestamp not specified or set to illegal value: ",
                       timestamp.DebugString()));
    }
    if (timestamp < bound) {
      return absl::InvalidArgumentError(absl::StrCat(
          "Current minimum expected timestamp is ", bound.DebugString(),
          " but received ", timestamp.DebugString()));
    }
    bound = timestamp.NextAllowedInStream();
  }
  streams_.push_back({std::move(packets)});
  return absl::OkStatus();
}

Timestamp LiteralStreams::Stream::Next() const {
  return next == packets.size() ? Timestamp::Done() : packets[next].Timestamp();
}

Timestamp LiteralStreams::NextTime() const {
  Timestamp earliest = Timestamp::Done();
  for (const Stream& stream : streams_) {
    earliest = std::min(earliest, stream.Next());
  }
  return earliest;
}

bool LiteralStreams::TakeTogether(InputStreamSet* inputs) {
  return Take(inputs, /*only_one=*/false);
}

bool LiteralStreams::TakeOne(InputStreamSet* inputs) {
  return Take(inputs, /*only_one=*/true);
}

bool LiteralStreams::Take(InputStreamSet* inputs, bool only_one) {
  const Timestamp at = NextTime();
  bool took_one = false;
  bool has_packet = false;
  auto input = inputs->begin();
  for (Stream& stream : streams_) {
    Packet packet;
    if (stream.Next() == at && !(only_one && took_one)) {
      packet = stream.packets[stream.next++];
      took_one = true;
    }
    if (packet.IsEmpty()) {
      packet = packet.At(std::max(packet.Timestamp(),
                                  stream.Next().PreviousAllowedInStream()));
    }
    has_packet = has_packet || !packet.IsEmpty();
    (*input++).Fill(std::move(packet), stream.Next() == Timestamp::Done());
  }
  return has_packet;
}

}  // namespace syncline
