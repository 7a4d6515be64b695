// SpectrogramImageCalculator: draws a spectrogram as a picture.
//
//   node {
//     calculator: "SpectrogramImageCalculator"
//     input_stream: "spectrogram"    # Matrix: a row a bin, a column a frame
//     output_stream: "picture"       # ImageFrame
//     options { [syncline.SpectrogramImageCalculatorOptions.ext] {
//       mode: WHOLE
//       height: 256 } }
//   }
//
// Time goes from left to right, frequency from the bottom up, and the higher a
// value, the lighter its pixel. The input should be in decibels. If several
// bins share a row, or several frames a column, the highest value is drawn.
//
// WHOLE sends one picture at the end, at the time of the last packet. It has a
// column for each frame. If there are more than `width` columns, each pair of
// neighbours becomes one column, as often as needed. So the memory is limited,
// however long the stream is. SCROLLING sends a picture of the last `width`
// frames with every packet, at its time.
//
// An empty input sends nothing. SCROLLING passes the bound on. WHOLE passes the
// bound on too, but its picture may then come at the bound.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "calculators/audio/spectrogram_image_calculator.pb.h"
#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/matrix.h"

namespace syncline {
namespace {

using Options = SpectrogramImageCalculatorOptions;

constexpr int kMaxSide = 8192;
constexpr float kDefaultRange = 80;

// The color of `level`, from 0 to 1: interpolated between six colors, each
// lighter than the one before.
void SetHeatColor(float level, std::uint8_t* rgb) {
  constexpr int kSteps = 5;
  constexpr float kColors[kSteps + 1][3] = {{0, 0, 4},       {59, 15, 112},
                                            {140, 41, 129},  {221, 73, 104},
                                            {253, 159, 108}, {252, 253, 191}};
  const float place = level * kSteps;
  const int step = std::min(static_cast<int>(place), kSteps - 1);
  const float part = place - static_cast<float>(step);
  for (int i = 0; i < 3; ++i) {
    rgb[i] = static_cast<std::uint8_t>(std::lround(
        kColors[step][i] + part * (kColors[step + 1][i] - kColors[step][i])));
  }
}

}  // namespace

class SpectrogramImageCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<Options>();
    if (options.width() < 1 || options.width() > kMaxSide ||
        options.height() < 0 || options.height() > kMaxSide) {
      return absl::InvalidArgumentError(
          absl::StrCat("a picture has 1 to ", kMaxSide,
                       " columns, and at most as many rows, "
                       "but width is ",
                       options.width(), " and height ", options.height()));
    }
    if (options.has_lowest() && options.has_highest() &&
        !(options.lowest() < options.highest())) {
      return absl::InvalidArgumentError(
          absl::StrCat("lowest is ", options.lowest(), " and highest ",
                       options.highest(), ", which leaves nothing between"));
    }
    cc->Inputs().Index(0).Set<Matrix>();
    cc->Outputs().Index(0).Set<ImageFrame>();
    cc->SetProcessTimestampBounds(true);
    // A bound alone never makes this node send a packet, so the order of
    // arrival does not matter.
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    OutputStream& output = cc->Outputs().Index(0);
    const bool scrolls = cc->Options<Options>().mode() == Options::SCROLLING;
    if (!packet.IsEmpty()) {
      SYNCLINE_RETURN_IF_ERROR(Take(packet.Get<Matrix>(), cc));
      if (scrolls) Send(packet.Timestamp(), cc);
      last_time_ = packet.Timestamp();
    }
    // WHOLE still has to send its picture at the time of the last packet.
    const Timestamp bound =
        scrolls || packet.IsEmpty() ? BoundAfter(packet) : packet.Timestamp();
    // At the end of the input, Close still has to send the picture.
    if (scrolls || bound <= Timestamp::Max()) RaiseBound(bound, output);
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    if (cc->Options<Options>().mode() == Options::WHOLE && columns_ > 0) {
      Send(std::max(last_time_, cc->Outputs().Index(0).NextTimestampBound()),
           cc);
    }
    return absl::OkStatus();
  }

 private:
  // Adds the frames of a packet to the picture.
  absl::Status Take(const Matrix& frames, CalculatorContext* cc) {
    const auto& options = cc->Options<Options>();
    if (frames.rows() < 1 || (rows_ != 0 && frames.rows() != bins_)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "The packet at ", cc->InputTimestamp().DebugString(), " has ",
          frames.rows(), " bins, but a spectrogram has always as many, ",
          rows_ == 0 ? "and at least one" : absl::StrCat("here ", bins_)));
    }
    bins_ = frames.rows();
    if (options.height() == 0 && bins_ > kMaxSide) {
      return absl::InvalidArgumentError(
          absl::StrCat("A picture of ", bins_, " bins has more than ", kMaxSide,
                       " rows; set height"));
    }
    rows_ = options.height() == 0 ? bins_ : options.height();
    if (values_.size() == 0) values_.resize(rows_, options.width());
    for (Eigen::Index i = 0; i < frames.cols(); ++i) {
      options.mode() == Options::WHOLE ? AddToWhole(Rows(frames.col(i)))
                                       : AddToScroll(Rows(frames.col(i)));
    }
    return absl::OkStatus();
  }

  // Makes the rows of the picture of the bins of a frame, the highest frequency
  // first.
  Eigen::VectorXf Rows(const Eigen::VectorXf& frame) {
    Eigen::VectorXf result(rows_);
    for (Eigen::Index row = 0; row < rows_; ++row) {
      const Eigen::Index begin = row * bins_ / rows_;
      const Eigen::Index end = std::max(begin + 1, (row + 1) * bins_ / rows_);
      result[rows_ - 1 - row] = frame.segment(begin, end - begin).maxCoeff();
    }
    for (const float value : result) {
      if (value > highest_ && std::isfinite(value)) highest_ = value;
    }
    return result;
  }

  void AddToWhole(const Eigen::VectorXf& frame) {
    if (frames_in_last_ == frames_per_column_) {
      if (columns_ == values_.cols()) JoinPairs();
    }
    if (columns_ == 0 || frames_in_last_ == frames_per_column_) {
      values_.col(columns_++) = frame;
      frames_in_last_ = 1;
    } else {
      values_.col(columns_ - 1) = values_.col(columns_ - 1).cwiseMax(frame);
      ++frames_in_last_;
    }
  }

  // Makes room for more columns: each pair of columns becomes one.
  void JoinPairs() {
    const Eigen::Index joined = (columns_ + 1) / 2;
    for (Eigen::Index i = 0; i < joined; ++i) {
      values_.col(i) = values_.col(2 * i).cwiseMax(
          values_.col(std::min(2 * i + 1, columns_ - 1)));
    }
    // If the number of columns was odd, the last one has room for more frames.
    frames_in_last_ =
        columns_ % 2 == 0 ? 2 * frames_per_column_ : frames_per_column_;
    columns_ = joined;
    frames_per_column_ *= 2;
  }

  void AddToScroll(const Eigen::VectorXf& frame) {
    values_.col((scroll_begin_ + columns_) % values_.cols()) = frame;
    if (columns_ < values_.cols()) {
      ++columns_;
    } else {
      scroll_begin_ = (scroll_begin_ + 1) % values_.cols();
    }
  }

  void Send(Timestamp time, CalculatorContext* cc) {
    const auto& options = cc->Options<Options>();
    const bool is_gray = options.colors() == Options::GRAY;
    const bool scrolls = options.mode() == Options::SCROLLING;
    // The left part of a scrolling picture stays dark until there are enough
    // frames.
    const Eigen::Index width = scrolls ? values_.cols() : columns_;
    const Eigen::Index dark = width - columns_;
    float low = options.lowest();
    float high = options.highest();
    if (!options.has_highest()) {
      high = options.has_lowest() ? std::max(highest_, low + 1) : highest_;
    }
    if (!options.has_lowest()) low = high - kDefaultRange;
    auto picture = std::make_unique<ImageFrame>(
        is_gray ? ImageFormat::GRAY8 : ImageFormat::SRGB,
        static_cast<int>(width), static_cast<int>(rows_));
    picture->SetToZero();
    const int bytes = picture->NumberOfChannels();
    for (Eigen::Index row = 0; row < rows_; ++row) {
      std::uint8_t* pixel = picture->MutablePixelData() +
                            row * picture->WidthStep() + dark * bytes;
      for (Eigen::Index i = 0; i < columns_; ++i, pixel += bytes) {
        const float value = values_(row, (scroll_begin_ + i) % values_.cols());
        // A NaN is drawn dark.
        const float level =
            value > low ? std::min(1.0f, (value - low) / (high - low)) : 0.0f;
        if (is_gray) {
          *pixel = static_cast<std::uint8_t>(std::lround(level * 255));
        } else {
          SetHeatColor(level, pixel);
        }
      }
    }
    cc->Outputs().Index(0).AddPacket(Adopt(picture.release()).At(time));
  }

  // Set by the first packet.
  Eigen::Index bins_ = 0;
  Eigen::Index rows_ = 0;
  Matrix values_;  // of the picture's columns, the first columns_ in use

  Eigen::Index columns_ = 0;
  Eigen::Index scroll_begin_ = 0;       // SCROLLING: the oldest column
  std::int64_t frames_per_column_ = 1;  // WHOLE
  std::int64_t frames_in_last_ = 0;     // WHOLE: of the last column
  float highest_ = -300;                // the highest value so far
  Timestamp last_time_ = Timestamp::PreStream();
};
REGISTER_CALCULATOR(SpectrogramImageCalculator);

}  // namespace syncline
