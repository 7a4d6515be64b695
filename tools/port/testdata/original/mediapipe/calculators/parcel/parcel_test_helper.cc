// Copyright 2023 The Acme Authors.

#include "mediapipe/calculators/parcel/parcel_test_helper.h"

#include "mediapipe/framework/port/gtest.h"

namespace mediapipe {

CorpusParcel ParcelOf(int grams) {
  EXPECT_GE(grams, 0);
  CorpusParcel parcel;
  parcel.set_grams(grams);
  return parcel;
}

}  // namespace mediapipe
