// FrameFilter: a base class of calculators that make one frame of each frame.
//
//   class NegativeCalculator : public FrameFilter {
//    public:
//     NegativeCalculator() : FrameFilter("VIDEO") {}
//     static absl::Status GetContract(CalculatorContract* cc) {
//       DeclareFrames(cc, "VIDEO");
//       return absl::OkStatus();
//     }
//     absl::StatusOr<std::unique_ptr<ImageFrame>> Filter(
//         const ImageFrame& frame, CalculatorContext* cc) override { ... }
//   };
//
// There is one input stream and one output stream, both with the declared tag
// or both without a tag. An empty input sends nothing; the bound passes through
// (timestamp offset 0). The input's header is forwarded, since a filter keeps
// size and rate.
//
// Thread rule: one call at a time.
// Tested by opencv_image_calculators_test.

#ifndef SYNCLINE_CALCULATORS_IMAGE_FRAME_FILTER_H_
#define SYNCLINE_CALCULATORS_IMAGE_FRAME_FILTER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_memory.h"

namespace syncline {

class FrameFilter : public CalculatorBase {
 public:
  absl::Status Open(CalculatorContext* cc) override;
  absl::Status Process(CalculatorContext* cc) final;

 protected:
  // `tag` is a constant.
  explicit FrameFilter(const char* tag) : tag_(tag) {}
  static void DeclareFrames(CalculatorContract* cc, const char* tag);

  // Returns the new frame; null if the result is `frame` itself, which is then
  // sent on without a copy.
  virtual absl::StatusOr<std::unique_ptr<ImageFrame>> Filter(
      const ImageFrame& frame, CalculatorContext* cc) = 0;

  // Memory for the new frame, which has the size of the one before.
  ImageFrameMemory* memory() { return &memory_; }

 private:
  const char* tag_;  // "" if the streams have no tag; set in Open
  ImageFrameMemory memory_;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_FRAME_FILTER_H_
