// Look(): code of a user that notes whether its thread holds a lock.
//
// The values of packets, calculators, conditions, executors and so on of the
// tests of locks call it whenever they run; LooksTest fails if any of them did
// so under a lock.
//
// Thread rule: any thread, but one test at a time.

#ifndef SYNCLINE_TESTING_SCENARIOS_LOOKING_H_
#define SYNCLINE_TESTING_SCENARIOS_LOOKING_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/packet/payload_size.h"
#include "framework/port/parse_text_proto.h"
#include "gtest/gtest.h"
#include "testing/held_locks.h"
#include "testing/worker_counts.h"

namespace syncline {

struct Looks {
  static inline std::atomic<int> count{0};
  // Who last ran with a lock held; null: nobody.
  static inline std::atomic<const char*> caught{nullptr};
};

inline void Look(const char* what) {
  Looks::count.fetch_add(1);
  if (LocksHeld() != 0) Looks::caught.store(what);
}

// The value of packets. Its size, in queues that count bytes, is 100.
struct Token {
  ~Token() { Look("the destructor of a packet's value"); }
};

template <>
struct PayloadSize<Token> {
  static std::size_t Bytes(const Token&) {
    Look("a size function of packets");
    return 100;
  }
};

inline Packet TokenAt(int time) {
  return MakePacket<Token>().At(Timestamp(time));
}

// After each part of a test: nobody was caught, and many have looked: each of
// the 24 packets that RunToEnd() sends, and most calls up to an early end.
inline void ExpectNobodyWasCaught(const std::string& where, int least = 30) {
  const char* const caught = Looks::caught.exchange(nullptr);
  EXPECT_EQ(caught, nullptr) << caught << " ran with a lock held: " << where;
  EXPECT_GE(Looks::count.exchange(0), least) << where << ": who has looked?";
}

class LooksTest : public WorkersTest {
 protected:
  void SetUp() override {
    Looks::caught.store(nullptr);
    Looks::count.store(0);
  }
};

enum class End { kClose, kCancel, kFails, kStops, kDestroy };
constexpr End kEnds[] = {End::kClose, End::kCancel, End::kFails, End::kStops,
                         End::kDestroy};

// What the TokenPass with the name "ends" returns at its fourth call.
inline std::atomic<End> how_it_ends{End::kClose};

// `text` with the inputs "a" and "b".
inline CalculatorGraphConfig LookingConfig(const std::string& text) {
  return ParseTextProtoOrDie<CalculatorGraphConfig>(
      absl::StrCat("input_stream: \"a\" input_stream: \"b\" ", text));
}

// Starts a run, feeds "a" and "b" out of step, and ends it.
inline absl::Status RunToEnd(
    CalculatorGraph* graph, End end,
    const std::map<std::string, Packet>& side_packets = {},
    const std::function<void(int)>& meanwhile = nullptr) {
  how_it_ends.store(end);
  const absl::Status started = graph->StartRun(side_packets);
  EXPECT_TRUE(started.ok()) << started;
  if (!started.ok()) return started;
  for (int i = 0; i < 12; ++i) {
    for (const auto& [stream, time] : {std::pair{"a", 3 * i}, {"b", 2 * i}}) {
      graph->AddPacketToInputStream(stream, TokenAt(time)).IgnoreError();
    }
    if (meanwhile != nullptr) meanwhile(i);
    if (i % 4 == 0) graph->WaitUntilIdle().IgnoreError();
  }
  if (end == End::kDestroy) return absl::OkStatus();
  if (end == End::kCancel) graph->Cancel();
  graph->CloseAllPacketSources().IgnoreError();
  return graph->WaitUntilDone();
}

// Sends a new token for each of the last input, on every output. A source
// sends 30.
class TokenPass : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    Look("GetContract");
    for (PacketType& input : cc->Inputs()) input.Set<Token>();
    for (PacketType& output : cc->Outputs()) output.Set<Token>();
    for (PacketType& input : cc->InputSidePackets()) input.Set<Token>();
    for (PacketType& output : cc->OutputSidePackets()) output.Set<Token>();
    return absl::OkStatus();
  }
  TokenPass() { Look("a calculator's constructor"); }
  ~TokenPass() override { Look("a calculator's destructor"); }
  absl::Status Open(CalculatorContext* cc) override {
    Look("Open");
    for (OutputSidePacket& output : cc->OutputSidePackets()) {
      output.Set(MakePacket<Token>());
    }
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    Look("Process");
    const bool is_source = cc->Inputs().NumEntries() == 0;
    const int call = calls_.fetch_add(1);
    if (is_source && call >= 30) return tool::StatusStop();
    if (call == 3 && cc->NodeName() == "ends") {
      if (how_it_ends == End::kStops) return tool::StatusStop();
      if (how_it_ends == End::kFails) return absl::InternalError("asked");
    }
    for (OutputStreamShard& output : cc->Outputs()) {
      output.AddPacket(is_source
                           ? TokenAt(call)
                           : MakePacket<Token>().At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    Look("Close");
    return absl::OkStatus();
  }

 private:
  std::atomic<int> calls_{0};
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_SCENARIOS_LOOKING_H_
