// Packets as lines of text: what run_graph reads into a graph and writes out.
//
//   # comment
//   10 three
//   20 four words on it
//   PostStream the end
//
// One packet a line: the timestamp, a space or a tab, the value up to the end
// of the line. The timestamp is a number, or PreStream, Min, Max or PostStream.
// The value is written as its type asks for: a number; true or false; a string
// with C escapes (\n, \\), since a line ends where the packet does; or a
// Protobuf message in text form. Empty lines and lines that begin with # are
// skipped. What PacketLine writes, ParsePacketLine reads.
//
// Thread rule: free functions.
// Tested by packet_lines_test.

#ifndef SYNCLINE_TOOLS_PACKET_LINES_H_
#define SYNCLINE_TOOLS_PACKET_LINES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"

namespace syncline {

// A value of the type, without a timestamp. Any type counts as a string, and of
// several types the first that can be written as text. UNIMPLEMENTED: none can.
// INVALID_ARGUMENT: the text is no such value.
absl::StatusOr<Packet> ParseValue(const PacketType& type,
                                  absl::string_view text);

// Whether ParseValue knows the type: UNIMPLEMENTED names it if not.
absl::Status CheckIsText(const PacketType& type);

// A timestamp that a packet may have, as lines begin with it. INVALID_ARGUMENT
// for other texts.
absl::StatusOr<Timestamp> ParseTimestamp(absl::string_view text);
std::string TimestampText(Timestamp timestamp);

// Those of the flags --from and --to, both included; unset where a text is
// empty. INVALID_ARGUMENT names the flag: no timestamp, or the last comes
// before the first.
struct TimestampRange {
  Timestamp from = Timestamp::Unset();
  Timestamp to = Timestamp::Unset();
};
absl::StatusOr<TimestampRange> ParseTimestampRange(const std::string& from,
                                                   const std::string& to);

// True for a line that holds no packet.
bool IsBlankLine(absl::string_view line);

// REQUIRES: the line is not blank.
absl::StatusOr<Packet> ParsePacketLine(const PacketType& type,
                                       absl::string_view line);

// The line of a packet, with its end. UNIMPLEMENTED: its type has no text.
absl::StatusOr<std::string> PacketLine(const Packet& packet);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_PACKET_LINES_H_
