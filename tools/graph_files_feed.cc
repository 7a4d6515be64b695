// GraphFiles, from the files into the graph.
//
// Tested by graph_files_test and run_graph_files_test.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "framework/base/status_macros.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "tools/exit_status.h"
#include "tools/graph_files.h"
#include "tools/line_reader.h"
#include "tools/packet_lines.h"

namespace syncline {
namespace {

// A stream goes up in time; after PreStream and Max comes nothing.
absl::Status CheckOrder(Timestamp last, int last_line, Timestamp next) {
  if (last == Timestamp::Unset() || next >= last.NextAllowedInStream()) {
    return absl::OkStatus();
  }
  if (next > last) {
    return absl::InvalidArgumentError(absl::StrCat(
        "timestamp ", next.DebugString(), " comes after ", last.DebugString(),
        " in line ", last_line, ", and nothing can: take one of the two out"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "timestamp ", next.DebugString(), " comes after ", last.DebugString(),
      " in line ", last_line,
      ": each timestamp of a stream has to be above the one before; sort the "
      "lines (sort -n), and keep one of each timestamp"));
}

// What the threads know of each other that feed one graph.
struct Feeders {
  // Those that may bring a packet, since they neither wait for room in a queue
  // nor have ended.
  std::atomic<int> ready;
  std::atomic<std::int64_t> added{0};
  std::atomic<bool> has_failed{false};
};

constexpr absl::Duration kBetweenTries = absl::Milliseconds(1);
constexpr absl::Duration kUntilStuck = absl::Seconds(1);

// To the graph, somebody who waits for room in a queue is an application that
// brings nothing before there is some. While another input may bring what makes
// room, room is looked for now and then; and only when all wait for room does
// the graph hear of it, which then lets its queues grow, or ends.
absl::Status AddWhenThereIsRoom(const std::string& stream, const Packet& packet,
                                CalculatorGraph* graph, Feeders* feeders) {
  using Mode = CalculatorGraph::GraphInputStreamAddMode;
  const auto add = [&] {
    return graph->AddPacketToInputStream(stream, packet);
  };
  const auto is_full = [graph](const absl::Status& status) {
    return absl::IsUnavailable(status) && !graph->HasError();
  };
  absl::Status status = add();
  if (is_full(status)) {
    --feeders->ready;
    std::int64_t added = feeders->added;
    absl::Time stuck_since = absl::Now();
    do {
      absl::SleepFor(kBetweenTries);
      if (feeders->ready > 0 || feeders->added != added) {
        added = feeders->added;
        stuck_since = absl::Now();
      }
      const bool is_stuck = absl::Now() - stuck_since > kUntilStuck;
      if (is_stuck) graph->SetGraphInputStreamAddMode(Mode::WAIT_TILL_NOT_FULL);
      status = add();
      if (is_stuck) graph->SetGraphInputStreamAddMode(Mode::ADD_IF_NOT_FULL);
    } while (is_full(status));
    ++feeders->ready;
  }
  ++feeders->added;
  return status;
}

}  // namespace

absl::Status GraphFiles::AtLine(const Input& input,
                                const absl::Status& status) {
  if (status.ok() || absl::IsCancelled(status)) return status;
  return absl::Status(
      status.code(), absl::StrCat(ShownName(input.path), ":",
                                  input.file.line_number(), ": input_stream \"",
                                  input.stream, "\": ", status.message()));
}

absl::Status GraphFiles::Advance(Input* input) {
  std::string line;
  while (true) {
    const absl::StatusOr<bool> is_line = input->file.Next(&line);
    if (!is_line.ok()) return AtLine(*input, is_line.status());
    input->at_end = !*is_line;
    if (input->at_end) return absl::OkStatus();
    if (IsBlankLine(line)) continue;
    absl::StatusOr<Packet> packet = ParsePacketLine(*input->type, line);
    if (!packet.ok()) return AtLine(*input, packet.status());
    const Timestamp next = packet->Timestamp();
    SYNCLINE_RETURN_IF_ERROR(
        AtLine(*input, CheckOrder(input->last, input->last_line, next)));
    input->next = *std::move(packet);
    input->last = next;
    input->last_line = input->file.line_number();
    return absl::OkStatus();
  }
}

absl::Status GraphFiles::FeedMerged(CalculatorGraph* graph,
                                    absl::Span<Input* const> inputs,
                                    const AddFunction& add) {
  std::vector<Input*> open;
  // Reads on, and says how far the stream is settled: a join need not wait for
  // a file that has nothing for a long time. At the end the stream is closed.
  const auto advance = [&](Input* input) -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(Advance(input));
    if (input->at_end) return graph->CloseInputStream(input->stream);
    open.push_back(input);
    const Timestamp next = input->next.Timestamp();
    // An input alone is at once where its next packet is.
    if (inputs.size() == 1 || next == Timestamp::PreStream()) {
      return absl::OkStatus();
    }
    return graph->SetInputStreamTimestampBound(input->stream, next);
  };
  for (Input* const input : inputs) {
    SYNCLINE_RETURN_IF_ERROR(advance(input));
  }
  while (!open.empty()) {
    const auto earliest =
        std::min_element(open.begin(), open.end(), [](Input* a, Input* b) {
          return a->next.Timestamp() < b->next.Timestamp();
        });
    Input* const input = *earliest;
    open.erase(earliest);
    SYNCLINE_RETURN_IF_ERROR(
        AtLine(*input, add(input->stream, std::move(input->next))));
    SYNCLINE_RETURN_IF_ERROR(advance(input));
  }
  return absl::OkStatus();
}

absl::Status GraphFiles::FeedEach(CalculatorGraph* graph) {
  Feeders feeders;
  feeders.ready = static_cast<int>(inputs_.size());
  graph->SetGraphInputStreamAddMode(
      CalculatorGraph::GraphInputStreamAddMode::ADD_IF_NOT_FULL);
  const auto feed = [&](Input* input, absl::Status* result) {
    // A pipe may never have another line for a graph that has failed.
    input->file.set_gives_up(
        [&] { return feeders.has_failed || graph->HasError(); });
    *result = FeedMerged(
        graph, {&input, 1}, [&](const std::string& stream, Packet packet) {
          return AddWhenThereIsRoom(stream, packet, graph, &feeders);
        });
    --feeders.ready;
    if (result->ok() || feeders.has_failed.exchange(true)) return;
    // Ends the waiting of the others for room in queues. What ended already
    // has its own reason.
    if (!absl::IsCancelled(*result)) graph->RecordError(*result);
  };
  std::vector<absl::Status> results(inputs_.size());
  std::vector<std::thread> threads;
  absl::Status status;
  const std::size_t last = inputs_.size() - 1;
  for (std::size_t i = 0; i < last && status.ok(); ++i) {
    try {
      threads.emplace_back(feed, inputs_[i].get(), &results[i]);
    } catch (const std::system_error& error) {
      status = absl::ResourceExhaustedError(absl::StrCat(
          "no thread can be made to read \"", ShownName(inputs_[i]->path),
          "\" (", error.what(), "): let the machine run fewer threads"));
      feeders.has_failed = true;
      graph->RecordError(status);
    }
  }
  if (status.ok()) feed(inputs_[last].get(), &results[last]);
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& result : results) status.Update(result);
  return status;
}

