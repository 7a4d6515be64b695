// Splits a stream of samples into overlapping frames; and windows to multiply
// them with.
//
//   packets   |--------|--------|--------|--
//   frames    |-----------|
//                     |-----------|            a frame of 12, 4 overlap
//                             |-----------|
//
// Framing takes packets of any number of samples, and returns frames of one
// length with their times. Frame k begins at the sample nearest to k times the
// step, so neither samples nor times drift.
//
// Thread rule: a value.
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
  // If true, the time of a frame is that of its last sample, by the packet that
  // the sample came in. Otherwise it is that of its first sample, counted from
  // the first packet.
  bool use_local_timestamp = false;
};

class Framing {
 public:
  struct Frame {
    Matrix samples;
    Timestamp time;
  };

  // INVALID_ARGUMENT for impossible frames, and for frames of more than 2^26
  // values.
  static absl::StatusOr<Framing> Create(const FramingOptions& options,
                                        const TimeSeriesHeader& input);

  std::int64_t frame_samples() const { return frame_samples_; }
  // The distance from the beginning of a frame to that of the next, in samples.
  // It may be a fraction.
  double step_samples() const { return step_samples_; }

  // Takes a packet of the stream. INVALID_ARGUMENT if it has another number of
  // channels, or a timestamp that is out of range. Logs a warning if the
  // timestamp does not match the number of samples.
  absl::Status Add(const Matrix& samples, Timestamp time);
  // The next frame, if all of its samples are there.
  absl::optional<Frame> Next();

  // Call it at the end, when there is no next frame: returns the samples that
  // are left, followed by zeros, if there are any. With `only_new` it returns
  // them only if some of them were in no frame.
  absl::optional<Frame> TakeRest(bool only_new);

  // A bound for the times of the frames that are still to come, if `input` is a
  // bound for the packets that are still to come.
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

// The weights of `size` samples. They are periodic, so that the weights of
// frames that overlap by half add up to the same everywhere. REQUIRES: size >=
// 0
Eigen::RowVectorXf WindowWeights(Window window, std::int64_t size);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_AUDIO_FRAMING_H_
