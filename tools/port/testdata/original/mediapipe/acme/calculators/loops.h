// Copyright 2024 The Acme Authors.

#ifndef MEDIAPIPE_ACME_CALCULATORS_LOOPS_H_
#define MEDIAPIPE_ACME_CALCULATORS_LOOPS_H_

namespace mediapipe {

struct AcmeReading {
  float value;
};

}  // namespace mediapipe

#endif  // MEDIAPIPE_ACME_CALCULATORS_LOOPS_H_