absl::Status GraphFiles::Feed(CalculatorGraph* graph, int interrupt_fd) {
  bool may_wait = false;
  std::vector<Input*> inputs;
  for (const auto& input : inputs_) {
    input->file.set_interrupt_fd(interrupt_fd);
    may_wait |= input->file.may_wait();
    inputs.push_back(input.get());
  }
  if (may_wait && inputs.size() > 1) return FeedEach(graph);
  return FeedMerged(
      graph, inputs, [graph](const std::string& stream, Packet packet) {
        return graph->AddPacketToInputStream(stream, std::move(packet));
      });
}

std::map<std::string, std::string> GraphFiles::FeederNames() const {
  std::map<std::string, std::string> feeders;
  for (const auto& input : inputs_) {
    feeders[input->stream] =
        absl::StrCat("--input=", input->stream, "=", ShownName(input->path));
  }
  return feeders;
}

bool GraphFiles::MayWait() const {
  return std::any_of(inputs_.begin(), inputs_.end(),
                     [](const auto& input) { return input->file.may_wait(); });
}

bool GraphFiles::AreTyped() const {
  return std::any_of(inputs_.begin(), inputs_.end(), [](const auto& input) {
    return isatty(input->file.fd()) != 0;
  });
}

absl::StatusOr<GraphFiles::Streams> GraphFiles::ReadAll() {
  Streams streams;
  for (const auto& input : inputs_) {
    std::vector<Packet>& packets = streams[input->stream];
    while (true) {
      SYNCLINE_RETURN_IF_ERROR(Advance(input.get()));
      if (input->at_end) break;
      packets.push_back(std::move(input->next));
    }
  }
  return streams;
}

}  // namespace syncline
