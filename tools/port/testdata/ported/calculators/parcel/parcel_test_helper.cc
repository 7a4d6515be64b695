// Copyright 2023 The Acme Authors.

#include "tools/port/testdata/ported/calculators/parcel/parcel_test_helper.h"

#include "framework/port/gtest.h"

namespace syncline {

CorpusParcel ParcelOf(int grams) {
  EXPECT_GE(grams, 0);
  CorpusParcel parcel;
  parcel.set_grams(grams);
  return parcel;
}

}  // namespace syncline
