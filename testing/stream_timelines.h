// Streams as aligned timelines, for people who look for what is missing.
//
//            PreStream  0  10  20
//   in                  1   2   3
//   labels   "all"
//   out                 1   -   3
//
// A column is a timestamp, a row a stream: the value of a packet, or the name
// of its type; "-" for an empty packet, which stands for a bound.
//
// Thread rule: pure function.
// Tested by stream_timelines_test.

#ifndef SYNCLINE_TESTING_STREAM_TIMELINES_H_
#define SYNCLINE_TESTING_STREAM_TIMELINES_H_

#include <string>
#include <vector>

#include "framework/packet/packet.h"

namespace syncline {

struct NamedStream {
  std::string name;
  std::vector<Packet> packets;
};

// Two packets of a stream at one timestamp share a cell: "1,2". After
// `max_columns` timestamps the picture ends with how many more there are.
std::string DrawTimelines(const std::vector<NamedStream>& streams,
                          int max_columns = 40);

}  // namespace syncline

#endif  // SYNCLINE_TESTING_STREAM_TIMELINES_H_
