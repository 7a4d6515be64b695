// GpuCalculatorBase: a calculator that gives work to a device.
//
//   class BlurCalculator : public gpu::GpuCalculatorBase {
//    public:
//     static absl::Status GetContract(CalculatorContract* cc) {
//       cc->Inputs().Tag("IN").Set<gpu::DeviceBuffer>();
//       cc->Outputs().Tag("OUT").Set<gpu::DeviceBuffer>();
//       return UseDevice(cc);
//     }
//     absl::Status ProcessOnDevice(CalculatorContext* cc,
//                                  gpu::CallStreams& streams) override {
//       ...                                              // call_streams.h
//     }
//   };
//
// It asks for the device of the graph, has the streams of the node, names the
// node and the timestamp in errors of its work, and waits in Close until that
// work has ended. docs/concepts/gpu.md begins here.
//
// Thread rule: as for any calculator.
// Tested by node_streams_test.

#ifndef SYNCLINE_GPU_GPU_CALCULATOR_BASE_H_
#define SYNCLINE_GPU_GPU_CALCULATOR_BASE_H_

#include "absl/status/status.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "gpu/call_streams.h"
#include "gpu/node_streams.h"

namespace syncline::gpu {

class GpuCalculatorBase : public CalculatorBase {
 public:
  // The last line of a GetContract.
  static absl::Status UseDevice(CalculatorContract* cc) {
    return NodeStreams::UpdateContract(cc);
  }

  absl::Status Open(CalculatorContext* cc) final;
  absl::Status Process(CalculatorContext* cc) final;
  // Waits for the work also where CloseOnDevice has failed, and returns the
  // first error.
  absl::Status Close(CalculatorContext* cc) final;

 protected:
  // As Open, Process and Close of any calculator.
  virtual absl::Status OpenOnDevice(CalculatorContext* cc,
                                    CallStreams& streams) {
    return absl::OkStatus();
  }
  virtual absl::Status ProcessOnDevice(CalculatorContext* cc,
                                       CallStreams& streams) = 0;
  virtual absl::Status CloseOnDevice(CalculatorContext* cc,
                                     CallStreams& streams) {
    return absl::OkStatus();
  }

 private:
  NodeStreams streams_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_GPU_CALCULATOR_BASE_H_
