// Stream: a queue of work of a device. The host submits work and goes on; the
// device does the work of a stream in order, beside that of other streams.
//
//   Stream stream = *Stream::Make(device, {}, "blur");
//   stream.WaitFor(Reads(image));                // another stream made it
//   stream.Launch(kBlur, num_pixels, params, {Reads(image), Writes(blurred)});
//   packet_point = stream.Now();
//
// Work declares the buffers that it uses. A kernel is given these and no
// others, in their order. Nothing waits by itself: work that uses what another
// stream wrote has to be told to wait for it, and where that was forgotten the
// call is an error (access_check.h).
//
// A Stream is a handle; copies are the same stream. It ends with the last of
// them, or with Destroy(), while its work goes on.
//
// Thread rule: any thread. Work of two threads on one stream comes in the order
// in which they submit it.
// Tested by stream_test and stream_end_test.

#ifndef SYNCLINE_GPU_STREAM_H_
#define SYNCLINE_GPU_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "gpu/device.h"
#include "gpu/device_buffer.h"
#include "gpu/driver.h"
#include "gpu/kernel.h"
#include "gpu/stream_core.h"
#include "gpu/work_point.h"

namespace syncline::gpu {

// A part of two buffers; in bytes. Default: all of the source.
struct CopyRange {
  std::size_t to_offset = 0;
  std::size_t from_offset = 0;
  absl::optional<std::size_t> bytes;
};

class Stream {
 public:
  // No stream.
  Stream() = default;
  // `name` is for messages.
  static absl::StatusOr<Stream> Make(std::shared_ptr<Device> device,
                                     const StreamOptions& options,
                                     absl::string_view name);
  // A stream that somebody else made and destroys: it must outlive this handle.
  // What he gives it himself the checker learns by Note().
  static Stream Adopt(std::shared_ptr<Device> device, StreamHandle handle,
                      absl::string_view name);

  bool is_null() const { return shared_ == nullptr; }
  // The others: REQUIRES: !is_null().
  const std::shared_ptr<Device>& device() const { return shared_->device; }
  const std::string& name() const { return core().name(); }
  const StreamOptions& options() const { return shared_->options; }
  // On CUDA, the cudaStream_t.
  StreamHandle handle() const { return core().handle(); }
  friend bool operator==(const Stream& a, const Stream& b) {
    return a.shared_ == b.shared_;
  }

  // --- Work. Errors: FAILED_PRECONDITION for accesses that nothing orders, a
  // stream that was destroyed, a buffer that was released; INVALID_ARGUMENT for
  // buffers of other devices and wrong sizes; what the driver says, and the
  // sticky error of the device.

  // `count` is what the kernel counts its work in. `parameters` are copied.
  template <typename Parameters>
  absl::Status Launch(const Kernel& kernel, std::int64_t count,
                      const Parameters& parameters,
                      absl::Span<const Access> accesses) const {
    static_assert(std::is_trivially_copyable_v<Parameters>,
                  "the parameters of a kernel are copied as bytes");
    if constexpr (std::is_empty_v<Parameters>) {
      return LaunchBytes(kernel, count, nullptr, 0, accesses);
    } else {
      return LaunchBytes(kernel, count, &parameters, sizeof(parameters),
                         accesses);
    }
  }
  template <typename Parameters>
  absl::Status Launch(const Kernel& kernel, std::int64_t count,
                      const Parameters& parameters,
                      std::initializer_list<Access> accesses) const {
    return Launch(kernel, count, parameters,
                  absl::MakeConstSpan(accesses.begin(), accesses.size()));
  }

  // Between buffers of any kind and device. Copy(Writes(to), Reads(from)).
  absl::Status Copy(const Access& to, const Access& from,
                    const CopyRange& range = {}) const;
  absl::Status Fill(const Access& to, std::uint8_t value) const;
  // From other memory of the host, which is the caller's again when this
  // returns. So this waits on the host for pinned and managed memory, which
  // devices read later, and on CUDA for any memory that the device can read
  // itself: to go on at once, Copy() from a buffer. `bytes` go to the beginning
  // of the buffer.
  absl::Status CopyFromHost(const Access& to, const void* from,
                            std::size_t bytes) const;
  // To other memory of the host. Waits on the host until it is there; also with
  // an error, the device does not write there any more when this returns.
  absl::Status CopyToHost(void* to, const Access& from,
                          std::size_t bytes) const;
  // `function` is called on a thread of the driver after the work before it. It
  // must not use devices. It is destroyed without a call if that work fails,
  // and never while a stream is locked: what it holds may use devices then.
  absl::Status CallHost(std::function<void()> function) const;

  // For work that the caller gives to handle() himself: Check() before, Note()
  // after. `work` names it and is a constant. The stream may be destroyed
  // between the two: then the work is what the stream ends with.
  absl::Status Check(const char* work, absl::Span<const Access> accesses) const;
  void Note(const char* work, absl::Span<const Access> accesses) const;

  // --- Order

  // The work that was submitted until now.
  WorkPoint Now() const;
  // Work that is submitted from now on begins after that of `point`; nothing is
  // done if that is so already. INVALID_ARGUMENT for a point of devices of
  // another kind.
  absl::Status WaitFor(const WorkPoint& point) const;
  // The same for what an access to a buffer has to wait for.
  absl::Status WaitFor(const Access& access) const;
  // Blocks the host until all work has ended.
  absl::Status Synchronize() const { return Now().HostWait(); }

  // Stream-ordered memory: for work from now on, of this stream and of those
  // that wait for it. It goes back on this stream.
  absl::StatusOr<DeviceBuffer> Allocate(std::size_t bytes,
                                        absl::string_view name) const;

  // Ends the stream for all handles. Its work goes on, points stay good.
  void Destroy() const { core().Close(); }

  StreamCore& core() const { return *shared_->core; }

 private:
  struct Shared {
    ~Shared() { core->Close(); }
    // Destroyed last.
    std::shared_ptr<Device> device;
    std::shared_ptr<StreamCore> core;
    StreamOptions options;
  };

  absl::Status LaunchBytes(const Kernel& kernel, std::int64_t count,
                           const void* parameters, std::size_t parameters_size,
                           absl::Span<const Access> accesses) const;

  std::shared_ptr<const Shared> shared_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STREAM_H_
