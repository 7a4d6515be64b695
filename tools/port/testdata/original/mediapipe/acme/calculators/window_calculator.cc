// Copyright 2023 The Acme Authors.

#include "mediapipe/acme/calculators/window_calculator.h"

namespace mediapipe {

typedef WindowCalculator<float> FloatWindowCalculator;
REGISTER_CALCULATOR(FloatWindowCalculator);

using IntWindowCalculator = WindowCalculator<int>;
REGISTER_CALCULATOR(::mediapipe::IntWindowCalculator);

}  // namespace mediapipe
