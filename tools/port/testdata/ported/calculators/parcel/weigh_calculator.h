// Copyright 2023 The Acme Authors.

#ifndef SYNCLINE_CALCULATORS_PARCEL_WEIGH_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_PARCEL_WEIGH_CALCULATOR_H_

#include "tools/port/testdata/ported/calculators/parcel/parcel.pb.h"
#include "framework/calculator_framework.h"
#include "framework/port/integral_types.h"

namespace syncline {

// Gives the price of a parcel in cents.
syncline::StatusOr<int64> CorpusPrice(const CorpusParcel& parcel);

// What customers are told.
std::string CorpusNotice();

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_PARCEL_WEIGH_CALCULATOR_H_
