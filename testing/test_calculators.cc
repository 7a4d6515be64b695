#include "testing/test_calculators.h"

#include <atomic>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "testing/lifetimes.h"
#include "testing/test_calculators.pb.h"

namespace syncline {

void Latch::Open() {
  MutexLock lock(&mutex_);
  is_open_ = true;
  changed_.SignalAll();
}

void Latch::Wait() {
  MutexLock lock(&mutex_);
  ++arrivals_;
  changed_.SignalAll();
  while (!is_open_) changed_.Wait(&mutex_);
}

void Latch::WaitForArrivals(int count) {
  MutexLock lock(&mutex_);
  while (arrivals_ < count) changed_.Wait(&mutex_);
}

namespace {

void SetInts(PacketTypeSet& ports) {
  for (PacketType& port : ports) port.Set<int>();
}

const TestCalculatorOptions& OptionsOf(const CalculatorContext* cc) {
  return cc->Options<TestCalculatorOptions>();
}

void SendToAll(int value, Timestamp timestamp, CalculatorContext* cc) {
  if (cc->Outputs().NumEntries() == 0) return;
  const Packet packet = MakeCounted<int>(value).At(timestamp);
  for (OutputStream& output : cc->Outputs()) output.AddPacket(packet);
}

int Sum(CalculatorContext* cc) {
  int sum = 0;
  for (const InputStream& input : cc->Inputs()) {
    if (!input.IsEmpty()) sum += input.Get<int>();
  }
  return sum;
}

// All ports carry int; a calculator adds what else it needs.
class IntCalculator : public CountedCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SetInts(cc->Inputs());
    SetInts(cc->Outputs());
    SetInts(cc->InputSidePackets());
    SetInts(cc->OutputSidePackets());
    return absl::OkStatus();
  }
};

class NumberSourceCalculator : public IntCalculator {
 public:
  absl::Status Process(CalculatorContext* cc) override {
    const TestCalculatorOptions& options = OptionsOf(cc);
    for (int i = 0; i < options.packets_per_call(); ++i) {
      if (options.count() >= 0 && sent_ >= options.count()) {
        return tool::StatusStop();
      }
      SendToAll(static_cast<int>(sent_), NextTimestamp(options), cc);
      ++sent_;
    }
    return absl::OkStatus();
  }
  Timestamp SourceProcessOrder(const CalculatorContext* cc) const override {
    return OptionsOf(cc).order_by_time() ? NextTimestamp(OptionsOf(cc))
                                         : Timestamp(0);
  }

 private:
  Timestamp NextTimestamp(const TestCalculatorOptions& options) const {
    return Timestamp(options.first_timestamp() + sent_ * options.period());
  }

  std::int64_t sent_ = 0;
};
REGISTER_CALCULATOR(NumberSourceCalculator);

