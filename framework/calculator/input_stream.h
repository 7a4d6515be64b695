// InputStream: what one input port shows to one call of a calculator.
//
//   const InputStream& image = cc->Inputs().Tag("IMAGE");
//   if (!image.IsEmpty()) Use(image.Get<Image>());
//
// A call gets a packet on some of its inputs and none on others. An input
// without one has an empty packet whose timestamp is not the call's, but the
// latest time up to which the stream is settled: `Value().Timestamp() ==
// cc->InputTimestamp()` asks whether the stream has news at this very time.
//
// It is plain data that the engine fills before a call; no queue, no lock.
//
// Thread rule: belongs to one call, used by its thread.
// Tested by input_stream_test.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_INPUT_STREAM_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_INPUT_STREAM_H_

#include <string>
#include <utility>

#include "absl/base/optimization.h"
#include "framework/base/type_id.h"
#include "framework/calculator/collection.h"
#include "framework/packet/packet.h"

namespace syncline {

class InputStream {
 public:
  // --- For calculators.

  // The packet, which may be empty. Changing it (to Consume it, say) affects
  // this call only.
  const Packet& Value() const { return value_; }
  Packet& Value() { return value_; }
  // The value of the packet. Asking an empty input, or for another type than
  // the packet has, is a misuse that names the stream.
  template <typename T>
  const T& Get() const {
    if (ABSL_PREDICT_FALSE(value_.IsEmpty())) ReportEmpty(TypeIdOf<T>());
    return value_.Get<T>();
  }
  bool IsEmpty() const { return value_.IsEmpty(); }
  // The stream is closed and this call has seen all of it.
  bool IsDone() const { return is_done_; }
  // The header that the producer set in Open, or an empty packet.
  const Packet& Header() const { return header_; }
  const std::string& Name() const { return *name_; }

  // --- For the engine.

  // `name` outlives this object.
  void SetName(const std::string* name) { name_ = name; }
  void SetHeader(Packet header) { header_ = std::move(header); }
  void Fill(Packet value, bool is_done) {
    value_ = std::move(value);
    is_done_ = is_done;
  }
  // Lets go of the packet after the call.
  void Clear() { value_ = Packet(); }

 private:
  [[noreturn]] void ReportEmpty(TypeId wanted) const;

  static const std::string& NoName();

  Packet value_;
  Packet header_;
  const std::string* name_ = &NoName();
  bool is_done_ = false;
};

using InputStreamSet = Collection<InputStream>;

// The names that MediaPipe's calculators know.
using InputStreamShard = InputStream;
using InputStreamShardSet = InputStreamSet;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_INPUT_STREAM_H_
