#include "framework/trace/trace_recorder.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "absl/types/span.h"
#include "framework/base/steady_time.h"
#include "framework/trace/trace_packing.h"

namespace syncline {
namespace {

std::uint64_t NextId() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::string NameOfThisThread() {
  char name[16] = "";
  if (pthread_getname_np(pthread_self(), name, sizeof(name)) != 0) return "";
  return name;
}

std::int64_t UnixNowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::function<std::uint64_t()> ClockOf(const TraceRecorder::Options& options) {
  if (options.now_ns) return options.now_ns;
  if (HasConstantCounter()) return nullptr;
  return SteadyTicks;
}

}  // namespace

struct TraceRecorder::Shared {
  Shared(std::size_t capacity, const std::function<std::uint64_t()>* now,
         const std::atomic<TraceReader*>* reader)
      : lane(capacity, now, reader) {}
  // No thread's.
  Shared(std::size_t capacity, absl::string_view name)
      : lane(capacity, name), owners{{.name = std::string(name)}} {}

  // A thread, and its first event in the ring.
  struct Owner {
    std::uint64_t begin = 0;
    std::int64_t tid = 0;
    std::string name;
  };
  // The calling thread goes on here.
  void AddOwner() {
    const TraceRing& ring = lane.ring();
    const std::uint64_t begin = ring.written();
    // Those of which no event is there any more.
    const auto has_none = [&](const Owner& next) {
      return next.begin + ring.capacity() <= begin;
    };
    while (owners.size() > 1 && has_none(owners[1])) owners.pop_front();
    if (!owners.empty() && owners.back().begin == begin) owners.pop_back();
    owners.push_back({begin, static_cast<std::int64_t>(syscall(SYS_gettid)),
                      NameOfThisThread()});
  }

  // The thread has ended, so another one may go on here.
  std::atomic<bool> is_free{false};
  // The recorder is no more.
  std::atomic<bool> is_closed{false};
  TraceLane lane;
  // The threads whose events are in the ring, the oldest first; guarded by the
  // recorder's lock.
  std::deque<Owner> owners;
};

class TraceRecorder::OfThread {
 public:
  // Throws std::bad_alloc. Kept by a key of pthreads, since what C++ needs for
  // a thread's destructor is memory, too, and where there is none the process
  // ends.
  static OfThread& Get() {
    static const Key key;
    auto* of_thread = static_cast<OfThread*>(pthread_getspecific(key.key));
    if (of_thread == nullptr) {
      auto made = std::make_unique<OfThread>();
      if (!key.exists || pthread_setspecific(key.key, made.get()) != 0) {
        throw std::bad_alloc();
      }
      of_thread = made.release();
    }
    return *of_thread;
  }
  ~OfThread() {
    last_used_ = {0, nullptr};
    for (const Entry& entry : entries_) entry.shared->is_free.store(true);
  }

  TraceLane* Find(std::uint64_t recorder) const {
    for (const Entry& entry : entries_) {
      if (entry.recorder == recorder) return &entry.shared->lane;
    }
    return nullptr;
  }
  // Throws std::bad_alloc, so that the next Add does not: nobody would free the
  // lane.
  void PrepareAdd() { entries_.reserve(entries_.size() + 1); }
  void Add(std::uint64_t recorder, std::shared_ptr<Shared> shared) {
    std::erase_if(entries_, [](const Entry& entry) {
      return entry.shared->is_closed.load();
    });
    entries_.push_back({recorder, std::move(shared)});
  }

