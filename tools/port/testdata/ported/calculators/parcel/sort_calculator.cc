// Copyright 2023 The Acme Authors.

#include "tools/port/testdata/ported/calculators/parcel/parcel.pb.h"
#include "framework/calculator_framework.h"
#include "absl/memory/memory.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "framework/deps/clock.h"
#include "framework/port/integral_types.h"
#include "framework/port/proto_ns.h"
#include "framework/port/threadpool.h"
#include "framework/tool/tag_map.h"

namespace syncline {

// Counts the bytes of parcels on a thread of its own, and says where they go:
// light ones to LIGHT, all others to HEAVY.
class CorpusSortCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<CorpusParcel>();
    const tool::TagMap& outputs = *cc->Outputs().TagMap();
    RET_CHECK_EQ(outputs.NumEntries(), 2);
    for (const std::string& tag : outputs.GetTags()) {
      cc->Outputs().Tag(tag).SetSameAs(&cc->Inputs().Index(0));
    }
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    cc->SetOffset(0);
    clock_ = Clock::RealClock();
    threads_ = absl::make_unique<ThreadPool>("corpus", 1);
    threads_->StartWorkers();
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const CorpusParcel& parcel = cc->Inputs().Index(0).Get<CorpusParcel>();
    const absl::Time start = clock_->TimeNow();
    const proto_ns::MessageLite& message = parcel;
    absl::Notification done;
    threads_->Schedule([&] {
      bytes_ += message.ByteSizeLong();
      done.Notify();
    });
    done.WaitForNotification();
    VLOG(2) << bytes_ << " bytes so far, in " << clock_->TimeNow() - start;
    cc->Outputs()
        .Tag(parcel.grams() < 1000 ? "LIGHT" : "HEAVY")
        .AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }

 private:
  Clock* clock_ = nullptr;
  std::unique_ptr<ThreadPool> threads_;
  uint64 bytes_ = 0;
};
REGISTER_CALCULATOR(CorpusSortCalculator);

}  // namespace syncline
