// TestTrace: a trace, event by event, for tests.
//
//   TestTrace made;
//   made.AddNode("worker", {"in"}, {"out"});
//   made.AddThread("main", 7);
//   made.Note(0, 10, TraceKind::kSent, made.Stream("in"), 1000);
//   Trace trace = made.Build();
//
// A tick is a nanosecond. Tick 0 is at kSteadyNs and kUnixNs.
//
// Thread rule: for one thread at a time.
// Tested by test_trace_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_TEST_TRACE_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_TEST_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"

namespace syncline {

class TestTrace {
 public:
  static constexpr std::int64_t kSteadyNs = 5'000'000;
  static constexpr std::int64_t kUnixNs = 1'700'000'000'000'000'000;
  static constexpr int kPid = 42;

  TestTrace() {
    header_.set_program("test");
    header_.set_pid(kPid);
    header_.add_executor("");
  }

  // The number of the stream, which the application sends unless AddNode says
  // otherwise.
  int Stream(const std::string& name) {
    for (int i = 0; i < header_.stream_size(); ++i) {
      if (header_.stream(i).name() == name) return i;
    }
    header_.add_stream()->set_name(name);
    return header_.stream_size() - 1;
  }

  // Returns the number of the node.
  int AddNode(const std::string& name, const std::vector<std::string>& inputs,
              const std::vector<std::string>& outputs) {
    const int number = header_.node_size();
    for (const std::string& input : inputs) Stream(input);
    for (const std::string& output : outputs) {
      header_.mutable_stream(Stream(output))->set_producer(number);
    }
    TraceFileHeader::Node* const node = header_.add_node();
    node->set_name(name);
    node->set_calculator("TestCalculator");
    node->set_executor(0);
    for (const std::string& input : inputs) {
      node->add_input_stream(Stream(input));
    }
    for (const std::string& output : outputs) {
      node->add_output_stream(Stream(output));
    }
    return number;
  }

  // Returns the number of the thread.
  int AddThread(const std::string& name, std::int64_t tid) {
    threads_.push_back({name, tid, {}});
    return static_cast<int>(threads_.size()) - 1;
  }

  // Events of one thread come in the order of time.
  void Note(int thread, std::uint64_t tick, TraceKind kind, int id,
            std::int64_t timestamp = 0, std::uint32_t extra = 0) {
    std::vector<Piece>& pieces = threads_[thread].pieces;
    if (pieces.empty()) pieces.emplace_back();
    pieces.back().events.push_back(
        {tick, timestamp,
         TraceEvent::KindAndId(kind, static_cast<std::uint32_t>(id)), extra});
  }
  // So many events are lost before the next one of the thread.
  void Lose(int thread, std::int64_t count) {
    threads_[thread].pieces.push_back({count, {}});
  }

  // Takes events [first, last) of the thread away, which counts them as lost.
  // REQUIRES: nothing is lost yet.
  void LoseNoted(int thread, std::size_t first, std::size_t last) {
    std::vector<Piece>& pieces = threads_[thread].pieces;
    if (pieces.empty() || first >= last) return;
    std::vector<TraceEvent>& events = pieces[0].events;
    Piece rest = {
        static_cast<std::int64_t>(last - first),
        {events.begin() + static_cast<std::ptrdiff_t>(last), events.end()}};
    events.resize(first);
    pieces.push_back(std::move(rest));
  }
  std::size_t NumThreads() const { return threads_.size(); }
  std::size_t NumNoted(int thread) const {
    std::size_t count = 0;
    for (const Piece& piece : threads_[thread].pieces) {
      count += piece.events.size();
    }
    return count;
  }

  TraceFileHeader& header() { return header_; }

  // Of what was noted so far. The trace keeps its events.
  Trace Build() const {
    const auto kept = std::make_shared<std::vector<Thread>>(threads_);
    Trace trace;
    trace.header = header_;
    trace.clock_points = {{0, kSteadyNs, kUnixNs}};
    for (const Thread& thread : *kept) {
      TraceThread traced;
      traced.name = thread.name;
      traced.tid = thread.tid;
      for (const Piece& piece : thread.pieces) {
        traced.num_lost += piece.lost_before;
        traced.events.Append(piece.events, piece.lost_before);
      }
      trace.threads.push_back(std::move(traced));
    }
    trace.storage = kept;
    return trace;
  }
  // The same; what was noted is forgotten, and the threads stay.
  Trace Take() {
    Trace trace = Build();
    for (Thread& thread : threads_) thread.pieces.clear();
    return trace;
  }

 private:
  struct Piece {
    std::int64_t lost_before = 0;
    std::vector<TraceEvent> events;
  };
  struct Thread {
    std::string name;
    std::int64_t tid = 0;
    std::vector<Piece> pieces;
  };

  TraceFileHeader header_;
  std::vector<Thread> threads_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_TEST_TRACE_H_
