#include "calculators/image/opencv_calls.h"

#include <cstdlib>
#include <exception>
#include <new>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "opencv2/core.hpp"

namespace syncline {

void KeepOpenCvToCallingThread() {
  static const bool done = [] {
    if (std::getenv("OPENCV_FOR_THREADS_NUM") == nullptr) cv::setNumThreads(1);
    return true;
  }();
  static_cast<void>(done);
}

absl::Status CallOpenCv(absl::string_view doing,
                        absl::FunctionRef<absl::Status()> call) {
  KeepOpenCvToCallingThread();
  try {
    return call();
  } catch (const cv::Exception& e) {
    const std::string text = absl::StrCat("While ", doing, ", OpenCV's ",
                                          e.func, "() failed: ", e.err);
    return e.code == cv::Error::StsNoMem ? absl::ResourceExhaustedError(text)
                                         : absl::InvalidArgumentError(text);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(absl::StrCat("No memory for ", doing));
  }
}

}  // namespace syncline
