// PerfettoPackets: the packets of a Perfetto trace, in the order in which they
// are written.
//
//   PerfettoPackets packets(write);
//   packets.AddProcess(1, pid, "program");
//   packets.AddTrack(2, {.parent = 1, .name = "node"});
//   PerfettoEvent event;
//   event.type = PerfettoEvent::kInstant;
//   event.track = 2;
//   event.name = packets.EventName("dropped");
//   packets.AddEvent(event);
//   return packets.Finish();
//
// A .pftrace file is these packets, one behind the other. All are of one
// sequence. Names are written once and numbered ("interned"): with the first
// event after the one that asked for the number. The clock is CLOCK_MONOTONIC.
//
// Bytes are handed on in pieces of about 64 KiB. After the first error of
// `write` nothing more is handed on, and Finish returns that error.
//
// Thread rule: for one thread at a time.
// Tested by perfetto_packets_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_PACKETS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_PACKETS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/trace/convert/wire_writer.h"

namespace syncline {

struct PerfettoEvent {
  // The numbers of TrackEvent.Type.
  enum Type { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4 };
  // What the viewer shows beside the event. `text` counts unless it is empty.
  struct Annotation {
    std::uint64_t name = 0;  // from AnnotationName
    std::int64_t number = 0;
    absl::string_view text;
  };

  Type type = kInstant;
  std::uint64_t track = 0;
  std::int64_t ns = 0;
  // From EventName and CategoryName; 0: none.
  std::uint64_t name = 0;
  std::uint64_t category = 0;
  std::int64_t counter = 0;
  // Events with the same number are joined; 0: none.
  std::uint64_t correlation = 0;
  // An arrow goes from event to event, in the order of time. The last one
  // terminates the flow.
  std::vector<std::uint64_t> flows;
  std::vector<std::uint64_t> terminating_flows;
  std::vector<Annotation> annotations;
};

class PerfettoPackets {
 public:
  using Write = std::function<absl::Status(absl::string_view piece)>;
  struct Track {
    std::uint64_t parent = 0;
    absl::string_view name;
    // It shows the value of kCounter events, a number of things.
    bool is_counter = false;
    // Of the children of one parent, the least comes first.
    int rank = 0;
  };

  explicit PerfettoPackets(Write write) : write_(std::move(write)) {}

  // That the same moment has these times in two clocks.
  void AddClockSnapshot(std::int64_t monotonic_ns, std::int64_t realtime_ns);
  // A track has to be added before its children and its events. The children
  // of the process are shown by rank.
  void AddProcess(std::uint64_t uuid, std::int64_t pid, absl::string_view name);
  void AddThread(std::uint64_t uuid, std::uint64_t parent, std::int64_t pid,
                 std::int64_t tid, absl::string_view name);
  void AddTrack(std::uint64_t uuid, const Track& track);

  // The number of the name, never 0.
  std::uint64_t EventName(absl::string_view name) {
    return NumberOf(kEventNames, name);
  }
  std::uint64_t CategoryName(absl::string_view name) {
    return NumberOf(kCategories, name);
  }
  std::uint64_t AnnotationName(absl::string_view name) {
    return NumberOf(kAnnotationNames, name);
  }
  // Events of one track come in the order of time.
  void AddEvent(const PerfettoEvent& event);

  // Hands on what is left.
  absl::Status Finish();

 private:
  // The fields of InternedData.
  enum Table { kCategories = 1, kEventNames = 2, kAnnotationNames = 3 };

  std::uint64_t NumberOf(Table table, absl::string_view name);
  // Appends the packet and hands a full piece on.
  void AddPacket(absl::string_view packet);
  void HandOn();

  const Write write_;
  absl::Status status_;
  WireWriter piece_;
  std::array<HashMap<std::string, std::uint64_t>, 4> numbers_;
  // An InternedData with the names that no event has brought yet.
  WireWriter new_names_;
  bool sequence_has_begun_ = false;
  // Kept for their memory.
  WireWriter packet_;
  WireWriter event_;
  WireWriter inner_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_PACKETS_H_
