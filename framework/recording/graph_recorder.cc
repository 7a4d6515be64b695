#include "framework/recording/graph_recorder.h"

#include <atomic>
#include <deque>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/base/steady_time.h"
#include "framework/base/type_id.h"
#include "framework/calculator/packet_times.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/packet/type_map.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/described_observer.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// A stream whose type nobody says may have any type: then each packet is looked
// at.
absl::Status CheckTypeHasBytes(const PacketType& type) {
  absl::Status status;
  for (const TypeId candidate : type.Types()) {
    status = CheckHasBytes(candidate);
    if (status.ok()) return status;
  }
  return status;
}

RecordedStream StreamOf(const PlanStream& stream) {
  RecordedStream recorded;
  recorded.name = std::string(stream.name);
  recorded.is_input = stream.producer.node < 0;
  if (stream.type->Types().size() == 1) {
    recorded.type = RegisteredNameOfType(stream.type->Types().front());
  }
  return recorded;
}

absl::StatusOr<std::vector<RecordedStream>> ChooseStreams(
    const GraphPlan& plan, const std::vector<std::string>& names) {
  std::vector<RecordedStream> chosen;
  const auto add = [&chosen](const PlanStream& stream) {
    for (const RecordedStream& other : chosen) {
      if (other.name == stream.name) return;
    }
    chosen.push_back(StreamOf(stream));
  };
  const auto add_inputs = [&] {
    for (const PlanGraphInput& input : plan.graph_inputs()) {
      add(plan.streams()[input.stream]);
    }
  };
  if (names.empty()) add_inputs();
  for (const std::string& name : names) {
    if (name == "*") {
      add_inputs();
      for (const PlanStream& stream : plan.streams()) {
        if (CheckTypeHasBytes(*stream.type).ok()) add(stream);
      }
      continue;
    }
    const int id = plan.FindStream(name);
    if (id < 0) {
      return absl::NotFoundError(absl::StrCat(
          "there is no stream \"", absl::Utf8SafeCHexEscape(name),
          "\" to record in the graph: run_graph --check lists all"));
    }
    add(plan.streams()[id]);
  }
  for (const RecordedStream& stream : chosen) {
    SYNCLINE_RETURN_IF_ERROR(PrefixStatus(
        absl::StrCat("stream \"", stream.name, "\" cannot be recorded: "),
        CheckTypeHasBytes(*plan.streams()[plan.FindStream(stream.name)].type)));
  }
  if (chosen.empty()) {
    return absl::InvalidArgumentError(
        "the graph has no inputs to record: choose streams of it, which for "
        "run_graph is --record_streams=STREAM,..., or \"*\" for all whose "
        "types "
        "can be written");
  }
  return chosen;
}

// The bytes of packets that the run is given before it starts; `what` names
// them in errors.
absl::StatusOr<std::vector<RecordedSidePacket>> BytesOf(
    const std::map<std::string, Packet>& packets, absl::string_view what) {
  std::vector<RecordedSidePacket> recorded;
  for (const auto& [name, packet] : packets) {
    // An empty packet is as good as none.
    if (packet.IsEmpty()) continue;
    SYNCLINE_ASSIGN_OR_RETURN(
        std::string bytes, BytesOfPacket(packet),
        _.SetPrepend() << what << " \"" << name << "\" cannot be recorded: ");
    recorded.push_back({name, TypeNameOfPacket(packet), std::move(bytes)});
  }
  return recorded;
}

