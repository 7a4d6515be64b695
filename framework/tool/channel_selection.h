// ChannelSelection: which channel is selected at which timestamp.
//
//   SELECT   10: 1         30: 0       settled up to 40
//   channel  ... 9: 0 | 10 ... 29: 1 | 30 ... 40: 0 | 41 ...: not known yet
//
// The selection may come from an input stream, SELECT (int) or ENABLE (bool);
// until its first packet, and without such a stream, it comes from a side
// packet of these tags or from SwitchContainerOptions, or is 0.
//
// A stretch of time in which one channel is selected is a span. A reader keeps
// the position of its current span. Positions count from the start of the run.
// ForgetBefore drops spans that no reader needs any more.
//
// Thread rule: belongs to one calculator.
// Tested by switch_calculators_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_CHANNEL_SELECTION_H_
#define SYNCLINE_FRAMEWORK_TOOL_CHANNEL_SELECTION_H_

#include <cstdint>
#include <deque>

#include "absl/status/status.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/timestamp.h"

namespace syncline {
namespace tool {

// The last time that `input` has settled, as this call shows it; Done if the
// stream has ended.
Timestamp SettledTime(const InputStream& input);

class ChannelSelection {
 public:
  struct Span {
    Timestamp from;  // up to the next one, if there is one
    int channel;
  };

  // Sets the types of SELECT and ENABLE. INVALID_ARGUMENT if both of them are
  // there as streams, or both as side packets.
  static absl::Status FillContract(CalculatorContract* cc);
  // Checks the size of a node with `ports` ports in each channel.
  // INVALID_ARGUMENT if ports times channels is too large: otherwise a few
  // lines of config could ask for all memory.
  static absl::Status CheckSize(int ports, int channels);

  // For Open. INVALID_ARGUMENT if the selected channel is not below
  // `channel_count`; so does Update.
  absl::Status Open(const CalculatorContext& cc, int channel_count);
  // For Process: reads the packet and the bound of the selecting stream.
  absl::Status Update(const CalculatorContext& cc);
  // Call it when the selecting stream has ended: what is selected now stays so.
  void Close() { settled_ = Timestamp::Done(); }

  // The selection is known up to this timestamp; Done if it will not change.
  Timestamp settled() const { return settled_; }

  std::int64_t first_span() const { return first_; }
  std::int64_t last_span() const {
    return first_ + static_cast<std::int64_t>(spans_.size()) - 1;
  }
  // REQUIRES: first_span() <= position <= last_span().
  const Span& span(std::int64_t position) const {
    return spans_[static_cast<std::size_t>(position - first_)];
  }
  // The channel at `time`. REQUIRES: it is not before the first span, and not
  // after settled().
  int ChannelAt(Timestamp time) const;

  void ForgetBefore(std::int64_t position);

 private:
  absl::Status Select(int channel, Timestamp from, const CalculatorContext& cc);

  int channel_count_ = 0;
  Timestamp settled_ = Timestamp::Unstarted();
  std::int64_t first_ = 0;  // position of spans_.front()
  std::deque<Span> spans_;  // never empty after Open
};

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_CHANNEL_SELECTION_H_
