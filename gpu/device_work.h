// DeviceWork: the work of devices that a value waits for before it may be used.
//
//   DeviceBuffer            its memory knows who wrote and who reads it
//   OnStream<T>             any value, ready when a stream has come so far
//   std::vector, optional, pair, map, shared_ptr of such values: theirs
//
// So a packet carries its streams by its payload, and nothing else has to be
// sent along. A type of one's own says what is in it, once for the compiler and
// once for code that has a packet only, such as conditions:
//
//   template <>
//   struct DeviceWorkOf<Frame> {
//     static void Add(const Frame& frame, DeviceWork* work) {
//       AddDeviceWork(frame.pixels, work);
//     }
//   };
//   SYNCLINE_REGISTER_DEVICE_WORK(Frame);          // in one source
//
// Thread rule: values; what is registered, from any thread.
// Tested by device_work_test.

#ifndef SYNCLINE_GPU_DEVICE_WORK_H_
#define SYNCLINE_GPU_DEVICE_WORK_H_

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/base/type_id.h"
#include "framework/packet/packet.h"
#include "gpu/device_buffer.h"
#include "gpu/work_point.h"

namespace syncline::gpu {

class DeviceWork {
 public:
  DeviceWork() = default;
  // For a value that is about to be sent: `mark` is called for each buffer that
  // is added, and nothing is kept.
  using MarkFunction = void (DeviceBuffer::*)() const;
  static DeviceWork Marking(MarkFunction mark) {
    DeviceWork work;
    work.mark_ = mark;
    return work;
  }

  // A buffer without memory, and a point of no work, add nothing.
  void Add(const DeviceBuffer& buffer);
  void Add(const WorkPoint& point);

  // Whether there is nothing to wait for, now and later.
  bool empty() const { return buffers_.empty() && points_.empty(); }
  const std::vector<DeviceBuffer>& buffers() const { return buffers_; }

  // What work that reads the value comes after: the last writes of its buffers,
  // and the points. One point for a stream, in the order of the value.
  std::vector<WorkPoint> PointsBeforeReading() const;
  // What work that changes the value comes after: also those who read it.
  std::vector<WorkPoint> PointsBeforeWriting() const;

  // Whether the host may read what it can see of it. Records events.
  absl::StatusOr<bool> CanBeRead() const;
  // Blocks the host until it may.
  absl::Status HostWait() const;

 private:
  std::vector<WorkPoint> Points(bool before_writing) const;

  // Null: buffers are kept.
  MarkFunction mark_ = nullptr;
  std::vector<DeviceBuffer> buffers_;
  std::vector<WorkPoint> points_;
};

// What is in a type: specialised where there is something. The others have no
// device work.
template <typename T>
struct DeviceWorkOf {};

template <typename T>
concept HasDeviceWork = requires(const T& value, DeviceWork* work) {
  DeviceWorkOf<T>::Add(value, work);
};

template <typename T>
void AddDeviceWork(const T& value, DeviceWork* work) {
  if constexpr (HasDeviceWork<T>) DeviceWorkOf<T>::Add(value, work);
}

// A value that is ready when `ready` has ended; it may be used on streams that
// wait for it.
template <typename T>
class OnStream {
 public:
  // Ready now.
  explicit OnStream(T value) : value_(std::move(value)) {}
  OnStream(T value, WorkPoint ready)
      : value_(std::move(value)), ready_(std::move(ready)) {}

  const T& value() const { return value_; }
  const WorkPoint& ready() const { return ready_; }

 private:
  T value_;
  WorkPoint ready_;
};

// --- For code that has a packet only

// Of a packet of a registered type; nothing for others and for no packet.
DeviceWork PendingWorkOf(const Packet& packet);
// For a packet that came in and is sent on: what the node of the calling thread
// has changed in it is what is sent (DeviceBuffer::MarkAsSentOn).
void MarkAsSentOn(const Packet& packet);

// Registers a type while it exists.
class DeviceWorkRegistration {
 public:
  using AddFunction = void (*)(const Packet& packet, DeviceWork* work);
  DeviceWorkRegistration(TypeId type, AddFunction add);
  ~DeviceWorkRegistration();
  DeviceWorkRegistration(const DeviceWorkRegistration&) = delete;
  DeviceWorkRegistration& operator=(const DeviceWorkRegistration&) = delete;

