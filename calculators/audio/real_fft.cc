// The only file that compiles Eigen's transform, since that takes long.
#include "calculators/audio/real_fft.h"

#include <memory>

#include "Eigen/Core"
#include "unsupported/Eigen/FFT"

namespace syncline {

struct RealFft::Plan {
  Eigen::FFT<float> fft{Eigen::default_fft_impl<float>(),
                        Eigen::FFT<float>::HalfSpectrum};
};

RealFft::RealFft(Eigen::Index size)
    : size_(size), plan_(std::make_unique<Plan>()) {}

RealFft::~RealFft() = default;

Eigen::VectorXcf RealFft::Transform(const Eigen::VectorXf& values) {
  Eigen::VectorXcf result(bins());
  plan_->fft.fwd(result.data(), values.data(), size_);
  return result;
}

}  // namespace syncline
