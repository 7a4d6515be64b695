// Overlapping frames of a stream of samples, and windows to look at them
// through.
//
//   packets   |--------|--------|--------|--
//   frames    |-----------|
//                     |-----------|            a frame of 12, 4 overlap
//                             |-----------|
//
// Framing takes packets of samples of any length and gives frames of one length
// with their times. Frame k begins at the sample nearest to k times the step,
// so neither samples nor times drift.
//
// Thread rule: as any value.
// Tested by time_series_framer_calculator_test.

#ifndef SYNCLINE_CALCULATORS_AUDIO_FRAMING_H_
#define SYNCLINE_CALCULATORS_AUDIO_FRAMING_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/timestamp.h"

namespace syncline {

struct FramingOptions {
  double duration_seconds = 0;
  double overlap_seconds = 0;  // below 0: a gap
  // Whether the step between frames is a fraction of samples.
  bool fractional_step = false;
  // The times of frames are those of their last samples by the packets that
  // these came in; otherwise of their first samples, counted from the first
  // packet on.
  bool use_local_timestamp = false;
};

class Framing {
 public:
  struct Frame {
    Matrix samples;
    Timestamp time;
  };

  // INVALID_ARGUMENT for frames that cannot be, or that would be larger than
  // 2^26 values.
  static absl::StatusOr<Framing> Create(const FramingOptions& options,
                                        const TimeSeriesHeader& input);

  std::int64_t frame_samples() const { return frame_samples_; }
  // From the beginning of a frame to that of the next; may be a fraction.
  double step_samples() const { return step_samples_; }

  // Takes a packet of the stream. INVALID_ARGUMENT if it has another number of
  // channels, or is at a timestamp outside of the range. Logs a warning where
  // the timestamps do not go with the number of samples.
  absl::Status Add(const Matrix& samples, Timestamp time);
  // The next frame, if all of its samples are there.
  absl::optional<Frame> Next();

  // At the end, when there is no next frame: what is left of samples with zeros
  // behind them, if anything is left. `only_new`: if any of it was in no frame.
  absl::optional<Frame> TakeRest(bool only_new);

  // No frame to come is before this, given that no packet to come is before
  // `input`.
  Timestamp BoundAfter(Timestamp input) const;

 private:
  Framing() = default;
  std::int64_t FrameBegin(std::int64_t frame) const;
  Timestamp TimeOfNext() const;
  void ForgetBefore(std::int64_t sample);
  Frame MakeFrame(std::int64_t samples_there);

  // Set once.
  double sample_rate_ = 1;
  Eigen::Index channels_ = 1;
  std::int64_t frame_samples_ = 1;
  double step_samples_ = 1;
  bool use_local_timestamp_ = false;

  // Samples are counted from the first of the stream on.
  std::vector<float> kept_;  // column by column, from kept_begin_ on
  std::int64_t kept_begin_ = 0;
  std::int64_t received_ = 0;  // samples so far
  std::int64_t covered_ = 0;   // samples before this were in a frame
  std::int64_t next_frame_ = 0;
  Timestamp start_ = Timestamp::Unset();  // of the first sample
  struct Arrival {
    std::int64_t first_sample;
    Timestamp time;
  };
  std::deque<Arrival> arrivals_;  // packets whose samples frames may end in
};

enum class Window { kNone, kHamming, kHann, kCosine };

// The weights of `size` samples; periodic, so that those of frames that overlap
// by half add up to the same everywhere. REQUIRES: size >= 0
Eigen::RowVectorXf WindowWeights(Window window, std::int64_t size);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_AUDIO_FRAMING_H_
