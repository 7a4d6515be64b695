// The Fourier transform of real values.
//
// Thread rule: one thread at a time for each object.
// Tested by spectrogram_calculator_test.

#ifndef SYNCLINE_CALCULATORS_AUDIO_REAL_FFT_H_
#define SYNCLINE_CALCULATORS_AUDIO_REAL_FFT_H_

#include <memory>

#include "framework/formats/matrix.h"

namespace syncline {

class RealFft {
 public:
  // Transforms `size` values. REQUIRES: an even number, at least 2
  explicit RealFft(Eigen::Index size);
  ~RealFft();

  Eigen::Index size() const { return size_; }
  // The number of bins, from the frequency 0 to half of the rate: size / 2 + 1.
  Eigen::Index bins() const { return size_ / 2 + 1; }

  // Bin k is the sum of values[n] * exp(-2 pi i k n / size), without a factor.
  // REQUIRES: values.size() == size()
  Eigen::VectorXcf Transform(const Eigen::VectorXf& values);

 private:
  struct Plan;  // of the library that does the work
  Eigen::Index size_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_AUDIO_REAL_FFT_H_
