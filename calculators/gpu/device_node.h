// DeviceNode: what the calculators of this folder share.
//
// STREAM. A node works on the stream of its input, so several of them in a row
// are a chain on one stream, without an event in between. A node with
// CudaStreamPoolOptions works on a stream of its own, beside the others; so
// does one whose input comes from the host.
//
// MEMORY comes from the allocators that GpuMemoryOptions name, else from a
// cache of the node.
//
// Errors begin with the node and the timestamp.
//
// Thread rule: calls of a node may overlap.
// Tested by the tests of the calculators.

#ifndef SYNCLINE_CALCULATORS_GPU_DEVICE_NODE_H_
#define SYNCLINE_CALCULATORS_GPU_DEVICE_NODE_H_

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/allocator.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_format.pb.h"
#include "gpu/buffer_cache.h"
#include "gpu/call_streams.h"
#include "gpu/device_buffer.h"
#include "gpu/gpu_buffer.h"
#include "gpu/gpu_calculator_base.h"
#include "gpu/kernels/color_plan.h"
#include "gpu/kernels/image_layout.h"
#include "gpu/stream.h"

namespace syncline {

class DeviceNode : public gpu::GpuCalculatorBase {
 public:
  // The last line of a GetContract: uses the device, and passes bounds through.
  static absl::Status UseDevice(CalculatorContract* cc);

 protected:
  // Finds the allocators. Who overrides it calls it first.
  absl::Status OpenOnDevice(CalculatorContext* cc,
                            gpu::CallStreams& streams) override;

  // The stream for what comes in on the port. FAILED_PRECONDITION where there
  // is no device.
  absl::StatusOr<gpu::Stream> StreamOf(CalculatorContext* cc,
                                       gpu::CallStreams& streams,
                                       absl::string_view port) const;
  // The same for an input from the host.
  absl::StatusOr<gpu::Stream> OwnStream(CalculatorContext* cc,
                                        gpu::CallStreams& streams,
                                        absl::string_view port) const;

  // Device memory for work of the stream. RESOURCE_EXHAUSTED if there is none.
  absl::StatusOr<gpu::DeviceBuffer> NewMemory(const gpu::Stream& stream,
                                              std::size_t bytes,
                                              absl::string_view name);
  // Pinned memory for work of the stream, and for the host.
  absl::StatusOr<gpu::DeviceBuffer> NewPinned(const gpu::Stream& stream,
                                              std::size_t bytes,
                                              absl::string_view name);
  absl::StatusOr<gpu::DeviceBuffer> NewPinnedForHost(const gpu::Stream& stream,
                                                     std::size_t bytes,
                                                     absl::string_view name);
  // An image in new memory, with rows as usual.
  absl::StatusOr<GpuBuffer> NewImage(const gpu::Stream& stream,
                                     ImageFormat::Format format, int width,
                                     int height, absl::string_view name);

 private:
  std::shared_ptr<Allocator> allocator_;
  std::shared_ptr<Allocator> host_allocator_;
  gpu::BufferCaches caches_;
};

// `Node "blur" at 40: `, for errors of a call.
std::string Where(CalculatorContext* cc);

// --- Images of bytes

// The orders that kernels of colours know: GRAY8, SRGB, SRGBA and SBGRA.
absl::StatusOr<gpu::PixelOrder> PixelOrderOf(ImageFormat::Format format);
bool IsColorOrGray(ImageFormat::Format format);

// Where the image lies, for plans of kernels. REQUIRES: its values are bytes.
gpu::PlacedImage PlaceOf(const GpuBuffer& image);

// INVALID_ARGUMENT unless it is an image of one of the four formats.
absl::Status CheckBytes(const GpuBuffer& image);

// Launches what was planned; a plan of no elements is no work.
template <typename Parameters>
absl::Status LaunchPlanned(
    const gpu::Stream& stream,
    const absl::StatusOr<gpu::LaunchPlan<Parameters>>& plan,
    std::initializer_list<gpu::Access> accesses) {
  if (!plan.ok()) return plan.status();
  if (plan->count == 0) return absl::OkStatus();
  return stream.Launch(*plan->kernel, plan->count, plan->parameters, accesses);
}

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_GPU_DEVICE_NODE_H_
