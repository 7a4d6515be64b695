// Copyright 2025 The Acme Authors.

#ifndef SYNCLINE_ACME_CALCULATORS_PICK_CALCULATOR_H_
#define SYNCLINE_ACME_CALCULATORS_PICK_CALCULATOR_H_

#include "framework/api2/node.h"
#include "framework/api2/port.h"

namespace syncline::tasks {

// Passes one of its inputs on: the interface, for graphs that are built in C++.
class PickNode : public syncline::api2::NodeIntf {
 public:
  static constexpr syncline::api2::Input<syncline::api2::AnyType>::Multiple
      kIn{""};
  static constexpr syncline::api2::SideInput<int> kIndex{"INDEX"};
  static constexpr syncline::api2::Output<syncline::api2::AnyType> kOut{""};

  SYNCLINE_NODE_INTERFACE(PickCalculator, kIn, kIndex, kOut,
                           syncline::api2::StreamHandler(
                               "ImmediateInputStreamHandler"),
                           syncline::api2::TimestampChange::Arbitrary());
};

}  // namespace syncline::tasks

#endif  // SYNCLINE_ACME_CALCULATORS_PICK_CALCULATOR_H_
