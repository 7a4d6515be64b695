// CallOpenCv: converts OpenCV's exceptions to statuses. It is the only place
// that does.
//
//   SYNCLINE_RETURN_IF_ERROR(CallOpenCv("blurring a frame", [&] {
//     cv::GaussianBlur(in, out, cv::Size(5, 5), 0);
//     return absl::OkStatus();
//   }));
//
// OpenCV throws if sizes or types do not fit, or if memory is short. Calls that
// can throw because of a frame, file or option are made through CallOpenCv.
//
// OpenCV also has its own threads. The first call here turns them off, for two
// reasons: the graph's executors already use the cores; and some functions
// round differently when their work is split differently, but outputs must be
// the same for any number of threads. The environment variable
// OPENCV_FOR_THREADS_NUM, or cv::setNumThreads() after the first call, turns
// them on again.
//
// Thread rule: any thread.
// Tested by opencv_frames_test.

#ifndef SYNCLINE_CALCULATORS_IMAGE_OPENCV_CALLS_H_
#define SYNCLINE_CALCULATORS_IMAGE_OPENCV_CALLS_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace syncline {

// Turns off OpenCV's threads, as the first call of CallOpenCv does. For code
// that calls OpenCV without CallOpenCv, because nothing can be thrown or the
// engine catches it.
void KeepOpenCvToCallingThread();

// Returns the result of `call`, or an error for the exception that it throws:
// RESOURCE_EXHAUSTED if memory is short, otherwise INVALID_ARGUMENT. `doing`
// says in the message what was being done, such as "reading \"a.avi\"".
absl::Status CallOpenCv(absl::string_view doing,
                        absl::FunctionRef<absl::Status()> call);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_OPENCV_CALLS_H_
