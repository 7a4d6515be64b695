// ReadPerfetto: a Perfetto trace, read by the numbers of Perfetto's public
// schema alone, and what breaks the rules that viewers rely on.
//
//   const PerfettoContent content = ReadPerfetto(file);
//   EXPECT_THAT(content.violations, IsEmpty());
//   EXPECT_THAT(content.EventsOn("worker"), ...);
//
// The rules:
//   - packets are well formed, and have a sequence that is not 0
//   - names that stand as numbers are known, since the sequence was cleared,
//     and who uses them says that it needs them
//   - a track is described once, before its events and its children; threads
//     have pid and tid, processes a pid
//   - events of a track are in the order of time; its slices nest and end
//   - counter values are on counter tracks, and nothing else is
//   - a flow has two ends or more, and its last end, and no other, terminates
//   it
//   - the clock of an event is in a snapshot that came before
//
// It shares no code with what writes traces.
//
// Thread rule: a pure function.
// Tested by perfetto_checker_test.

#ifndef SYNCLINE_TESTING_PERFETTO_CHECKER_H_
#define SYNCLINE_TESTING_PERFETTO_CHECKER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace syncline {

struct PerfettoContent {
  struct Track {
    std::uint64_t parent = 0;
    std::string name;  // of the thread or process, if it is one
    bool is_process = false;
    bool is_thread = false;
    bool is_counter = false;
    std::int64_t pid = 0;
    std::int64_t tid = 0;
  };
  // With the numbers of TrackEvent.Type.
  enum Type { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4 };
  struct Event {
    std::uint64_t type = 0;
    std::uint64_t track = 0;
    std::uint64_t ns = 0;
    // Of an end: of the begin that it ends.
    std::string name;
    std::string category;
    std::int64_t counter = 0;
    std::uint64_t correlation = 0;
    std::vector<std::uint64_t> flows;
    std::vector<std::uint64_t> terminating_flows;
    std::map<std::string, std::string> annotations;
  };

  // In the order of the file.
  std::vector<Event> events;
  std::map<std::uint64_t, Track> tracks;
  // For each flow, its ends in the order of time: positions in `events`.
  std::map<std::uint64_t, std::vector<std::size_t>> flows;
  // "packet 12: ...".
  std::vector<std::string> violations;

  // The events on all tracks of this name.
  std::vector<Event> EventsOn(absl::string_view track) const;
  std::vector<std::string> TrackNames() const;
};

PerfettoContent ReadPerfetto(absl::string_view file);

}  // namespace syncline

#endif  // SYNCLINE_TESTING_PERFETTO_CHECKER_H_
