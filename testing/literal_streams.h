// LiteralStreams: streams whose packets are all known from the start, and the
// input sets that a node makes of them.
//
// An empty packet at t in a stream stands for a bound: nothing comes up to t.
// Since all is known, a stream without a packet at some time is settled up to
// its next one, and to the end after its last.
//
// Thread rule: for one thread.
// Tested by literal_streams_test.

#ifndef SYNCLINE_TESTING_LITERAL_STREAMS_H_
#define SYNCLINE_TESTING_LITERAL_STREAMS_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {

class LiteralStreams {
 public:
  // Adds a stream, for the next port in the order of ids.
  // INVALID_ARGUMENT if no stream could carry these packets.
  absl::Status Add(std::vector<Packet> packets);

  // The earliest time at which some stream has something; Done() at the end.
  Timestamp NextTime() const;

  // Takes what all streams have at NextTime() and shows every stream at that
  // time. True if there was a packet, not merely a bound.
  bool TakeTogether(InputStreamSet* inputs);

  // Takes from one stream only, the first of those that have something at
  // NextTime(); the others have no packet. For nodes that take packets as they
  // come.
  bool TakeOne(InputStreamSet* inputs);

 private:
  struct Stream {
    std::vector<Packet> packets;
    std::size_t next = 0;

    // The time of the next one; Done() at the end.
    Timestamp Next() const;
  };

  bool Take(InputStreamSet* inputs, bool only_one);

  std::vector<Stream> streams_;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_LITERAL_STREAMS_H_
