// Where memory runs out, no packet is released under a lock of the engine
// either: whichever allocation of a run fails, what a queue could not take goes
// when no lock is held.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/scenarios/looking.h"
#include "testing/worker_counts.h"

namespace {

std::atomic<bool> is_armed{false};
// Allocations until one fails.
std::atomic<long> left{0};
std::atomic<bool> has_failed{false};

void* Allocate(std::size_t bytes) {
  if (is_armed.load(std::memory_order_relaxed) && left.fetch_sub(1) == 1) {
    has_failed.store(true);
    return nullptr;
  }
  return std::malloc(bytes == 0 ? 1 : bytes);
}

}  // namespace

void* operator new(std::size_t bytes) {
  void* const memory = Allocate(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return Allocate(bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace syncline {
namespace {

// Graphs whose queues grow, refuse and drop, one for each way to do so.
std::vector<std::string> Nodes() {
  return {
      R"(calculator: "TokenPass" input_stream: "a" input_stream: "b")",
      R"(calculator: "TokenPass" input_stream: "a" input_stream: "b"
         input_stream_info { tag_index: ":0" max_queue_size: 1
                             queue_policy: POP })",
      R"(calculator: "TokenPass" input_stream: "a" input_stream: "b"
         input_stream_info { tag_index: ":0" max_queue_size: 1
                             queue_policy: REJECT })",
      R"(calculator: "TokenPass" input_stream: "a" input_stream: "b"
         input_stream_handler {
           input_stream_handler: "FixedSizeInputStreamHandler" })",
      R"(calculator: "TokenPass" input_stream: "a" input_stream: "b"
         batch { max_size: 3 })",
      R"(calculator: "TokenPass" input_stream: "a" input_stream: "b"
         condition { type: "CountCondition" })",
  };
}

// With epochs: each calls what is ready once.
void RunWithFailure(const std::string& node, bool in_epochs, long first) {
  WorkersGraph graph(Workers{.threads = 0});
  SYNCLINE_ASSERT_OK(
      graph.Initialize(LookingConfig(absl::StrCat("node { ", node, " }"))));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  std::vector<Packet> packets;
  for (int i = 0; i < 12; ++i) packets.push_back(TokenAt(i));
  left.store(first);
  has_failed.store(false);
  is_armed.store(true);
  absl::Status status;
  for (int i = 0; i < 12; ++i) {
    status.Update(graph.AddPacketToInputStream("a", std::move(packets[i])));
    // One is behind by far, and is run first.
    if (i != 6) continue;
    status.Update(graph.SetInputStreamTimestampBound("b", Timestamp(3)));
    status.Update(in_epochs ? graph.RunEpoch(absl::ZeroDuration()).status()
                            : graph.WaitUntilIdle());
  }
  graph.CloseAllInputStreams().IgnoreError();
  for (int i = 0; in_epochs && i < 100; ++i) {
    const auto report = graph.RunEpoch(absl::ZeroDuration());
    status.Update(report.status());
    if (!report.ok() || report->is_finished) break;
  }
  status.Update(graph.WaitUntilDone());
  is_armed.store(false);
  EXPECT_TRUE(status.ok() || has_failed) << status;
}

void TryAllFailures(bool in_epochs) {
  for (const std::string& node : Nodes()) {
    long first = 0;
    do {
      ++first;
      Looks::count.store(0);
      RunWithFailure(node, in_epochs, first);
      ExpectNobodyWasCaught(absl::StrCat(node, ", allocation ", first),
                            /*least=*/12);
      if (::testing::Test::HasFailure()) return;
    } while (has_failed);
    EXPECT_GT(first, 3) << "allocations of " << node;
  }
}

TEST(WithoutLocksMemoryTest, NoPacketGoesUnderALockWhicheverAllocationFails) {
  TryAllFailures(/*in_epochs=*/false);
}

TEST(WithoutLocksMemoryTest, NorWhereTheApplicationRunsTheGraphInEpochs) {
  TryAllFailures(/*in_epochs=*/true);
}

}  // namespace
}  // namespace syncline
