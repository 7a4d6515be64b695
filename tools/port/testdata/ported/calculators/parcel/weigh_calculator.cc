// Copyright 2023 The Acme Authors.

#include "framework/port.h"
#include "tools/port/testdata/ported/calculators/parcel/weigh_calculator.h"

#include "glog/logging.h"
#include "tools/port/testdata/ported/calculators/parcel/inner/label.pb.h"
#include "tools/port/testdata/ported/calculators/parcel/tariffs.h"
#include "tools/port/testdata/ported/calculators/parcel/weigh_calculator.pb.h"
#include "absl/memory/memory.h"
#include "absl/strings/substitute.h"

namespace syncline {
namespace {

constexpr char kNotice[] =
#include "tools/port/testdata/ported/calculators/parcel/notice.inc"
    ;

struct Tariff {
  uint32 up_to_grams;
  int64 cents;
};

constexpr Tariff kTariffs[] = {CORPUS_TARIFFS};

#if SYNCLINE_HAS_RTTI
constexpr bool kNamesTypes = true;
#else
constexpr bool kNamesTypes = false;
#endif

}  // namespace

syncline::StatusOr<int64> CorpusPrice(const CorpusParcel& parcel) {
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
    CHECK(kNamesTypes);
    tare_ = cc->Options<CorpusWeighCalculatorOptions>().tare();
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    CorpusParcel parcel = cc->Inputs().Tag("PARCEL").Get<CorpusParcel>();
    parcel.set_grams(parcel.grams() + tare_.grams());
    const auto price = CorpusPrice(parcel);
    LOG_IF(WARNING, !price.ok()) << price.status();
    cc->Outputs().Tag("CENTS").Add(
        absl::make_unique<int64>(price.value_or(kint64max)).release(),
        cc->InputTimestamp());
    return absl::OkStatus();
  }

 private:
  CorpusParcel tare_;
};
REGISTER_CALCULATOR(CorpusWeighCalculator);

}  // namespace syncline
