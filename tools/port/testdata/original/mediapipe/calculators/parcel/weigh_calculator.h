// Copyright 2023 The Acme Authors.

#ifndef MEDIAPIPE_CALCULATORS_PARCEL_WEIGH_CALCULATOR_H_
#define MEDIAPIPE_CALCULATORS_PARCEL_WEIGH_CALCULATOR_H_

#include "mediapipe/calculators/parcel/parcel.pb.h"
#include "mediapipe/framework/calculator_framework.h"

namespace mediapipe {

// Gives the price of a parcel in cents.
mediapipe::StatusOr<int64> CorpusPrice(const CorpusParcel& parcel);

// What customers are told.
std::string CorpusNotice();

}  // namespace mediapipe

#endif  // MEDIAPIPE_CALCULATORS_PARCEL_WEIGH_CALCULATOR_H_
