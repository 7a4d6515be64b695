// Copyright 2023 The Acme Authors.

#ifndef SYNCLINE_CALCULATORS_PARCEL_PARCEL_TEST_HELPER_H_
#define SYNCLINE_CALCULATORS_PARCEL_PARCEL_TEST_HELPER_H_

#include "tools/port/testdata/ported/calculators/parcel/parcel.pb.h"

namespace syncline {

// A parcel of a weight, in grams.
CorpusParcel ParcelOf(int grams);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_PARCEL_PARCEL_TEST_HELPER_H_
