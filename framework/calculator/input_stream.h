// InputStream: what one input port has for one call of a calculator.
//
//   for (const auto& input : cc->Inputs()) if (!input.IsEmpty()) ...
//   const Image& image = cc->Inputs().Tag("IMAGE").Get<Image>();
//
// A port without a packet at the input timestamp has an empty packet. Its
// timestamp still says something: up to there the stream is settled. So
// `Value().Timestamp() == cc->InputTimestamp()` asks whether the
// port has something at the time of the call: a packet, or the certainty that
// the stream has none.
//
// This is plain data: the engine fills it before the call and clears it
// afterwards. Queues, bounds and locks are elsewhere.
//
// Thread rule: belongs to one call.
// Tested by input_stream_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_INPUT_STREAM_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_INPUT_STREAM_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "framework/calculator/collection.h"
#include "framework/calculator/packet_times.h"
#include "framework/calculator/port_layout.h"
#include "framework/packet/packet.h"

namespace syncline {

// Small, and aligned so that two of them fill a cache line.
class alignas(32) InputStream {
 public:
  InputStream() : name_(&NoName()) {}
  ~InputStream() {
    if (ABSL_PREDICT_FALSE(has_port_)) delete port_;
  }
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;

  // The packet of this call, or an empty one at the settled timestamp. A
  // calculator may move it out.
  const Packet& Value() const { return value_; }
  Packet& Value() { return value_; }

  // The payload. A misuse, which names the stream, where there is no packet or
  // it holds another type.
  template <typename T>
  const T& Get() const {
    const absl::Status status = value_.ValidateAsType<T>();
    if (ABSL_PREDICT_FALSE(!status.ok())) ReportWrongGet(status);
    return value_.Get<T>();
  }

  bool IsEmpty() const { return value_.IsEmpty(); }

  // The stream was closed and this is the last that comes from it. A stream
  // that merely cannot go on (its bound is OneOverPostStream) is not done.
  bool IsDone() const { return is_done_; }

  // What the producer set as header in Open; empty if nothing.
  const Packet& Header() const;

  // The name of the stream that is connected.
  const std::string& Name() const { return has_port_ ? *port_->name : *name_; }

  // Times of the packet of this call, all kNone if there is no packet. A misuse
  // unless the input keeps them; see packet_times.h.
  const PacketTimes& MessageTimes() const;
  bool KeepsMessageTimes() const {
    return has_port_ && port_->times != nullptr;
  }

  // --- For the engine.

  // The name is borrowed.
  void SetName(const std::string* name) {
    (has_port_ ? port_->name : name_) = name;
  }
  void SetHeader(Packet header) { MyPort().header = std::move(header); }
  // Also says that times are kept.
  void SetMessageTimes(const PacketTimes& times);

  // Sets the packet, or an empty one at the settled timestamp.
  void Fill(Packet&& value, bool is_done) {
    value_ = std::move(value);
    is_done_ = is_done;
  }
  void SetIsDone(bool is_done) { is_done_ = is_done; }
  // Lets go of the packet; the header stays.
  void Clear() {
    value_ = Packet();
    is_done_ = false;
  }

 private:
  [[noreturn]] void ReportWrongGet(const absl::Status& status) const;

  // What stays the same from call to call, where it is more than a name.
  struct Port {
    const std::string* name;
    Packet header;
    std::unique_ptr<PacketTimes> times;  // null: not kept
  };
  static const std::string& NoName();
  // Makes the port if there is none.
  Port& MyPort();

  Packet value_;
  // Most streams have a name and no more.
  union {
    const std::string* name_;
    Port* port_;  // owned
  };
  bool is_done_ = false;
  bool has_port_ = false;
};

// The input streams of one call.
using InputStreamSet = Collection<InputStream>;

// Streams for the ports of `layout`, with their names, on the heap or in
// `memory`.
InputStreamSet MakeInputStreams(std::shared_ptr<const PortLayout> layout,
                                void* memory = nullptr);

// The names by which calculators know them.
using InputStreamShard = InputStream;
using InputStreamShardSet = InputStreamSet;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_INPUT_STREAM_H_
