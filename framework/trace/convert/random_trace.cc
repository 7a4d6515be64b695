#include "framework/trace/convert/random_trace.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"

namespace syncline {
namespace {

constexpr std::int64_t kTimestampStep = 10;

class Simulation {
 public:
  explicit Simulation(std::uint32_t seed) : random_(seed) {}

  RandomTrace Run() {
    MakeGraph();
    OpenNodes();
    for (std::int64_t i = 0; i < 12; ++i) SendInputs(i * kTimestampStep);
    while (!ready_.empty() || !late_.empty()) {
      const int thread = 1 + Below(num_threads_);
      if (!late_.empty() && Below(2) == 0) SendLate(thread);
      if (!ready_.empty()) RunReady(thread, 0);
    }
    CloseNodes();
    for (const auto& [at, arrived] : arrived_) {
      const TraceFileHeader::Node& node = Node(at.first);
      if (arrived.first == node.input_stream_size()) continue;
      for (const int port : arrived.second) {
        const int stream = node.input_stream(port);
        ++result_.waiting[absl::StrCat(made().header().stream(stream).name(),
                                       " of ", node.name())];
      }
    }
    return std::move(result_);
  }

 private:
  struct Ready {
    int node;
    std::int64_t timestamp;
    std::uint64_t since;
    std::vector<int> ports;  // those with a packet
  };
  struct Late {
    int node;
    std::int64_t timestamp;
    std::uint64_t since;
  };

  int Below(int limit) { return static_cast<int>(random_() % limit); }
  TestTrace& made() { return result_.made; }
  const TraceFileHeader::Node& Node(int node) {
    return made().header().node(node);
  }
  void Note(int thread, TraceKind kind, int id, std::int64_t timestamp,
            std::uint32_t extra = 0) {
    made().Note(thread, clocks_[thread], kind, id, timestamp, extra);
  }
  void Pass(int thread, int at_most) { clocks_[thread] += Below(at_most + 1); }
  void PassTo(int thread, std::uint64_t tick) {
    clocks_[thread] = std::max(clocks_[thread], tick);
  }

  void MakeGraph() {
    num_threads_ = 1 + Below(3);
    made().AddThread("application", 100);
    for (int i = 1; i <= num_threads_; ++i) {
      made().AddThread(absl::StrCat("worker ", i), 100 + i);
    }
    clocks_.assign(num_threads_ + 1, 1);
    std::vector<std::string> streams = {"in0", "in1"};
    for (const std::string& stream : streams) made().Stream(stream);
    const int num_nodes = 2 + Below(5);
    for (int i = 0; i < num_nodes; ++i) {
      std::vector<std::string> inputs;
      const int num_inputs = 1 + Below(3);
      for (int port = 0; port < num_inputs; ++port) {
        inputs.push_back(streams[Below(static_cast<int>(streams.size()))]);
      }
      std::vector<std::string> outputs;
      const int num_outputs = Below(3);
      for (int port = 0; port < num_outputs; ++port) {
        outputs.push_back(absl::StrCat("s", i, "_", port));
      }
      made().AddNode(absl::StrCat("node", i), inputs, outputs);
      streams.insert(streams.end(), outputs.begin(), outputs.end());
    }
  }

  void OpenNodes() {
    for (int node = 0; node < made().header().node_size(); ++node) {
      Note(0, TraceKind::kOpenBegin, node, 0);
      Pass(0, 3);
      Note(0, TraceKind::kOpenEnd, node, 0);
    }
  }
  void CloseNodes() {
    const std::uint64_t last =
        *std::max_element(clocks_.begin(), clocks_.end());
    for (int node = 0; node < made().header().node_size(); ++node) {
      const int thread = 1 + Below(num_threads_);
      PassTo(thread, last);
      Note(thread, TraceKind::kCloseBegin, node, 0);
      Pass(thread, 3);
      Note(thread, TraceKind::kCloseEnd, node, 0);
    }
  }

  void SendInputs(std::int64_t timestamp) {
    for (const char* const stream : {"in0", "in1"}) {
      Pass(0, 10);
      Send(0, made().Stream(stream), timestamp, "");
    }
  }

  // Notes kSent, and what becomes of the packet at each input.
  void Send(int thread, int stream, std::int64_t timestamp,
            const std::string& sender) {
    Note(thread, TraceKind::kSent, stream, timestamp);
    const auto position = result_.packets.size();
    result_.packets.push_back(
        {made().header().stream(stream).name(), timestamp, sender, {}, 0});
    truth_[{stream, timestamp}] = position;
    for (int node = 0; node < made().header().node_size(); ++node) {
      for (int port = 0; port < Node(node).input_stream_size(); ++port) {
        if (Node(node).input_stream(port) == stream) {
          Arrive(thread, node, port, stream, timestamp);
        }
      }
    }
  }

