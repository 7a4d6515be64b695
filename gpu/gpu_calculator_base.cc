#include "gpu/gpu_calculator_base.h"

#include "absl/status/status.h"
#include "framework/base/status_macros.h"

namespace syncline::gpu {

absl::Status GpuCalculatorBase::Open(CalculatorContext* cc) {
  SYNCLINE_RETURN_IF_ERROR(streams_.Open(cc));
  CallStreams streams(&streams_, cc);
  return OpenOnDevice(cc, streams);
}

absl::Status GpuCalculatorBase::Process(CalculatorContext* cc) {
  CallStreams streams(&streams_, cc);
  return ProcessOnDevice(cc, streams);
}

absl::Status GpuCalculatorBase::Close(CalculatorContext* cc) {
  absl::Status status;
  {
    CallStreams streams(&streams_, cc);
    status = CloseOnDevice(cc, streams);
  }
  const absl::Status ended = streams_.Close(cc);
  return status.ok() ? ended : status;
}

}  // namespace syncline::gpu
