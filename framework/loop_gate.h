// LoopGate: what a calculator says that lets only so many packets into a loop.
#ifndef SYNCLINE_FRAMEWORK_LOOP_GATE_H_
#define SYNCLINE_FRAMEWORK_LOOP_GATE_H_

#include "framework/condition/loop_gate.h"

#endif  // SYNCLINE_FRAMEWORK_LOOP_GATE_H_
