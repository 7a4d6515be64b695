#include "benchmarks/graph_calculators.h"

#include <chrono>
#include <utility>

#include "benchmarks/busy_work.h"
#include "benchmarks/workload.h"
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kState[] = "STATE";

absl::Status SetInt64Ports(CalculatorContract* cc) {
  for (PacketType& type : cc->Inputs()) type.Set<std::int64_t>();
  for (PacketType& type : cc->Outputs()) type.Set<std::int64_t>();
  cc->SetTimestampOffset(TimestampDiff(0));
  return absl::OkStatus();
}

absl::Status SetPortsAndState(CalculatorContract* cc) {
  cc->InputSidePackets().Tag(kState).Set<BenchmarkState*>();
  return SetInt64Ports(cc);
}

BenchmarkState* GetState(CalculatorContext* cc) {
  return cc->InputSidePackets().Tag(kState).Get<BenchmarkState*>();
}

}  // namespace

std::int64_t MonotonicNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void BeBusyFor(std::int64_t ns) {
  const std::int64_t start = MonotonicNs();
  while (MonotonicNs() - start < ns) {
  }
}

class BenchmarkSource : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Tag(kState).Set<BenchmarkState*>();
    for (PacketType& type : cc->Outputs()) type.Set<std::int64_t>();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    packets_ = GetState(cc)->packets;
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (next_ == packets_) return tool::StatusStop();
    Packet packet = MakePacket<std::int64_t>(next_).At(Timestamp(next_));
    ++next_;
    const int last = cc->Outputs().NumEntries() - 1;
    for (int i = 0; i < last; ++i) cc->Outputs().Index(i).AddPacket(packet);
    cc->Outputs().Index(last).AddPacket(std::move(packet));
    return absl::OkStatus();
  }

 private:
  std::int64_t packets_ = 0;
  std::int64_t next_ = 0;
};
REGISTER_CALCULATOR(BenchmarkSource);

class BenchmarkPass : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return SetInt64Ports(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(BenchmarkPass);

class BenchmarkWork : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return SetPortsAndState(cc);
  }
  absl::Status Open(CalculatorContext* cc) override {
    steps_ = GetState(cc)->work_steps;
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    DoBusyWork(steps_);
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }

 private:
  std::int64_t steps_ = 0;
};
REGISTER_CALCULATOR(BenchmarkWork);

class BenchmarkSink : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return SetPortsAndState(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    bool complete = true;
    for (const InputStream& input : cc->Inputs()) complete &= !input.IsEmpty();
    delivered_ += complete ? 1 : 0;
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    GetState(cc)->delivered += delivered_;
    return absl::OkStatus();
  }

 private:
  std::int64_t delivered_ = 0;
};
REGISTER_CALCULATOR(BenchmarkSink);

class BenchmarkPacedSource : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Tag(kState).Set<BenchmarkState*>();
    cc->Outputs().Index(0).Set<std::int64_t>();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    packets_ = GetState(cc)->packets;
    due_ns_ = MonotonicNs();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (next_ == packets_) return tool::StatusStop();
    std::int64_t now = MonotonicNs();
    while (now < due_ns_) now = MonotonicNs();
    due_ns_ += kFlowLimiterPeriodNs;
    // As with a camera, the packets that should have come meanwhile are lost.
    if (due_ns_ < now) due_ns_ = now;
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::int64_t>(now).At(Timestamp(next_++)));
    return absl::OkStatus();
  }

 private:
  std::int64_t packets_ = 0;
  std::int64_t next_ = 0;
  std::int64_t due_ns_ = 0;
};
REGISTER_CALCULATOR(BenchmarkPacedSource);

// Sends until `packets` of them have come out at the end.
class BenchmarkFreeSource : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Tag(kState).Set<BenchmarkState*>();
    cc->Outputs().Index(0).Set<std::int64_t>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const BenchmarkState& state = *GetState(cc);
    if (state.delivered.load(std::memory_order_relaxed) >= state.packets)
      return tool::StatusStop();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::int64_t>(MonotonicNs()).At(Timestamp(next_++)));
    return absl::OkStatus();
  }

 private:
  std::int64_t next_ = 0;
};
REGISTER_CALCULATOR(BenchmarkFreeSource);

class BenchmarkTimedWork : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return SetPortsAndState(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    BenchmarkState* const state = GetState(cc);
    const Packet& packet = cc->Inputs().Index(0).Value();
    if (packet.IsEmpty()) return absl::OkStatus();
    state->age_ns.push_back(
        static_cast<double>(MonotonicNs() - packet.Get<std::int64_t>()));
    BeBusyFor(state->work_ns);
    state->delivered.fetch_add(1, std::memory_order_relaxed);
    cc->Outputs().Index(0).AddPacket(packet);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(BenchmarkTimedWork);

}  // namespace syncline