class SumCalculator : public IntCalculator {
 public:
  absl::Status Process(CalculatorContext* cc) override {
    SendToAll(Sum(cc), cc->InputTimestamp(), cc);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(SumCalculator);

class RunningCountCalculator : public IntCalculator {
 public:
  absl::Status Process(CalculatorContext* cc) override {
    for (const InputStream& input : cc->Inputs()) count_ += !input.IsEmpty();
    SendToAll(count_, cc->InputTimestamp(), cc);
    return absl::OkStatus();
  }

 private:
  int count_ = 0;
};
REGISTER_CALCULATOR(RunningCountCalculator);

class DelayCalculator : public CountedCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (int i = 0; i < cc->Inputs().NumEntries(); ++i) {
      cc->Inputs().Index(i).SetAny();
      cc->Outputs().Index(i).SetSameAs(&cc->Inputs().Index(i));
    }
    const auto& options = cc->Options<TestCalculatorOptions>();
    if (options.promise_offset()) {
      cc->SetTimestampOffset(TimestampDiff(options.shift()));
    }
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    for (int i = 0; i < cc->Inputs().NumEntries(); ++i) {
      const Packet& packet = cc->Inputs().Index(i).Value();
      if (packet.IsEmpty()) continue;
      cc->Outputs().Index(i).AddPacket(
          packet.At(packet.Timestamp() + OptionsOf(cc).shift()));
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(DelayCalculator);

class FilterCalculator : public IntCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<TestCalculatorOptions>();
    if (options.promise_offset()) cc->SetTimestampOffset(TimestampDiff(0));
    if (options.multiples_of() < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("multiples_of must be at least 1, and is ",
                       options.multiples_of(), "."));
    }
    return IntCalculator::GetContract(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    const int value = Sum(cc);
    if (value % OptionsOf(cc).multiples_of() == 0) {
      SendToAll(value, cc->InputTimestamp(), cc);
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(FilterCalculator);

class UnitDelayCalculator : public IntCalculator {
 public:
  absl::Status Open(CalculatorContext* cc) override {
    SendToAll(OptionsOf(cc).value(), Timestamp(OptionsOf(cc).first_timestamp()),
              cc);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    SendToAll(Sum(cc), cc->InputTimestamp() + OptionsOf(cc).period(), cc);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(UnitDelayCalculator);

class FaultyCalculator : public IntCalculator {
 public:
  absl::Status Open(CalculatorContext* cc) override {
    return MaybeFail(TestCalculatorOptions::OPEN, cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    ++calls_;
    if (calls_ >= OptionsOf(cc).fault_at()) {
      SYNCLINE_RETURN_IF_ERROR(MaybeFail(TestCalculatorOptions::PROCESS, cc));
    }
    if (cc->Inputs().NumEntries() > 0) {
      SendToAll(Sum(cc), cc->InputTimestamp(), cc);
      return absl::OkStatus();
    }
    if (OptionsOf(cc).count() >= 0 && calls_ > OptionsOf(cc).count()) {
      return tool::StatusStop();
    }
    SendToAll(static_cast<int>(calls_ - 1), Timestamp(calls_ - 1), cc);
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    return MaybeFail(TestCalculatorOptions::CLOSE, cc);
  }

 private:
  static absl::Status MaybeFail(TestCalculatorOptions::Phase phase,
                                CalculatorContext* cc) {
    const TestCalculatorOptions& options = OptionsOf(cc);
    if (options.fault_in() != phase) return absl::OkStatus();
    switch (options.fault()) {
      case TestCalculatorOptions::NONE:
        return absl::OkStatus();
      case TestCalculatorOptions::STATUS:
        return absl::UnavailableError(options.message());
      case TestCalculatorOptions::EXCEPTION:
        throw std::runtime_error(options.message());
      case TestCalculatorOptions::BAD_ALLOC:
        throw std::bad_alloc();
      case TestCalculatorOptions::ODD_EXCEPTION:
        throw 7;
      case TestCalculatorOptions::MISUSE:
        (void)MakeCounted<int>(1).Get<std::string>();
        return absl::OkStatus();
      case TestCalculatorOptions::STOP:
        return tool::StatusStop();
      case TestCalculatorOptions::LATE_PACKET:
        SendToAll(1, cc->InputTimestamp(), cc);
        SendToAll(2, cc->InputTimestamp(), cc);
        return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  std::atomic<std::int64_t> calls_{0};
};
REGISTER_CALCULATOR(FaultyCalculator);

class BlockingCalculator : public IntCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SetInts(cc->Inputs());
    SetInts(cc->Outputs());
    cc->InputSidePackets().Tag("LATCH").Set<Latch*>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->InputSidePackets().Tag("LATCH").Get<Latch*>()->Wait();
    SendToAll(Sum(cc), cc->InputTimestamp(), cc);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(BlockingCalculator);

class WorkCalculator : public IntCalculator {
 public:
  absl::Status Process(CalculatorContext* cc) override {
    const TestCalculatorOptions& options = OptionsOf(cc);
    if (options.busy_us() > 0) {
      const absl::Time end =
          absl::Now() + absl::Microseconds(options.busy_us());
      while (absl::Now() < end) {
      }
    }
    if (options.sleep_us() > 0) {
      absl::SleepFor(absl::Microseconds(options.sleep_us()));
    }
    SendToAll(Sum(cc), cc->InputTimestamp(), cc);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(WorkCalculator);

class BoundSenderCalculator : public IntCalculator {
 public:
  absl::Status Process(CalculatorContext* cc) override {
    for (OutputStream& output : cc->Outputs()) {
      output.SetNextTimestampBound(cc->InputTimestamp() +
                                   OptionsOf(cc).shift());
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(BoundSenderCalculator);

class BoundRecorderCalculator : public IntCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    return IntCalculator::GetContract(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    int packets = 0;
    for (const InputStream& input : cc->Inputs()) packets += !input.IsEmpty();
    SendToAll(packets, cc->InputTimestamp(), cc);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(BoundRecorderCalculator);

class SidePacketSourceCalculator : public IntCalculator {
 public:
  absl::Status Open(CalculatorContext* cc) override {
    for (OutputSidePacket& output : cc->OutputSidePackets()) {
      output.Set(MakeCounted<int>(OptionsOf(cc).value()));
    }
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    return tool::StatusStop();
  }
};
REGISTER_CALCULATOR(SidePacketSourceCalculator);

class SidePacketSumCalculator : public IntCalculator {
 public:
  absl::Status Open(CalculatorContext* cc) override {
    sum_ = OptionsOf(cc).value();
    for (const Packet& packet : cc->InputSidePackets()) {
      if (!packet.IsEmpty()) sum_ += packet.Get<int>();
    }
    for (OutputSidePacket& output : cc->OutputSidePackets()) {
      output.Set(MakeCounted<int>(sum_));
    }
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().NumEntries() == 0) return tool::StatusStop();
    SendToAll(sum_ + Sum(cc), cc->InputTimestamp(), cc);
    return absl::OkStatus();
  }

 private:
  int sum_ = 0;
};
REGISTER_CALCULATOR(SidePacketSumCalculator);

class LambdaCalculator : public LambdaBase<CountedCalculator> {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (int i = 0; i < cc->InputSidePackets().NumEntries(""); ++i) {
      cc->InputSidePackets().Get("", i).SetAny();
    }
    for (PacketType& output : cc->OutputSidePackets()) output.SetAny();
    return LambdaBase::GetContract(cc);
  }
};
REGISTER_CALCULATOR(LambdaCalculator);

class LambdaBoundsCalculator : public LambdaCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    return LambdaCalculator::GetContract(cc);
  }
};
REGISTER_CALCULATOR(LambdaBoundsCalculator);

class LambdaOffsetCalculator : public LambdaCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->SetTimestampOffset(TimestampDiff(0));
    return LambdaCalculator::GetContract(cc);
  }
};
REGISTER_CALCULATOR(LambdaOffsetCalculator);

}  // namespace
}  // namespace syncline
