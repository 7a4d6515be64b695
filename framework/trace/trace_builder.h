// TraceBuilder: traces written by hand, for tests.
//
//   TraceBuilder builder;
//   const int in = builder.AddInput("in");
//   const int node = builder.AddNode("double", {in});
//   const int out = builder.AddOutput(node, "out");
//   builder.At(10).Sent(in, 1);
//   builder.At(20).Begin(node, 1).Taken(in, 1, 0);
//   builder.At(50).End(node, 1).Sent(out, 1);
//   const Trace trace = builder.Build();
//
// Events are of thread 0 at tick 0, unless On and At have said otherwise. A
// tick is a nanosecond. Each thread gets its events in the order of time.
//
// Thread rule: for one thread at a time.
// Tested by trace_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_BUILDER_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_BUILDER_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"

namespace syncline {

class TraceBuilder {
 public:
  TraceBuilder() { header_.add_executor(""); }

  // The stream that the application feeds.
  int AddInput(absl::string_view name) { return AddStream(name, -1); }
  // With these input streams, by port.
  int AddNode(absl::string_view name,
              const std::vector<int>& input_streams = {}) {
    TraceFileHeader::Node* const node = header_.add_node();
    node->set_name(std::string(name));
    node->set_calculator(absl::StrCat(name, "Calculator"));
    node->set_executor(0);
    for (const int stream : input_streams) node->add_input_stream(stream);
    return header_.node_size() - 1;
  }
  int AddOutput(int node, absl::string_view name) {
    const int stream = AddStream(name, node);
    header_.mutable_node(node)->add_output_stream(stream);
    return stream;
  }
  void Observe(int stream) {
    header_.mutable_stream(stream)->set_is_observed(true);
  }
  TraceFileHeader& header() { return header_; }

  // What follows happens then, and there.
  TraceBuilder& At(std::uint64_t tick) {
    tick_ = tick;
    return *this;
  }
  TraceBuilder& On(int thread) {
    thread_ = thread;
    if (threads_.size() <= static_cast<std::size_t>(thread)) {
      threads_.resize(thread + 1);
    }
    return *this;
  }
  // So many events of this thread are lost here.
  TraceBuilder& Lost(std::int64_t count) {
    On(thread_).threads_[thread_].push_back({{}, count});
    return *this;
  }

  TraceBuilder& Begin(int node, std::int64_t timestamp,
                      TraceKind kind = TraceKind::kProcessBegin) {
    return Event(kind, node, timestamp);
  }
  TraceBuilder& End(int node, std::int64_t timestamp,
                    TraceKind kind = TraceKind::kProcessEnd,
                    std::uint32_t status_code = 0) {
    return Event(kind, node, timestamp, status_code);
  }
  TraceBuilder& Taken(int stream, std::int64_t timestamp, int port) {
    return Event(TraceKind::kTaken, stream, timestamp, port);
  }
  TraceBuilder& Sent(int stream, std::int64_t timestamp) {
    return Event(TraceKind::kSent, stream, timestamp);
  }
  TraceBuilder& Bound(int stream, std::int64_t timestamp) {
    return Event(TraceKind::kBound, stream, timestamp);
  }
  TraceBuilder& Ready(int node, std::int64_t timestamp) {
    return Event(TraceKind::kReady, node, timestamp);
  }
  TraceBuilder& Dropped(int stream, std::int64_t timestamp, int node,
                        int drop_cause) {
    return Event(TraceKind::kDropped, stream, timestamp,
                 static_cast<std::uint32_t>(drop_cause) << TraceEvent::kIdBits |
                     static_cast<std::uint32_t>(node));
  }
  TraceBuilder& Event(TraceKind kind, std::uint32_t id,
                      std::int64_t timestamp = 0, std::uint32_t extra = 0) {
    On(thread_);
    if (threads_[thread_].empty()) threads_[thread_].emplace_back();
    threads_[thread_].back().events.push_back(
        {tick_, timestamp, TraceEvent::KindAndId(kind, id), extra});
    return *this;
  }

  Trace Build() const {
    const auto storage = std::make_shared<Threads>(threads_);
    Trace trace;
    trace.header = header_;
    trace.clock_points.emplace_back();
    for (std::size_t i = 0; i < storage->size(); ++i) {
      TraceThread thread;
      thread.tid = static_cast<std::int64_t>(i) + 100;
      thread.name = absl::StrCat("thread ", i);
      for (const Piece& piece : (*storage)[i]) {
        thread.events.Append(piece.events, piece.lost_before);
        thread.num_lost += piece.lost_before;
      }
      trace.threads.push_back(std::move(thread));
    }
    trace.storage = storage;
    return trace;
  }

 private:
  struct Piece {
    std::vector<TraceEvent> events;
    std::int64_t lost_before = 0;
  };
  using Threads = std::vector<std::vector<Piece>>;

  int AddStream(absl::string_view name, int producer) {
    TraceFileHeader::Stream* const stream = header_.add_stream();
    stream->set_name(std::string(name));
    stream->set_producer(producer);
    return header_.stream_size() - 1;
  }

  TraceFileHeader header_;
  std::uint64_t tick_ = 0;
  int thread_ = 0;
  Threads threads_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_BUILDER_H_
