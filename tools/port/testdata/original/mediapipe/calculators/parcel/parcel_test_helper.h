// Copyright 2023 The Acme Authors.

#ifndef MEDIAPIPE_CALCULATORS_PARCEL_PARCEL_TEST_HELPER_H_
#define MEDIAPIPE_CALCULATORS_PARCEL_PARCEL_TEST_HELPER_H_

#include "mediapipe/calculators/parcel/parcel.pb.h"

namespace mediapipe {

// A parcel of a weight, in grams.
CorpusParcel ParcelOf(int grams);

}  // namespace mediapipe

#endif  // MEDIAPIPE_CALCULATORS_PARCEL_PARCEL_TEST_HELPER_H_