// Message times of packets of one stream that are about to come. A stream whose
// times nobody keeps has none.
class NotedTimes {
 public:
  void Note(const Packet& packet, const PacketTimes& times)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    has_any_.store(true, std::memory_order_relaxed);
    noted_.push_back({packet.Timestamp(), times});
  }
  PacketTimes Take(const Packet& packet) ABSL_LOCKS_EXCLUDED(mutex_) {
    if (!has_any_.load(std::memory_order_relaxed)) return PacketTimes();
    MutexLock lock(&mutex_);
    // After an error there may be times in front whose packets never came.
    while (!noted_.empty() && noted_.front().first < packet.Timestamp()) {
      noted_.pop_front();
    }
    if (noted_.empty() || noted_.front().first != packet.Timestamp()) {
      return PacketTimes();
    }
    const PacketTimes times = noted_.front().second;
    noted_.pop_front();
    return times;
  }

 private:
  std::atomic<bool> has_any_{false};
  Mutex mutex_;
  std::deque<std::pair<Timestamp, PacketTimes>> noted_ ABSL_GUARDED_BY(mutex_);
};

// Adds to an error of a disk that is full or broken that the file is kept. (A
// file that could not be begun is removed.)
absl::Status WithWhatIsKept(const absl::Status& status) {
  if (!absl::IsResourceExhausted(status) && !absl::IsUnavailable(status)) {
    return status;
  }
  return absl::Status(
      status.code(),
      absl::StrCat(status.message(), "; what was committed before is kept"));
}

}  // namespace

// What observers, the thread that writes, and the recorder share.
//   new --Start--> writing --Finish--> finished
//                     | error: failed, until Finish
class GraphRecorder::Log {
 public:
  Log(CalculatorGraph* graph, std::string path,
      std::vector<RecordedStream> streams, const RecordingOptions& options)
      : graph_(graph),
        path_(std::move(path)),
        options_(options),
        gather_(options.commit_every / 4),
        queue_(options.when_full, options.max_waiting_bytes,
               [this](int stream) { WarnOfSlowDisk(stream); }),
        streams_(std::move(streams)),
        times_(streams_.size()) {}
  ~Log() { Stop(); }

  bool is_idle() const { return is_idle_; }

  absl::Status Start(std::unique_ptr<RecordingWriter> writer) {
    is_idle_ = false;
    writer_ = std::move(writer);
    try {
      thread_ = std::thread([this] { Write(); });
    } catch (const std::system_error& error) {
      // An empty recording would be in the way of the next try.
      std::exchange(writer_, nullptr)->Discard();
      Note(absl::ResourceExhaustedError(
          absl::StrCat("there is no thread to write \"",
                       absl::Utf8SafeCHexEscape(path_), "\": ", error.what())));
      return status();
    }
    is_writing_.store(true, std::memory_order_release);
    return absl::OkStatus();
  }

  // Called on threads of the graph. After an error no packet is taken any more:
  // the run is about to end with the error.
  void Put(int stream, const Packet& packet) {
    if (!is_writing_.load(std::memory_order_acquire)) return;
    queue_.Put(stream, packet,
               packet.IsEmpty() ? PacketTimes() : times_[stream].Take(packet));
  }
  // Called before the packet is put, on the thread that sends it.
  void NoteTimes(int stream, const Packet& packet, const PacketTimes& times) {
    if (!is_writing_.load(std::memory_order_acquire)) return;
    times_[stream].Note(packet, times);
  }

  absl::Status Finish(const absl::Status& run) {
    Stop();
    if (writer_ == nullptr) return status();
    if (status().ok()) {
      Note(CatchExceptions(
          [&] { return WithWhatIsKept(writer_->Finish(run.ToString())); }));
    }
    writer_.reset();
    return status();
  }

  RecordingQueue::Counts counts() const { return queue_.counts(); }

 private:
  void Stop() {
    is_writing_.store(false, std::memory_order_release);
    queue_.Close();
    if (thread_.joinable()) thread_.join();
  }

  // Called on the thread that is about to wait, or to drop a packet.
  void WarnOfSlowDisk(int stream) const {
    const bool drops = options_.when_full == RecordingQueue::WhenFull::kDrop;
    LOG(WARNING) << "Recording \"" << absl::Utf8SafeCHexEscape(path_)
                 << "\": the disk is too slow. " << options_.max_waiting_bytes
                 << " bytes wait for it already, so "
                 << (drops ? "packets are dropped, the first of stream \""
                           : "the graph waits, first for stream \"")
                 << streams_[stream].name
                 << (drops ? "\"; gaps in the file say how many"
                           : "\"; nothing is lost")
                 << ". Record fewer streams, on a faster disk or with a larger "
                    "max_waiting_bytes, or "
                 << (drops
                         ? "let the graph wait (--record_when_full=block)."
                         : "let packets be dropped (--record_when_full=drop).");
  }

