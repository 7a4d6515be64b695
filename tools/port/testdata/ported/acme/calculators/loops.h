// Copyright 2024 The Acme Authors.

#ifndef SYNCLINE_ACME_CALCULATORS_LOOPS_H_
#define SYNCLINE_ACME_CALCULATORS_LOOPS_H_

namespace syncline {

struct AcmeReading {
  float value;
};

}  // namespace syncline

#endif  // SYNCLINE_ACME_CALCULATORS_LOOPS_H_
