// Copyright 2023 The Acme Authors.

#include "mediapipe/calculators/parcel/weigh_calculator.h"

#include "absl/log/absl_check.h"
#include "absl/log/absl_log.h"
#include "mediapipe/calculators/parcel/inner/label.pb.h"
#include "mediapipe/calculators/parcel/tariffs.h"
#include "mediapipe/calculators/parcel/weigh_calculator.pb.h"

namespace mediapipe {
namespace {

constexpr char kNotice[] =
#include "mediapipe/calculators/parcel/notice.inc"
    ;

struct Tariff {
  uint32 up_to_grams;
  int64 cents;
};

constexpr Tariff kTariffs[] = {CORPUS_TARIFFS};

#if MEDIAPIPE_HAS_RTTI
constexpr bool kNamesTypes = true;
#else
constexpr bool kNamesTypes = false;
#endif

}  // namespace

mediapipe::StatusOr<int64> CorpusPrice(const CorpusParcel& parcel) {
  for (const Tariff& tariff : kTariffs) {
    if (parcel.grams() <= tariff.up_to_grams) return tariff.cents;
  }
  return absl::OutOfRangeError(absl::Substitute(
      "no tariff for $0 g to \"$1\"", parcel.grams(), parcel.label().town()));
}

std::string CorpusNotice() { return kNotice; }

// Adds the tare, and sends the price; what is too heavy is sent as kint64max.
class CorpusWeighCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("PARCEL").Set<CorpusParcel>();
    cc->Outputs().Tag("CENTS").Set<int64>();
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    cc->SetOffset(TimestampDiff(0));
    ABSL_CHECK(kNamesTypes);
    tare_ = cc->Options<CorpusWeighCalculatorOptions>().tare();
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    CorpusParcel parcel = cc->Inputs().Tag("PARCEL").Get<CorpusParcel>();
    parcel.set_grams(parcel.grams() + tare_.grams());
    const auto price = CorpusPrice(parcel);
    ABSL_LOG_IF(WARNING, !price.ok()) << price.status();
    cc->Outputs().Tag("CENTS").Add(
        absl::make_unique<int64>(price.value_or(kint64max)).release(),
        cc->InputTimestamp());
    return absl::OkStatus();
  }

 private:
  CorpusParcel tare_;
};
REGISTER_CALCULATOR(CorpusWeighCalculator);

}  // namespace mediapipe
