// What the tests without_locks_* have in common: its calculator.

#include "testing/scenarios/looking.h"

#include "framework/calculator_framework.h"

namespace syncline {

REGISTER_CALCULATOR(TokenPass);

}  // namespace syncline