  void Note(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    status_.Update(status);
  }
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return status_;
  }

  // The thread.
  void Write() {
    std::vector<RecordingQueue::Entry> entries;
    for (;;) {
      bool has_taken = false;
      // Memory may run out here, too.
      const absl::Status status = CatchExceptions([&]() -> absl::Status {
        has_taken = queue_.Take(gather_, &entries);
        return has_taken ? WriteAll(entries) : absl::OkStatus();
      });
      if (status.ok() && !has_taken) return;
      if (status.ok()) continue;
      Note(status);
      // Keeps the packets that came before, if the file can still take them.
      CatchExceptions([&] { return writer_->Commit(); }).IgnoreError();
      // The queue is closed before the error is recorded: that may send packets
      // on this thread.
      queue_.Close();
      graph_->RecordError(CatchExceptions([&] {
        return PrefixStatus("recording failed: ", WithWhatIsKept(status));
      }));
      return;
    }
  }

  // Commits at the end, and meanwhile if that takes long.
  absl::Status WriteAll(const std::vector<RecordingQueue::Entry>& entries) {
    std::int64_t start_ns = SteadyNowNs();
    for (const RecordingQueue::Entry& entry : entries) {
      SYNCLINE_RETURN_IF_ERROR(WriteOne(entry));
      if (SteadyNowNs() - start_ns < absl::ToInt64Nanoseconds(gather_))
        continue;
      SYNCLINE_RETURN_IF_ERROR(writer_->Commit());
      start_ns = SteadyNowNs();
    }
    return writer_->Commit();
  }

  absl::Status WriteOne(const RecordingQueue::Entry& entry) {
    if (entry.missing > 0) {
      return writer_->AppendGap(entry.seq, entry.stream, entry.missing);
    }
    const Timestamp timestamp = entry.packet.Timestamp();
    if (entry.packet.IsEmpty()) {
      return writer_->AppendBound(entry.seq, entry.stream, timestamp,
                                  entry.arrival_ns);
    }
    const absl::Status status = WritePacket(entry);
    if (status.ok()) return status;
    return PrefixStatus(absl::StrCat("stream \"", streams_[entry.stream].name,
                                     "\" at ", timestamp.DebugString(), ": "),
                        status);
  }

  absl::Status WritePacket(const RecordingQueue::Entry& entry) {
    SYNCLINE_RETURN_IF_ERROR(CheckType(entry));
    SYNCLINE_ASSIGN_OR_RETURN(const std::string bytes,
                              BytesOfPacket(entry.packet));
    return writer_->AppendPacket(entry.seq, entry.stream,
                                 entry.packet.Timestamp(), entry.arrival_ns,
                                 bytes, entry.times);
  }

  // A stream of any type is of that of its first packet.
  absl::Status CheckType(const RecordingQueue::Entry& entry) {
    std::string& type = streams_[entry.stream].type;
    if (entry.packet.GetTypeId() == last_type_id_ &&
        last_type_stream_ == entry.stream) {
      return absl::OkStatus();
    }
    std::string name = TypeNameOfPacket(entry.packet);
    if (type.empty()) {
      SYNCLINE_RETURN_IF_ERROR(writer_->SetStreamType(entry.stream, name));
      type = std::move(name);
    } else if (type != name) {
      return absl::UnimplementedError(absl::StrCat(
          "it carries packets of type \"", type, "\" and, now, of type \"",
          name, "\": only streams of one type can be recorded"));
    }
    last_type_id_ = entry.packet.GetTypeId();
    last_type_stream_ = entry.stream;
    return absl::OkStatus();
  }

  CalculatorGraph* const graph_;
  const std::string path_;
  const RecordingOptions options_;
  // How old a packet becomes before it is written. What comes while others are
  // written waits for that, too, so most of the time is for writing, and for
  // machines that are busy.
  const absl::Duration gather_;
  RecordingQueue queue_;
  bool is_idle_ = true;
  // Outside of Start and Finish packets are of other runs.
  std::atomic<bool> is_writing_{false};

  mutable Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);

  // The thread's while it runs.
  std::unique_ptr<RecordingWriter> writer_;
  // Names are constant, types the thread's.
  std::vector<RecordedStream> streams_;
  TypeId last_type_id_;
  int last_type_stream_ = -1;
  // The message times of packets that are about to come, by stream.
  std::vector<NotedTimes> times_;

  std::thread thread_;
};