 private:
  const TypeId type_;
  const AddFunction add_;
};

// The registration of T, made where some code of the program names it.
template <HasDeviceWork T>
inline const DeviceWorkRegistration kDeviceWorkRegistration{
    TypeIdOf<T>(), [](const Packet& packet, DeviceWork* work) {
      DeviceWorkOf<T>::Add(packet.Get<T>(), work);
    }};

// A packet of a value, whose type is registered by that. Its readers find the
// buffers as they are now, or as the rest of the call leaves them: where
// accesses are checked, the use of one that another node has changed in place
// is an error. Nodes that share a buffer to change it in turn send it in a
// packet that MakePacket() made.
template <HasDeviceWork T>
Packet MakeDevicePacket(T value) {
  static_cast<void>(&kDeviceWorkRegistration<T>);
  DeviceWork sent = DeviceWork::Marking(&DeviceBuffer::MarkAsSent);
  DeviceWorkOf<T>::Add(value, &sent);
  return MakePacket<T>(std::move(value));
}

#define SYNCLINE_REGISTER_DEVICE_WORK(...) \
  SYNCLINE_REGISTER_DEVICE_WORK_1_(__COUNTER__, __VA_ARGS__)
#define SYNCLINE_REGISTER_DEVICE_WORK_1_(number, ...) \
  SYNCLINE_REGISTER_DEVICE_WORK_2_(number, __VA_ARGS__)
#define SYNCLINE_REGISTER_DEVICE_WORK_2_(number, ...)                       \
  [[maybe_unused]] static const void* const syncline_device_work_##number = \
      &::syncline::gpu::kDeviceWorkRegistration<__VA_ARGS__>

// --- The types that are known

template <>
struct DeviceWorkOf<DeviceBuffer> {
  static void Add(const DeviceBuffer& buffer, DeviceWork* work) {
    work->Add(buffer);
  }
};

template <typename T>
struct DeviceWorkOf<OnStream<T>> {
  static void Add(const OnStream<T>& on_stream, DeviceWork* work) {
    work->Add(on_stream.ready());
    AddDeviceWork(on_stream.value(), work);
  }
};

template <HasDeviceWork T>
struct DeviceWorkOf<std::vector<T>> {
  static void Add(const std::vector<T>& values, DeviceWork* work) {
    for (const T& value : values) AddDeviceWork(value, work);
  }
};

template <HasDeviceWork T>
struct DeviceWorkOf<absl::optional<T>> {
  static void Add(const absl::optional<T>& value, DeviceWork* work) {
    if (value.has_value()) AddDeviceWork(*value, work);
  }
};

template <typename A, typename B>
requires(HasDeviceWork<A> ||
         HasDeviceWork<B>) struct DeviceWorkOf<std::pair<A, B>> {
  static void Add(const std::pair<A, B>& pair, DeviceWork* work) {
    AddDeviceWork(pair.first, work);
    AddDeviceWork(pair.second, work);
  }
};

template <typename Key, HasDeviceWork T>
struct DeviceWorkOf<std::map<Key, T>> {
  static void Add(const std::map<Key, T>& values, DeviceWork* work) {
    for (const auto& [key, value] : values) AddDeviceWork(value, work);
  }
};

template <HasDeviceWork T>
struct DeviceWorkOf<std::shared_ptr<T>> {
  static void Add(const std::shared_ptr<T>& value, DeviceWork* work) {
    if (value != nullptr) AddDeviceWork(*value, work);
  }
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DEVICE_WORK_H_
