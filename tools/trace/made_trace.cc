#include "tools/trace/made_trace.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/trace/trace_event.h"

namespace syncline {
namespace {

// When something happened, and on which thread.
struct Moment {
  std::uint64_t tick = 0;
  std::size_t thread = 0;
};

class Maker {
 public:
  explicit Maker(const MadeTraceOptions& options)
      : options_(options),
        random_(options.seed),
        node_ended_(options.nodes),
        thread_free_(options.threads, 0),
        events_(std::make_shared<std::vector<std::vector<TraceEvent>>>(
            options.threads + 1)) {
    MakeGraph();
  }

  Trace Make() {
    std::uint64_t added = 1;
    for (std::int64_t t = 0; t < options_.packets; ++t) {
      // By stream.
      std::vector<Moment> sent(options_.nodes + 1);
      sent[0] = {added, static_cast<std::size_t>(options_.threads)};
      Note(sent[0], TraceKind::kSent, 0, t, 0);
      for (int node = 0; node < options_.nodes; ++node) {
        sent[node + 1] = Call(node, t, sent);
      }
      added += 1 + Below(100);
    }
    return Finish();
  }

 private:
  std::uint64_t Below(std::uint64_t limit) { return random_() % limit; }

  // Stream 0 is the input, and stream n + 1 the output of node n.
  void MakeGraph() {
    trace_.header.add_executor("");
    trace_.header.add_stream()->set_name("in");
    for (int i = 0; i < options_.nodes; ++i) {
      TraceFileHeader::Node* const node = trace_.header.add_node();
      node->set_name(absl::StrCat("node_", i));
      node->set_calculator("MadeCalculator");
      node->set_executor(0);
      const int inputs =
          i == 0
              ? 1
              : 1 + static_cast<int>(Below(std::min(i, options_.most_inputs)));
      while (node->input_stream_size() < inputs) {
        const int stream = i == 0 ? 0 : 1 + static_cast<int>(Below(i));
        if (std::count(node->input_stream().begin(), node->input_stream().end(),
                       stream) == 0) {
          node->add_input_stream(stream);
        }
      }
      node->add_output_stream(i + 1);
      TraceFileHeader::Stream* const output = trace_.header.add_stream();
      output->set_name(absl::StrCat("stream_", i));
      output->set_producer(i);
    }
  }

  void Note(const Moment& when, TraceKind kind, int id, std::int64_t timestamp,
            int extra) {
    (*events_)[when.thread].push_back(
        {when.tick, timestamp,
         TraceEvent::KindAndId(kind, static_cast<std::uint32_t>(id)),
         static_cast<std::uint32_t>(extra)});
  }

  // Runs a call on the thread that is free the earliest. Returns what it sends.
  Moment Call(int node, std::int64_t t, const std::vector<Moment>& sent) {
    const auto& inputs = trace_.header.node(node).input_stream();
    Moment last;
    for (const int stream : inputs) {
      if (sent[stream].tick >= last.tick) last = sent[stream];
    }
    // A node that is busy becomes ready when its call has ended.
    const bool is_busy = node_ended_[node].tick > last.tick;
    Note(is_busy ? node_ended_[node] : last, TraceKind::kReady, node, t, 0);
    const auto thread = static_cast<std::size_t>(
        std::min_element(thread_free_.begin(), thread_free_.end()) -
        thread_free_.begin());
    Moment now = {
        std::max({last.tick, node_ended_[node].tick, thread_free_[thread]}) +
            1 + Below(3),
        thread};
    Note(now, TraceKind::kProcessBegin, node, t, 1);
    for (int port = 0; port < inputs.size(); ++port) {
      Note(now, TraceKind::kTaken, inputs[port], t, port);
    }
    now.tick += 1 + Below(50 * static_cast<std::uint64_t>(node % 5 + 1));
    Note(now, TraceKind::kProcessEnd, node, t, 0);
    now.tick += 1;
    Note(now, TraceKind::kSent, node + 1, t, 0);
    node_ended_[node] = now;
    thread_free_[thread] = now.tick;
    return now;
  }

  Trace Finish() {
    for (std::size_t i = 0; i < events_->size(); ++i) {
      std::vector<TraceEvent>& events = (*events_)[i];
      std::stable_sort(events.begin(), events.end(),
                       [](const TraceEvent& a, const TraceEvent& b) {
                         return a.tick < b.tick;
                       });
      TraceThread& thread = trace_.threads.emplace_back();
      thread.name = i + 1 == events_->size() ? std::string("application")
                                             : absl::StrCat("worker ", i);
      thread.events = events;
    }
    trace_.clock_points.emplace_back();
    trace_.storage = events_;
    return std::move(trace_);
  }

  const MadeTraceOptions options_;
  std::mt19937 random_;
  // By node: its last call.
  std::vector<Moment> node_ended_;
  std::vector<std::uint64_t> thread_free_;
  // By thread; the last one is that of the application.
  std::shared_ptr<std::vector<std::vector<TraceEvent>>> events_;
  Trace trace_;
};

}  // namespace

Trace MakeTrace(const MadeTraceOptions& options) {
  return Maker(options).Make();
}

}  // namespace syncline
