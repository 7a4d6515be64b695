#include "testing/perfetto_checker.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"

namespace syncline {
namespace {

// A field of a message, as it stands on the wire.
struct Field {
  enum Wire { kVarint = 0, kFixed64 = 1, kBytes = 2 };

  int number = 0;
  int wire = 0;
  std::uint64_t value = 0;
  absl::string_view bytes;
};

// False: the bytes are no message.
bool ReadFields(absl::string_view bytes, std::vector<Field>* fields) {
  google::protobuf::io::CodedInputStream in(
      reinterpret_cast<const std::uint8_t*>(bytes.data()),
      static_cast<int>(bytes.size()));
  while (in.CurrentPosition() < static_cast<int>(bytes.size())) {
    Field field;
    const std::uint32_t tag = in.ReadTag();
    field.number = static_cast<int>(tag >> 3);
    field.wire = static_cast<int>(tag & 7);
    if (field.number == 0) return false;
    if (field.wire == Field::kVarint) {
      if (!in.ReadVarint64(&field.value)) return false;
    } else if (field.wire == Field::kFixed64) {
      if (!in.ReadLittleEndian64(&field.value)) return false;
    } else if (field.wire == Field::kBytes) {
      std::uint32_t size = 0;
      if (!in.ReadVarint32(&size)) return false;
      const auto begin = static_cast<std::size_t>(in.CurrentPosition());
      if (size > bytes.size() - begin) return false;
      field.bytes = bytes.substr(begin, size);
      if (!in.Skip(static_cast<int>(size))) return false;
    } else {
      return false;
    }
    fields->push_back(field);
  }
  return true;
}

// What the packets of one sequence have said so far.
struct Sequence {
  bool is_cleared = false;
  // By the field of InternedData: 1 categories, 2 events, 3 annotations.
  std::map<int, std::map<std::uint64_t, std::string>> names;
};

class Reader {
 public:
  PerfettoContent Read(absl::string_view file) {
    std::vector<Field> packets;
    if (!ReadFields(file, &packets)) Violation("the file is damaged");
    for (const Field& packet : packets) {
      ++packet_;
      if (packet.number != 1 || packet.wire != Field::kBytes) {
        Violation("the file has something else than packets");
        continue;
      }
      ReadPacket(packet.bytes);
    }
    for (const auto& [track, open] : open_) {
      if (!open.empty()) {
        Violation(absl::StrCat("a slice on ", TrackText(track), " has no end"));
      }
    }
    CheckFlows();
    return std::move(content_);
  }

 private:
  using Event = PerfettoContent::Event;
  using Track = PerfettoContent::Track;

  void Violation(absl::string_view what) {
    content_.violations.push_back(absl::StrCat("packet ", packet_, ": ", what));
  }

  // The fields of a message inside of the packet.
  std::vector<Field> Inner(absl::string_view bytes, absl::string_view what) {
    std::vector<Field> fields;
    if (!ReadFields(bytes, &fields)) {
      Violation(absl::StrCat("a damaged ", what));
    }
    return fields;
  }

  // Whether the field is on the wire as its type is.
  bool Is(const Field& field, Field::Wire wire) {
    if (field.wire == wire) return true;
    Violation(
        absl::StrCat("field ", field.number, " has wire type ", field.wire));
    return false;
  }

  void ReadPacket(absl::string_view bytes) {
    const std::vector<Field> fields = Inner(bytes, "packet");
    std::uint64_t sequence_id = 0;
    flags_ = 0;
    has_time_ = false;
    clock_ = 6;
    for (const Field& field : fields) {
      if (field.number == 10) sequence_id = field.value;
      if (field.number == 13) flags_ = field.value;
      if (field.number == 58) clock_ = field.value;
      if (field.number == 8) {
        has_time_ = Is(field, Field::kVarint);
        ns_ = field.value;
      }
    }
    if (sequence_id == 0) Violation("its sequence is 0");
    sequence_ = &sequences_[sequence_id];
    if ((flags_ & 1) != 0) *sequence_ = {.is_cleared = true};
    // The names of a packet hold for its event, wherever they stand.
    for (const Field& field : fields) {
      if (field.number == 12) ReadNames(field.bytes);
    }
    for (const Field& field : fields) {
      if (field.number == 6) ReadSnapshot(field.bytes);
      if (field.number == 60) ReadTrack(field.bytes);
      if (field.number == 11) ReadEvent(field.bytes);
    }
  }

