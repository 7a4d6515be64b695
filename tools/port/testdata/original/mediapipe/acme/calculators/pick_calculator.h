// Copyright 2025 The Acme Authors.

#ifndef MEDIAPIPE_ACME_CALCULATORS_PICK_CALCULATOR_H_
#define MEDIAPIPE_ACME_CALCULATORS_PICK_CALCULATOR_H_

#include "mediapipe/framework/api2/node.h"
#include "mediapipe/framework/api2/port.h"

namespace mediapipe::tasks {

// Passes one of its inputs on: the interface, for graphs that are built in C++.
class PickNode : public mediapipe::api2::NodeIntf {
 public:
  static constexpr mediapipe::api2::Input<mediapipe::api2::AnyType>::Multiple
      kIn{""};
  static constexpr mediapipe::api2::SideInput<int> kIndex{"INDEX"};
  static constexpr mediapipe::api2::Output<mediapipe::api2::AnyType> kOut{""};

  MEDIAPIPE_NODE_INTERFACE(PickCalculator, kIn, kIndex, kOut,
                           mediapipe::api2::StreamHandler(
                               "ImmediateInputStreamHandler"),
                           mediapipe::api2::TimestampChange::Arbitrary());
};

}  // namespace mediapipe::tasks

#endif  // MEDIAPIPE_ACME_CALCULATORS_PICK_CALCULATOR_H_
