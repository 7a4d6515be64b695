#include "framework/trace/convert/perfetto_packets.h"

#include <algorithm>
#include <cstddef>

#include "framework/trace/convert/wire_writer.h"

namespace syncline {
namespace {

constexpr std::size_t kPieceSize = 64 * 1024;
// Any number but 0: there is one writer.
constexpr std::uint64_t kSequence = 1;

// Of ClockSnapshot.Clock.
constexpr std::uint64_t kRealtime = 1;
constexpr std::uint64_t kMonotonic = 3;

// Numbers of fields, by message.
constexpr int kTracePacket = 1;

constexpr int kPacketClockSnapshot = 6;
constexpr int kPacketTimestamp = 8;
constexpr int kPacketSequence = 10;
constexpr int kPacketTrackEvent = 11;
constexpr int kPacketInternedData = 12;
constexpr int kPacketSequenceFlags = 13;
constexpr int kPacketTimestampClock = 58;
constexpr int kPacketTrackDescriptor = 60;
constexpr int kPacketIsFirst = 87;

constexpr std::uint64_t kStateCleared = 1;
constexpr std::uint64_t kNeedsState = 2;

constexpr int kSnapshotClock = 1;
constexpr int kSnapshotPrimaryClock = 2;
constexpr int kClockId = 1;
constexpr int kClockTimestamp = 2;

constexpr int kTrackUuid = 1;
constexpr int kTrackName = 2;
constexpr int kTrackProcess = 3;
constexpr int kTrackThread = 4;
constexpr int kTrackParent = 5;
constexpr int kTrackCounter = 8;
constexpr int kTrackChildOrdering = 11;
constexpr int kTrackRank = 12;
constexpr std::uint64_t kOrderedByRank = 3;
constexpr int kProcessPid = 1;
constexpr int kProcessName = 6;
constexpr int kThreadPid = 1;
constexpr int kThreadTid = 2;
constexpr int kThreadName = 5;
constexpr int kCounterUnit = 3;
constexpr std::uint64_t kUnitCount = 2;

constexpr int kEventCategory = 3;
constexpr int kEventAnnotation = 4;
constexpr int kEventType = 9;
constexpr int kEventName = 10;
constexpr int kEventTrack = 11;
constexpr int kEventCounterValue = 30;
constexpr int kEventFlow = 47;
constexpr int kEventTerminatingFlow = 48;
constexpr int kEventCorrelation = 52;
constexpr int kAnnotationName = 1;
constexpr int kAnnotationInt = 4;
constexpr int kAnnotationString = 6;

constexpr int kInternedNumber = 1;
constexpr int kInternedName = 2;

std::uint64_t Bits(std::int64_t number) {
  return static_cast<std::uint64_t>(number);
}

// Times of a trace have no sign; what lies before 0 is shown at 0.
std::uint64_t TimeBits(std::int64_t ns) {
  return Bits(std::max<std::int64_t>(ns, 0));
}

}  // namespace

void PerfettoPackets::AddClockSnapshot(std::int64_t monotonic_ns,
                                       std::int64_t realtime_ns) {
  event_.clear();
  const auto add = [this](std::uint64_t clock, std::int64_t ns) {
    inner_.clear();
    inner_.AddVarint(kClockId, clock);
    inner_.AddVarint(kClockTimestamp, TimeBits(ns));
    event_.AddBytes(kSnapshotClock, inner_.bytes());
  };
  add(kMonotonic, monotonic_ns);
  add(kRealtime, realtime_ns);
  // Without this, viewers show the time since the machine was started, which
  // they cannot know here.
  event_.AddVarint(kSnapshotPrimaryClock, kMonotonic);
  packet_.clear();
  packet_.AddBytes(kPacketClockSnapshot, event_.bytes());
  packet_.AddVarint(kPacketSequence, kSequence);
  AddPacket(packet_.bytes());
}

void PerfettoPackets::AddProcess(std::uint64_t uuid, std::int64_t pid,
                                 absl::string_view name) {
  inner_.clear();
  inner_.AddVarint(kProcessPid, Bits(pid));
  if (!name.empty()) inner_.AddBytes(kProcessName, name);
  event_.clear();
  event_.AddVarint(kTrackUuid, uuid);
  event_.AddBytes(kTrackProcess, inner_.bytes());
  event_.AddVarint(kTrackChildOrdering, kOrderedByRank);
  packet_.clear();
  packet_.AddBytes(kPacketTrackDescriptor, event_.bytes());
  packet_.AddVarint(kPacketSequence, kSequence);
  AddPacket(packet_.bytes());
}

void PerfettoPackets::AddThread(std::uint64_t uuid, std::uint64_t parent,
                                std::int64_t pid, std::int64_t tid,
                                absl::string_view name) {
  inner_.clear();
  inner_.AddVarint(kThreadPid, Bits(pid));
  inner_.AddVarint(kThreadTid, Bits(tid));
  inner_.AddBytes(kThreadName, name);
  event_.clear();
  event_.AddVarint(kTrackUuid, uuid);
  event_.AddVarint(kTrackParent, parent);
  event_.AddBytes(kTrackThread, inner_.bytes());
  packet_.clear();
  packet_.AddBytes(kPacketTrackDescriptor, event_.bytes());
  packet_.AddVarint(kPacketSequence, kSequence);
  AddPacket(packet_.bytes());
}

void PerfettoPackets::AddTrack(std::uint64_t uuid, const Track& track) {
  event_.clear();
  event_.AddVarint(kTrackUuid, uuid);
  event_.AddBytes(kTrackName, track.name);
  event_.AddVarint(kTrackParent, track.parent);
  if (track.is_counter) {
    inner_.clear();
    inner_.AddVarint(kCounterUnit, kUnitCount);
    event_.AddBytes(kTrackCounter, inner_.bytes());
  }
  event_.AddVarint(kTrackRank, Bits(track.rank));
  packet_.clear();
  packet_.AddBytes(kPacketTrackDescriptor, event_.bytes());
  packet_.AddVarint(kPacketSequence, kSequence);
  AddPacket(packet_.bytes());
}

std::uint64_t PerfettoPackets::NumberOf(Table table, absl::string_view name) {
  HashMap<std::string, std::uint64_t>& numbers = numbers_[table];
  const auto found = numbers.find(name);
  if (found != numbers.end()) return found->second;
  const std::uint64_t number = numbers.size() + 1;
  numbers.emplace(name, number);
  WireWriter interned;
  interned.AddVarint(kInternedNumber, number);
  interned.AddBytes(kInternedName, name);
  new_names_.AddBytes(table, interned.bytes());
  return number;
}

void PerfettoPackets::AddEvent(const PerfettoEvent& event) {
  event_.clear();
  if (event.category != 0) {
    event_.AddVarint(kEventCategory, event.category);
  }
  for (const PerfettoEvent::Annotation& annotation : event.annotations) {
    inner_.clear();
    inner_.AddVarint(kAnnotationName, annotation.name);
    if (annotation.text.empty()) {
      inner_.AddVarint(kAnnotationInt, Bits(annotation.number));
    } else {
      inner_.AddBytes(kAnnotationString, annotation.text);
    }
    event_.AddBytes(kEventAnnotation, inner_.bytes());
  }
  event_.AddVarint(kEventType, event.type);
  if (event.name != 0) event_.AddVarint(kEventName, event.name);
  event_.AddVarint(kEventTrack, event.track);
  if (event.type == PerfettoEvent::kCounter) {
    event_.AddVarint(kEventCounterValue, Bits(event.counter));
  }
  for (const std::uint64_t flow : event.flows) {
    event_.AddFixed64(kEventFlow, flow);
  }
  for (const std::uint64_t flow : event.terminating_flows) {
    event_.AddFixed64(kEventTerminatingFlow, flow);
  }
  if (event.correlation != 0) {
    event_.AddVarint(kEventCorrelation, event.correlation);
  }

  packet_.clear();
  packet_.AddVarint(kPacketTimestamp, TimeBits(event.ns));
  packet_.AddVarint(kPacketSequence, kSequence);
  packet_.AddBytes(kPacketTrackEvent, event_.bytes());
  if (!new_names_.empty()) {
    packet_.AddBytes(kPacketInternedData, new_names_.bytes());
    new_names_.clear();
  }
  packet_.AddVarint(kPacketSequenceFlags, sequence_has_begun_
                                              ? kNeedsState
                                              : kStateCleared | kNeedsState);
  packet_.AddVarint(kPacketTimestampClock, kMonotonic);
  if (!sequence_has_begun_) packet_.AddVarint(kPacketIsFirst, 1);
  sequence_has_begun_ = true;
  AddPacket(packet_.bytes());
}

void PerfettoPackets::AddPacket(absl::string_view packet) {
  piece_.AddBytes(kTracePacket, packet);
  if (piece_.size() >= kPieceSize) HandOn();
}

void PerfettoPackets::HandOn() {
  if (status_.ok() && !piece_.empty()) status_ = write_(piece_.bytes());
  piece_.clear();
}

absl::Status PerfettoPackets::Finish() {
  HandOn();
  return status_;
}

}  // namespace syncline
