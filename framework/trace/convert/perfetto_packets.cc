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
    AppendVarintField(kClockId, clock, &inner_);
    AppendVarintField(kClockTimestamp, TimeBits(ns), &inner_);
    AppendBytesField(kSnapshotClock, inner_, &event_);
  };
  add(kMonotonic, monotonic_ns);
  add(kRealtime, realtime_ns);
  // Without this, viewers show the time since the machine was started, which
  // they cannot know here.
  AppendVarintField(kSnapshotPrimaryClock, kMonotonic, &event_);
  packet_.clear();
  AppendBytesField(kPacketClockSnapshot, event_, &packet_);
  AppendVarintField(kPacketSequence, kSequence, &packet_);
  AddPacket(packet_);
}

void PerfettoPackets::AddProcess(std::uint64_t uuid, std::int64_t pid,
                                 absl::string_view name) {
  inner_.clear();
  AppendVarintField(kProcessPid, Bits(pid), &inner_);
  if (!name.empty()) AppendBytesField(kProcessName, name, &inner_);
  event_.clear();
  AppendVarintField(kTrackUuid, uuid, &event_);
  AppendBytesField(kTrackProcess, inner_, &event_);
  AppendVarintField(kTrackChildOrdering, kOrderedByRank, &event_);
  packet_.clear();
  AppendBytesField(kPacketTrackDescriptor, event_, &packet_);
  AppendVarintField(kPacketSequence, kSequence, &packet_);
  AddPacket(packet_);
}

void PerfettoPackets::AddThread(std::uint64_t uuid, std::uint64_t parent,
                                std::int64_t pid, std::int64_t tid,
                                absl::string_view name) {
  inner_.clear();
  AppendVarintField(kThreadPid, Bits(pid), &inner_);
  AppendVarintField(kThreadTid, Bits(tid), &inner_);
  AppendBytesField(kThreadName, name, &inner_);
  event_.clear();
  AppendVarintField(kTrackUuid, uuid, &event_);
  AppendVarintField(kTrackParent, parent, &event_);
  AppendBytesField(kTrackThread, inner_, &event_);
  packet_.clear();
  AppendBytesField(kPacketTrackDescriptor, event_, &packet_);
  AppendVarintField(kPacketSequence, kSequence, &packet_);
  AddPacket(packet_);
}

void PerfettoPackets::AddTrack(std::uint64_t uuid, const Track& track) {
  event_.clear();
  AppendVarintField(kTrackUuid, uuid, &event_);
  AppendBytesField(kTrackName, track.name, &event_);
  AppendVarintField(kTrackParent, track.parent, &event_);
  if (track.is_counter) {
    inner_.clear();
    AppendVarintField(kCounterUnit, kUnitCount, &inner_);
    AppendBytesField(kTrackCounter, inner_, &event_);
  }
  AppendVarintField(kTrackRank, Bits(track.rank), &event_);
  packet_.clear();
  AppendBytesField(kPacketTrackDescriptor, event_, &packet_);
  AppendVarintField(kPacketSequence, kSequence, &packet_);
  AddPacket(packet_);
}

std::uint64_t PerfettoPackets::NumberOf(Table table, absl::string_view name) {
  HashMap<std::string, std::uint64_t>& numbers = numbers_[table];
  const auto found = numbers.find(name);
  if (found != numbers.end()) return found->second;
  const std::uint64_t number = numbers.size() + 1;
  numbers.emplace(name, number);
  std::string interned;
  AppendVarintField(kInternedNumber, number, &interned);
  AppendBytesField(kInternedName, name, &interned);
  AppendBytesField(table, interned, &new_names_);
  return number;
}

void PerfettoPackets::AddEvent(const PerfettoEvent& event) {
  event_.clear();
  if (event.category != 0) {
    AppendVarintField(kEventCategory, event.category, &event_);
  }
  for (const PerfettoEvent::Annotation& annotation : event.annotations) {
    inner_.clear();
    AppendVarintField(kAnnotationName, annotation.name, &inner_);
    if (annotation.text.empty()) {
      AppendVarintField(kAnnotationInt, Bits(annotation.number), &inner_);
    } else {
      AppendBytesField(kAnnotationString, annotation.text, &inner_);
    }
    AppendBytesField(kEventAnnotation, inner_, &event_);
  }
  AppendVarintField(kEventType, event.type, &event_);
  if (event.name != 0) AppendVarintField(kEventName, event.name, &event_);
  AppendVarintField(kEventTrack, event.track, &event_);
  if (event.type == PerfettoEvent::kCounter) {
    AppendVarintField(kEventCounterValue, Bits(event.counter), &event_);
  }
  for (const std::uint64_t flow : event.flows) {
    AppendFixed64Field(kEventFlow, flow, &event_);
  }
  for (const std::uint64_t flow : event.terminating_flows) {
    AppendFixed64Field(kEventTerminatingFlow, flow, &event_);
  }
  if (event.correlation != 0) {
    AppendVarintField(kEventCorrelation, event.correlation, &event_);
  }

  packet_.clear();
  AppendVarintField(kPacketTimestamp, TimeBits(event.ns), &packet_);
  AppendVarintField(kPacketSequence, kSequence, &packet_);
  AppendBytesField(kPacketTrackEvent, event_, &packet_);
  if (!new_names_.empty()) {
    AppendBytesField(kPacketInternedData, new_names_, &packet_);
    new_names_.clear();
  }
  AppendVarintField(
      kPacketSequenceFlags,
      sequence_has_begun_ ? kNeedsState : kStateCleared | kNeedsState,
      &packet_);
  AppendVarintField(kPacketTimestampClock, kMonotonic, &packet_);
  if (!sequence_has_begun_) AppendVarintField(kPacketIsFirst, 1, &packet_);
  sequence_has_begun_ = true;
  AddPacket(packet_);
}

void PerfettoPackets::AddPacket(absl::string_view packet) {
  AppendBytesField(kTracePacket, packet, &piece_);
  if (piece_.size() >= kPieceSize) HandOn();
}

void PerfettoPackets::HandOn() {
  if (status_.ok() && !piece_.empty()) status_ = write_(piece_);
  piece_.clear();
}

absl::Status PerfettoPackets::Finish() {
  HandOn();
  return status_;
}

}  // namespace syncline