  void ReadNames(absl::string_view bytes) {
    if (!sequence_->is_cleared) {
      Violation("names before the sequence was cleared");
    }
    for (const Field& table : Inner(bytes, "InternedData")) {
      std::uint64_t number = 0;
      std::string name;
      for (const Field& field : Inner(table.bytes, "name")) {
        if (field.number == 1) number = field.value;
        if (field.number == 2) name = std::string(field.bytes);
      }
      if (number == 0) Violation("a name has the number 0");
      sequence_->names[table.number][number] = name;
    }
  }

  void ReadSnapshot(absl::string_view bytes) {
    for (const Field& clock : Inner(bytes, "ClockSnapshot")) {
      if (clock.number != 1) continue;
      for (const Field& field : Inner(clock.bytes, "clock")) {
        if (field.number == 1) clocks_.insert(field.value);
      }
    }
  }

  void ReadTrack(absl::string_view bytes) {
    std::uint64_t uuid = 0;
    Track track;
    for (const Field& field : Inner(bytes, "TrackDescriptor")) {
      if (field.number == 1) uuid = field.value;
      if (field.number == 2) track.name = std::string(field.bytes);
      if (field.number == 5) track.parent = field.value;
      if (field.number == 8) track.is_counter = true;
      if (field.number == 3) ReadProcess(field.bytes, &track);
      if (field.number == 4) ReadThread(field.bytes, &track);
    }
    if (uuid == 0) Violation("a track has no uuid");
    if (track.parent != 0 && content_.tracks.count(track.parent) == 0) {
      Violation(absl::StrCat("the parent of track \"", track.name,
                             "\" is not described"));
    }
    if (!content_.tracks.emplace(uuid, track).second) {
      Violation(absl::StrCat("track ", uuid, " is described twice"));
    }
  }

  void ReadProcess(absl::string_view bytes, Track* track) {
    track->is_process = true;
    bool has_pid = false;
    for (const Field& field : Inner(bytes, "ProcessDescriptor")) {
      if (field.number == 6) track->name = std::string(field.bytes);
      if (field.number != 1) continue;
      track->pid = static_cast<std::int64_t>(field.value);
      has_pid = true;
    }
    if (!has_pid) Violation("a process without pid");
  }

  void ReadThread(absl::string_view bytes, Track* track) {
    track->is_thread = true;
    bool has_pid = false;
    bool has_tid = false;
    for (const Field& field : Inner(bytes, "ThreadDescriptor")) {
      if (field.number == 1) {
        track->pid = static_cast<std::int64_t>(field.value);
        has_pid = true;
      } else if (field.number == 2) {
        track->tid = static_cast<std::int64_t>(field.value);
        has_tid = true;
      } else if (field.number == 5) {
        track->name = std::string(field.bytes);
      }
    }
    if (!has_pid || !has_tid) Violation("a thread without pid and tid");
  }

  // --- events

  std::string Name(int table, std::uint64_t number) {
    if ((flags_ & 2) == 0) Violation("it uses names and does not say so");
    if (!sequence_->is_cleared) {
      Violation("it uses names before the sequence was cleared");
    }
    const auto& names = sequence_->names[table];
    const auto found = names.find(number);
    if (found != names.end()) return found->second;
    Violation(
        absl::StrCat("name ", number, " of table ", table, " is not known"));
    return "";
  }

  void ReadEvent(absl::string_view bytes) {
    Event event;
    event.ns = ns_;
    bool has_value = false;
    for (const Field& field : Inner(bytes, "TrackEvent")) {
      switch (field.number) {
        case 9:
          event.type = field.value;
          break;
        case 11:
          event.track = field.value;
          break;
        case 10:
          event.name = Name(2, field.value);
          break;
        case 23:
          event.name = std::string(field.bytes);
          break;
        case 3:
          event.category = Name(1, field.value);
          break;
        case 22:
          event.category = std::string(field.bytes);
          break;
        case 30:
          has_value = Is(field, Field::kVarint);
          event.counter = static_cast<std::int64_t>(field.value);
          break;
        case 47:
          if (Is(field, Field::kFixed64)) event.flows.push_back(field.value);
          break;
        case 48:
          if (Is(field, Field::kFixed64)) {
            event.terminating_flows.push_back(field.value);
          }
          break;
        case 52:
          event.correlation = field.value;
          break;
        case 4:
          ReadAnnotation(field.bytes, &event);
          break;
        default:
          Violation(absl::StrCat("an event has the field ", field.number));
      }
    }
    CheckEvent(has_value, &event);
    content_.events.push_back(std::move(event));
  }

