// CallOpenCv: the one place where OpenCV's exceptions become statuses.
//
//   SYNCLINE_RETURN_IF_ERROR(CallOpenCv("blurring a frame", [&] {
//     cv::GaussianBlur(in, out, cv::Size(5, 5), 0);
//     return absl::OkStatus();
//   }));
//
// OpenCV throws where sizes, types or memory do not fit. Whatever a frame, file
// or option can cause to be thrown is called in here.
//
// OpenCV also has threads of its own. The first call here tells it to do
// without: the graph's executors share out the cores, some functions round
// differently when their work is cut differently, and outputs are to be the
// same for any number of threads. The environment variable
// OPENCV_FOR_THREADS_NUM, or cv::setNumThreads() after the first call, decides
// otherwise.
//
// Thread rule: any thread.
// Tested by opencv_frames_test.

#ifndef SYNCLINE_CALCULATORS_IMAGE_OPENCV_CALLS_H_
#define SYNCLINE_CALCULATORS_IMAGE_OPENCV_CALLS_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace syncline {

// What the first call of CallOpenCv does about threads; for who calls OpenCV
// where nothing can be thrown, or lets the engine catch it.
void KeepOpenCvToCallingThread();

// What `call` returns, or the exception that it throws: RESOURCE_EXHAUSTED for
// want of memory, else INVALID_ARGUMENT. `doing` says what went wrong, such as
// "reading \"a.avi\"".
absl::Status CallOpenCv(absl::string_view doing,
                        absl::FunctionRef<absl::Status()> call);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_OPENCV_CALLS_H_