 private:
  struct Key {
    Key() : exists(pthread_key_create(&key, Delete) == 0) {}
    static void Delete(void* of_thread) {
      delete static_cast<OfThread*>(of_thread);
    }
    pthread_key_t key = 0;
    const bool exists;
  };
  struct Entry {
    std::uint64_t recorder;
    std::shared_ptr<Shared> shared;
  };
  std::vector<Entry> entries_;
};

TraceRecorder::TraceRecorder(Options options)
    : id_(NextId()),
      options_(std::move(options)),
      now_(ClockOf(options_)),
      start_(ClockPoint()) {}

TraceRecorder::~TraceRecorder() {
  MutexLock lock(&mutex_);
  for (const std::shared_ptr<Shared>& shared : shared_) {
    shared->is_closed.store(true);
  }
}

TraceLane* TraceRecorder::FindLane() {
  TraceLane* lane = nullptr;
  try {
    OfThread& of_thread = OfThread::Get();
    lane = of_thread.Find(id_);
    if (lane == nullptr) {
      of_thread.PrepareAdd();
      std::shared_ptr<Shared> shared = MakeLane();
      if (shared != nullptr) {
        lane = &shared->lane;
        of_thread.Add(id_, std::move(shared));
      }
    }
  } catch (const std::bad_alloc&) {
    lane = nullptr;
  }
  if (lane == nullptr) {
    num_without_lane_.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  last_used_ = {id_, lane};
  return lane;
}

std::shared_ptr<TraceRecorder::Shared> TraceRecorder::MakeLane() {
  MutexLock lock(&mutex_);
  std::shared_ptr<Shared> found;
  for (const std::shared_ptr<Shared>& shared : shared_) {
    bool is_free = true;
    if (shared->is_free.compare_exchange_strong(is_free, false)) {
      found = shared;
      break;
    }
  }
  if (found == nullptr) {
    found = std::make_shared<Shared>(options_.events_per_lane,
                                     now_ ? &now_ : nullptr, &reader_);
    if (!AddLane(found)) return nullptr;
  }
  try {
    found->AddOwner();
  } catch (const std::bad_alloc&) {
    found->is_free.store(true);
    throw;
  }
  return found;
}

bool TraceRecorder::AddLane(std::shared_ptr<Shared> lane) {
  const int index = num_lanes_.load(std::memory_order_relaxed);
  if (index >= std::min(options_.max_lanes, kMostLanes)) return false;
  TraceLane* const added = &lane->lane;
  shared_.push_back(std::move(lane));
  lanes_[index].store(added, std::memory_order_release);
  num_lanes_.store(index + 1, std::memory_order_release);
  return true;
}

std::shared_ptr<TraceRecorder::Shared> TraceRecorder::MakeLaneOfDevices() {
  try {
    auto made =
        std::make_shared<Shared>(options_.events_per_lane, kDevicesThreadName);
    return AddLane(made) ? made : nullptr;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

std::uint64_t TraceRecorder::TickOf(std::int64_t steady_ns,
                                    const TraceClockPoint& now) const {
  const std::int64_t ns_since = now.steady_ns - start_.steady_ns;
  if (ns_since <= 0) return now.tick;
  const double ticks_per_ns =
      static_cast<double>(now.tick - start_.tick) / ns_since;
  const double ticks = (now.steady_ns - steady_ns) * ticks_per_ns;
  // Work that began before the trace did begins with it.
  if (ticks >= static_cast<double>(now.tick - start_.tick)) return start_.tick;
  return now.tick - static_cast<std::uint64_t>(std::max(0.0, ticks));
}

void TraceRecorder::NoteDeviceWork(int node, std::int64_t timestamp,
                                   std::uint32_t stream, std::int64_t begin_ns,
                                   std::int64_t end_ns) {
  if (has_given_clock()) return;
  const TraceClockPoint now = ClockPoint();
  MutexLock lock(&mutex_);
  if (devices_ == nullptr) devices_ = MakeLaneOfDevices();
  if (devices_ == nullptr) {
    num_without_lane_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  TraceLane& lane = devices_->lane;
  lane.SetTick(TickOf(begin_ns, now));
  lane.Note(TraceKind::kDeviceBegin, node, timestamp, stream);
  lane.SetTick(TickOf(end_ns, now));
  lane.Note(TraceKind::kDeviceEnd, node, timestamp, stream);
}

TraceClockPoint TraceRecorder::ClockPoint() const {
  TraceClockPoint point;
  point.tick = NowTick();
  point.steady_ns =
      options_.now_ns ? static_cast<std::int64_t>(point.tick) : SteadyNowNs();
  point.unix_ns = UnixNowNs();
  return point;
}

TraceThread TraceRecorder::TakeLane(Shared* shared, std::uint64_t from,
                                    std::uint64_t until,
                                    std::vector<TraceEvent>* events,
                                    std::uint64_t* end) const {
  const TraceRing::Found found = shared->lane.ring().Read(from, events);
  // From the first one that is too young on, so that the next part goes on
  // there.
  const auto too_young =
      std::find_if(events->begin(), events->end(),
                   [&](const TraceEvent& event) { return event.tick > until; });
  events->erase(too_young, events->end());
  TraceThread thread;
  thread.num_lost = static_cast<std::int64_t>(found.num_lost);
  *end = found.begin + events->size();
  const std::deque<Shared::Owner>& owners = shared->owners;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const bool is_last = i + 1 == owners.size() || owners[i + 1].begin >= *end;
    if (is_last) {
      thread.tid = owners[i].tid;
      thread.name = owners[i].name;
      break;
    }
    if (owners[i + 1].begin <= found.begin) continue;
    const std::uint64_t begin = std::max(owners[i].begin, found.begin);
    thread.former.push_back(
        {owners[i].tid, owners[i].name,
         NumUnpacked(absl::MakeConstSpan(*events).subspan(
             begin - found.begin, owners[i + 1].begin - begin))});
  }
  Unpack(events);
  return thread;
}

std::uint64_t TraceRecorder::NumSkipped(const Shared& shared,
                                        std::uint64_t from,
                                        const Position* position) {
  if (position == nullptr) return 0;
  const std::uint64_t waiting = shared.lane.ring().written() - from;
  return waiting - std::min(waiting, position->most_of_lane);
}

Trace TraceRecorder::Take(const TraceFileHeader& header, Position* position,
                          Extent extent) const {
  Trace trace;
  trace.header = header;
  auto storage = std::make_shared<std::vector<std::vector<TraceEvent>>>();
  MutexLock lock(&mutex_);
  // Read before the first lane is. What an event follows from is in its lane
  // before the clock is read for that event.
  const std::uint64_t until = extent == Extent::kUntilNow
                                  ? NowTick()
                                  : std::numeric_limits<std::uint64_t>::max();
  storage->resize(shared_.size());
  if (position != nullptr) position->lanes.resize(shared_.size(), 0);
  for (std::size_t i = 0; i < shared_.size(); ++i) {
    Shared& shared = *shared_[i];
    std::vector<TraceEvent>& events = (*storage)[i];
    const std::uint64_t from = position == nullptr ? 0 : position->lanes[i];
    const std::uint64_t skipped = NumSkipped(shared, from, position);
    std::uint64_t end = 0;
    TraceThread& thread = trace.threads.emplace_back(
        TakeLane(&shared, from + skipped, until, &events, &end));
    thread.num_lost += static_cast<std::int64_t>(skipped);
    if (position != nullptr) {
      position->lanes[i] = end;
      if (position->is_of_reader) shared.lane.HasRead(position->lanes[i]);
    }
    if (shared_[i] == devices_) SortByTick(&events);
    thread.events.Append(events, thread.num_lost);
  }
  trace.clock_points = {start_, ClockPoint()};
  trace.num_lost_elsewhere = num_without_lane();
  if (position != nullptr) {
    trace.num_lost_elsewhere -=
        std::exchange(position->num_without_lane, trace.num_lost_elsewhere);
  }
  trace.storage = std::move(storage);
  return trace;
}

}  // namespace syncline