  void ReadAnnotation(absl::string_view bytes, Event* event) {
    std::string name;
    std::string value;
    for (const Field& field : Inner(bytes, "DebugAnnotation")) {
      if (field.number == 1) name = Name(3, field.value);
      if (field.number == 10) name = std::string(field.bytes);
      if (field.number == 6) value = std::string(field.bytes);
      if (field.number == 2 || field.number == 3) {
        value = absl::StrCat(field.value);
      }
      if (field.number == 4) {
        value = absl::StrCat(static_cast<std::int64_t>(field.value));
      }
    }
    if (name.empty()) Violation("an annotation without a name");
    event->annotations[name] = value;
  }

  std::string TrackText(std::uint64_t uuid) const {
    const auto found = content_.tracks.find(uuid);
    return absl::StrCat(
        "track ", uuid, " \"",
        found == content_.tracks.end() ? "" : found->second.name, "\"");
  }

  void CheckEvent(bool has_value, Event* event) {
    const auto track = content_.tracks.find(event->track);
    const std::string on = TrackText(event->track);
    if (track == content_.tracks.end()) {
      Violation(absl::StrCat("an event on ", on, ", which is not described"));
    } else if (track->second.is_counter !=
               (event->type == PerfettoContent::kCounter)) {
      Violation(absl::StrCat("an event of type ", event->type, " on ", on));
    }
    if (!has_time_) Violation("an event without time");
    // Of the built-in clocks, viewers know this one without being told.
    if (clock_ != 6 && clocks_.count(clock_) == 0) {
      Violation(absl::StrCat("clock ", clock_, " is in no snapshot"));
    }
    std::uint64_t& last_ns = last_ns_[event->track];
    if (event->ns < last_ns) {
      Violation(absl::StrCat("time goes back on ", on));
    }
    last_ns = event->ns;
    std::vector<std::string>& open = open_[event->track];
    switch (event->type) {
      case PerfettoContent::kSliceBegin:
        open.push_back(event->name);
        break;
      case PerfettoContent::kSliceEnd:
        if (open.empty()) {
          Violation(absl::StrCat("a slice ends and has not begun, on ", on));
        } else {
          event->name = open.back();
          open.pop_back();
        }
        break;
      case PerfettoContent::kInstant:
        break;
      case PerfettoContent::kCounter:
        if (!has_value) Violation("a counter without value");
        break;
      default:
        Violation(absl::StrCat("there is no event type ", event->type));
    }
  }

  void CheckFlows() {
    std::vector<std::size_t> order(content_.events.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) {
                       return content_.events[a].ns < content_.events[b].ns;
                     });
    std::set<std::uint64_t> terminated;
    for (const std::size_t position : order) {
      const Event& event = content_.events[position];
      const auto add = [&](std::uint64_t flow) {
        content_.flows[flow].push_back(position);
        if (terminated.count(flow) != 0) {
          Violation(absl::StrCat("flow ", flow, " goes on after its end"));
        }
      };
      for (const std::uint64_t flow : event.flows) add(flow);
      for (const std::uint64_t flow : event.terminating_flows) {
        add(flow);
        terminated.insert(flow);
      }
    }
    for (const auto& [flow, ends] : content_.flows) {
      if (terminated.count(flow) == 0) {
        Violation(absl::StrCat("flow ", flow, " is not terminated"));
      }
      if (ends.size() < 2) {
        Violation(absl::StrCat("flow ", flow, " has one end only"));
      }
    }
  }

  PerfettoContent content_;
  std::map<std::uint64_t, Sequence> sequences_;
  std::set<std::uint64_t> clocks_;
  std::map<std::uint64_t, std::uint64_t> last_ns_;          // by track
  std::map<std::uint64_t, std::vector<std::string>> open_;  // by track

  // Of the current packet.
  int packet_ = -1;
  Sequence* sequence_ = nullptr;
  std::uint64_t flags_ = 0;
  std::uint64_t ns_ = 0;
  std::uint64_t clock_ = 6;
  bool has_time_ = false;
};

}  // namespace

PerfettoContent ReadPerfetto(absl::string_view file) {
  return Reader().Read(file);
}

std::vector<PerfettoContent::Event> PerfettoContent::EventsOn(
    absl::string_view track) const {
  std::vector<Event> found;
  for (const Event& event : events) {
    const auto on = tracks.find(event.track);
    if (on != tracks.end() && on->second.name == track) found.push_back(event);
  }
  return found;
}

std::vector<std::string> PerfettoContent::TrackNames() const {
  std::vector<std::string> names;
  for (const auto& [uuid, track] : tracks) names.push_back(track.name);
  return names;
}

}  // namespace syncline