absl::StatusOr<std::unique_ptr<GraphRecorder>> GraphRecorder::Create(
    CalculatorGraph* graph, const std::string& path,
    const RecordingOptions& options) {
  if (options.commit_every <= absl::ZeroDuration() ||
      options.max_waiting_bytes <= 0) {
    return absl::InvalidArgumentError(
        "commit_every and max_waiting_bytes have to be positive");
  }
  std::unique_ptr<GraphRecorder> recorder;
  SYNCLINE_RETURN_IF_ERROR(CatchExceptions([&]() -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(std::vector<RecordedStream> streams,
                              ChooseStreams(graph->plan(), options.streams));
    recorder.reset(new GraphRecorder(graph, path, std::move(streams), options));
    return recorder->Observe();
  }));
  return recorder;
}

GraphRecorder::GraphRecorder(CalculatorGraph* graph, std::string path,
                             std::vector<RecordedStream> streams,
                             const RecordingOptions& options)
    : graph_(graph),
      path_(std::move(path)),
      streams_(std::move(streams)),
      log_(std::make_shared<Log>(graph, path_, streams_, options)) {}

GraphRecorder::~GraphRecorder() {
  const absl::Status why = CatchExceptions([] {
    return absl::UnknownError("the recorder was destroyed before Finish");
  });
  CatchExceptions([&] { return log_->Finish(why); }).IgnoreError();
}

absl::Status GraphRecorder::Observe() {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const int stream = static_cast<int>(i);
    SYNCLINE_RETURN_IF_ERROR(graph_->ObserveWholeStream(
        streams_[i].name,
        DescribedObserver{
            .name = absl::StrCat("recording \"",
                                 absl::Utf8SafeCHexEscape(path_), "\""),
            .only_looks_on = true,
            .callback =
                [log = log_, stream](const Packet& packet) {
                  log->Put(stream, packet);
                  return absl::OkStatus();
                }},
        [log = log_, stream](const Packet& packet, const PacketTimes& times) {
          log->NoteTimes(stream, packet, times);
          return absl::OkStatus();
        }));
  }
  return absl::OkStatus();
}

absl::Status GraphRecorder::Start(
    const std::map<std::string, Packet>& side_packets,
    const std::map<std::string, Packet>& stream_headers) {
  if (!log_->is_idle()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the recorder of \"", absl::Utf8SafeCHexEscape(path_),
                     "\" has recorded a run already: create one for each"));
  }
  return CatchExceptions([&]() -> absl::Status {
    RecordingHeader header;
    header.graph = graph_->Config();
    header.streams = streams_;
    SYNCLINE_ASSIGN_OR_RETURN(header.side_packets,
                              BytesOf(side_packets, "side packet"));
    SYNCLINE_ASSIGN_OR_RETURN(
        header.stream_headers,
        BytesOf(stream_headers, "the header of graph input"));
    SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<RecordingWriter> writer,
                              RecordingWriter::Create(path_, header));
    return log_->Start(std::move(writer));
  });
}

absl::Status GraphRecorder::Finish(const absl::Status& run) {
  return log_->Finish(run);
}

GraphRecorder::Counts GraphRecorder::counts() const { return log_->counts(); }

}  // namespace syncline
