// Copyright 2023 The Acme Authors.

#include "tools/port/testdata/ported/acme/calculators/window_calculator.h"

namespace syncline {

typedef WindowCalculator<float> FloatWindowCalculator;
REGISTER_CALCULATOR(FloatWindowCalculator);

using IntWindowCalculator = WindowCalculator<int>;
REGISTER_CALCULATOR(::syncline::IntWindowCalculator);

}  // namespace syncline