  void Arrive(int thread, int node, int port, int stream,
              std::int64_t timestamp) {
    auto& [count, ports] = arrived_[{node, timestamp}];
    ++count;
    if (Below(12) == 0) {
      Note(thread, TraceKind::kDropped, stream, timestamp,
           static_cast<std::uint32_t>(node) | 9u << TraceEvent::kIdBits);
      ++result_.packets[truth_[{stream, timestamp}]].drops;
    } else {
      ports.push_back(port);
    }
    if (count < Node(node).input_stream_size()) return;
    if (ports.empty()) return;
    Note(thread, TraceKind::kReady, node, timestamp);
    ready_.push_back({node, timestamp, clocks_[thread], ports});
  }

  // One of the ready calls, by this thread. Now and then it runs another one
  // inside of the first.
  void RunReady(int thread, int depth) {
    const int chosen = Below(static_cast<int>(ready_.size()));
    const Ready call = ready_[chosen];
    if (depth > 0 && call.since > clocks_[thread]) return;
    ready_.erase(ready_.begin() + chosen);
    PassTo(thread, call.since);
    Pass(thread, 4);
    const std::uint64_t begin = clocks_[thread];
    Note(thread, TraceKind::kProcessBegin, call.node, call.timestamp);
    for (const int port : call.ports) {
      const int stream = Node(call.node).input_stream(port);
      Note(thread, TraceKind::kTaken, stream, call.timestamp,
           static_cast<std::uint32_t>(port));
      std::vector<std::string>& takers =
          result_.packets[truth_[{stream, call.timestamp}]].takers;
      // A call that takes a packet at two ports takes it once.
      if (takers.empty() || takers.back() != Node(call.node).name()) {
        takers.push_back(Node(call.node).name());
      }
    }
    Pass(thread, 5);
    if (depth < 2 && !ready_.empty() && Below(4) == 0) {
      RunReady(thread, depth + 1);
    }
    Pass(thread, 5);
    Note(thread, TraceKind::kProcessEnd, call.node, call.timestamp);
    result_.calls.push_back(
        {call.node, call.timestamp, begin, clocks_[thread]});
    if (Below(5) == 0) {
      late_.push_back({call.node, call.timestamp, clocks_[thread] + 1});
    } else {
      SendResults(thread, call.node, call.timestamp);
    }
  }

  void SendResults(int thread, int node, std::int64_t timestamp) {
    const std::string name = Node(node).name();
    const std::vector<int> outputs(Node(node).output_stream().begin(),
                                   Node(node).output_stream().end());
    for (const int stream : outputs) Send(thread, stream, timestamp, name);
  }
  void SendLate(int thread) {
    const Late late = late_.front();
    late_.erase(late_.begin());
    PassTo(thread, late.since);
    Note(thread, TraceKind::kResults, late.node, late.timestamp);
    SendResults(thread, late.node, late.timestamp);
  }

  std::mt19937 random_;
  RandomTrace result_;
  int num_threads_ = 1;
  std::vector<std::uint64_t> clocks_;  // by thread
  std::vector<Ready> ready_;
  std::vector<Late> late_;
  // By node and timestamp: how many packets came, and the ports of those that
  // were not dropped.
  std::map<std::pair<int, std::int64_t>, std::pair<int, std::vector<int>>>
      arrived_;
  // By stream and timestamp: the position in result_.packets.
  std::map<std::pair<int, std::int64_t>, std::size_t> truth_;
};

}  // namespace

RandomTrace MakeRandomTrace(std::uint32_t seed) {
  return Simulation(seed).Run();
}

void LosePieces(std::uint32_t seed, RandomTrace* trace) {
  std::mt19937 random(seed);
  for (int thread = 1;; ++thread) {
    if (static_cast<std::size_t>(thread) >= trace->made.NumThreads()) return;
    const std::size_t count = trace->made.NumNoted(thread);
    if (count < 4 || random() % 4 == 0) continue;
    const std::size_t first = random() % 3 == 0 ? 0 : random() % count;
    const std::size_t last =
        std::min(count, first + 1 + random() % (count / 2));
    trace->made.LoseNoted(thread, first, last);
  }
}

}  // namespace syncline
