// What is in a recording: an SQLite file with one row for each packet.
//
//   table
//   info           key, value: what made the file, when, how the run ended
//   stream         id, name, is_input, type: the recorded streams
//   packet         seq, stream, timestamp, arrival_ns, data: one row a packet
//   bound          seq, stream, bound, arrival_ns: what streams promised
//   gap            seq, stream, packets: dropped, as the disk was too slow
//   packet_time    seq, acquisition_ns, publication_ns: of a packet, by the
//                  graph's clock, where an input keeps message times
//   side_packet    name, type, data: what the run was given
//   input_header   name, type, data: the headers of its inputs
//   message        name, descriptors: the Protobuf messages among the types
//
// and for each stream NAME a view stream_NAME with readable timestamps and
// sizes. `seq` counts packets, bounds and gaps together, in order of arrival.
// `timestamp` and `bound` are as Timestamp::Value() has them, a bound of
// Timestamp::Done() where a stream ended; `arrival_ns` counts from the start of
// the recording.
//
// Version 1 had no headers, and no ends of streams; version 2 called the table
// of headers stream_header, which a view may be called, too; version 3 had no
// times beside packets.
//
// The file is complete up to the last commit whatever becomes of the program:
// SQLite rolls back the rest when the file is opened next. (A failing machine
// is another matter: nothing waits for the disk itself.) Until then the file
// FILE-journal belongs to it. While a recording is made no other program can
// open it, as a reader would hold the commits up.
//
// Thread rule: values; RecordingWriter and RecordingReader say their own.

#ifndef SYNCLINE_FRAMEWORK_RECORDING_RECORDING_FILE_H_
#define SYNCLINE_FRAMEWORK_RECORDING_RECORDING_FILE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "framework/calculator/packet_times.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/timestamp.h"

namespace syncline {

// The version that is written, and the oldest that is read. Files of versions
// outside of these two are refused.
inline constexpr int kRecordingVersion = 4;
inline constexpr int kOldestRecordingVersion = 1;
// "SYNL": how `file` and SQLite tell recordings from other databases.
inline constexpr int kRecordingApplicationId = 0x53594e4c;

struct RecordedStream {
  std::string name;
  // Packets came from outside of the graph.
  bool is_input = false;
  // The name of the type of the packets, from SYNCLINE_REGISTER_TYPE or
  // Protobuf. Empty: no packet came, and the graph does not say the type
  // either.
  std::string type;
};

// A side packet of the run, or the header of the graph input `name`.
struct RecordedSidePacket {
  std::string name;
  std::string type;
  std::string data;
};

// A packet, a bound or a gap.
struct RecordedEvent {
  enum Kind { kPacket, kBound, kGap };

  Kind kind = kPacket;
  // From 1, in order of arrival.
  std::int64_t seq = 0;
  // Index into the recording's streams.
  int stream = 0;
  // For a packet: its timestamp. For a bound: the earliest timestamp that may
  // still come; Timestamp::Done() when the stream has ended.
  Timestamp timestamp;
  std::int64_t arrival_ns = 0;
  // For a packet: its value, as BytesOfPacket gives it.
  std::string data;
  // For a packet: its message times, if an input keeps them; without
  // arrival_ns, which is set anew.
  PacketTimes times;
  // For a gap: the number of packets that are missing.
  std::int64_t packets = 0;
};

struct RecordingHeader {
  // The graph as it ran: expanded and canonical.
  CalculatorGraphConfig graph;
  std::vector<RecordedStream> streams;
  std::vector<RecordedSidePacket> side_packets;
  std::vector<RecordedSidePacket> stream_headers;
  // By name of a message, how it is read: a serialized FileDescriptorSet. Those
  // of the types above that this program knows need not be here to be written.
  std::map<std::string, std::string> messages;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RECORDING_RECORDING_FILE_H_
