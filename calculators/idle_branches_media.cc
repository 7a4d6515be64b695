// Idle branches with calculators of images, of sound, and of detections in
// them.

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/idle_branches.h"
#include "framework/calculator_framework.h"
#include "framework/formats/time_series_header.pb.h"

namespace syncline {

std::vector<Branch> DetectionBranches() {
  return {
      {"AssociationDetectionCalculator AssociationNormRectCalculator",
       Node(Inputs("a b PREV:p") + Outputs("c"))},
      {"DetectionLabelIdToTextCalculator",
       Node(Inputs("a") + Outputs("b") +
            Options("DetectionLabelIdToTextCalculatorOptions",
                    "label: \"cat\""))},
      {"NonMaxSuppressionCalculator",
       Node(Inputs("a b IMAGE:i") + Outputs("c"))},
      {"DetectionLetterboxRemovalCalculator",
       Node(Inputs("DETECTIONS:a LETTERBOX_PADDING:b") +
            Outputs("DETECTIONS:c"))},
      {"DetectionProjectionCalculator",
       Node(Inputs("DETECTIONS:a PROJECTION_MATRIX:b") +
            Outputs("DETECTIONS:c"))},
      {"DetectionUniqueIdCalculator",
       Node(Inputs("DETECTIONS:a DETECTION_LIST:b") +
            Outputs("DETECTIONS:c DETECTION_LIST:d"))},
      {"InverseMatrixCalculator",
       Node(Inputs("MATRIX:a") + Outputs("MATRIX:b"))},
      {"TopKScoresCalculator",
       Node(Inputs("SCORES:a") +
            Outputs("TOP_K_INDEXES:b TOP_K_SCORES:c TOP_K_CLASSIFICATION:d "
                    "SUMMARY:e") +
            Options("TopKScoresCalculatorOptions", "top_k: 1"))},
      {"AlignmentPointsRectsCalculator DetectionsToRectsCalculator",
       Node(Inputs("DETECTIONS:a IMAGE_SIZE:b") +
            Outputs("NORM_RECT:c NORM_RECTS:d RECT:e RECTS:f") +
            Options("DetectionsToRectsCalculatorOptions",
                    "rotation_vector_start_keypoint_index: 0 "
                    "rotation_vector_end_keypoint_index: 1 "
                    "rotation_vector_target_angle: 0"))},
      {"RectTransformationCalculator",
       Node(Inputs("NORM_RECTS:a IMAGE_SIZE:b") + Outputs("c"))},
  };
}

std::vector<Branch> LandmarkBranches() {
  return {
      {"LandmarkLetterboxRemovalCalculator",
       Node(Inputs("LANDMARKS:a LETTERBOX_PADDING:b") +
            Outputs("LANDMARKS:c"))},
      {"LandmarksToRenderDataCalculator",
       Node(Inputs("NORM_LANDMARKS:a RENDER_SCALE:b") +
            Outputs("RENDER_DATA:c"))},
      {"LandmarkProjectionCalculator",
       Node(Inputs("NORM_LANDMARKS:a NORM_RECT:b IMAGE_DIMENSIONS:s") +
            Outputs("NORM_LANDMARKS:c"))},
      {"LandmarksRefinementCalculator",
       Node(Inputs("LANDMARKS:0:a LANDMARKS:1:b") +
            Outputs("REFINED_LANDMARKS:c") +
            Options("LandmarksRefinementCalculatorOptions",
                    "refinement {} refinement {}"))},
      {"LandmarksSmoothingCalculator",
       Node(Inputs("NORM_LANDMARKS:a IMAGE_SIZE:b OBJECT_SCALE_ROI:r") +
            Outputs("NORM_FILTERED_LANDMARKS:c"))},
      {"LandmarksToDetectionCalculator",
       Node(Inputs("NORM_LANDMARKS:a") + Outputs("DETECTION:b"))},
      {"MultiLandmarksSmoothingCalculator",
       Node(Inputs("NORM_LANDMARKS:a IMAGE_SIZE:b TRACKING_IDS:i") +
            Outputs("NORM_FILTERED_LANDMARKS:c"))},
      {"VisibilitySmoothingCalculator",
       Node(Inputs("LANDMARKS:a") + Outputs("FILTERED_LANDMARKS:b"))},
  };
}

std::vector<Branch> DrawingBranches() {
  return {
      {"DetectionsToRenderDataCalculator",
       Node(Inputs("DETECTION:a DETECTIONS:b DETECTION_LIST:c") +
            Outputs("RENDER_DATA:d"))},
      {"LabelsToRenderDataCalculator",
       Node(Inputs("LABELS:a SCORES:b VIDEO_PRESTREAM:v") +
            Outputs("RENDER_DATA:c"))},
      {"RectToRenderDataCalculator",
       Node(Inputs("NORM_RECT:a") + Outputs("RENDER_DATA:b"))},
      {"RectToRenderScaleCalculator",
       Node(Inputs("NORM_RECT:a IMAGE_SIZE:b") + Outputs("RENDER_SCALE:c"))},
      {"FlatColorImageCalculator",
       Node(Inputs("IMAGE:a COLOR:b") + Outputs("IMAGE:c"))},
      {"FromImageCalculator",
       Node(Inputs("IMAGE:a") + Outputs("IMAGE_CPU:b SOURCE_ON_GPU:c"))},
      {"ToImageCalculator", Node(Inputs("IMAGE_CPU:a") + Outputs("IMAGE:b"))},
      {"SegmentationSmoothingCalculator",
       Node(Inputs("MASK:a MASK_PREVIOUS:b") + Outputs("MASK_SMOOTHED:c"))},
  };
}

std::vector<Branch> MediaBranches() {
  const std::string sigmas = "sigma_color: 1 sigma_space: 1";
  return {
      {"LuminanceCalculator SobelEdgesCalculator OpenCvImageEncoderCalculator "
       "OpenCvEncodedImageToImageFrameCalculator",
       Node(Inputs("a") + Outputs("b"))},
      {"BilateralFilterCalculator",
       Node(Inputs("IMAGE:a") + Outputs("IMAGE:b") +
            Options("BilateralFilterCalculatorOptions", sigmas))},
      {"ColorConvertCalculator",
       Node(Inputs("RGB_IN:a") + Outputs("GRAY_OUT:b"))},
      {"ImageCroppingCalculator",
       Node(Inputs("IMAGE:a RECT:b") + Outputs("IMAGE:c"))},
      {"ImageTransformationCalculator",
       Node(Inputs("IMAGE:a VIDEO_PRESTREAM:b ROTATION_DEGREES:c") +
            Outputs("IMAGE:d VIDEO_PRESTREAM:e LETTERBOX_PADDING:f "
                    "MATRIX:g"))},
      {"SetAlphaCalculator",
       Node(Inputs("IMAGE:a ALPHA:b") + Outputs("IMAGE:c"))},
      {"ScaleImageCalculator",
       Node(Inputs("FRAMES:a VIDEO_HEADER:b OVERRIDE_OPTIONS:o") +
            Outputs("FRAMES:c VIDEO_HEADER:d"))},
      {"RecolorCalculator",
       Node(Inputs("IMAGE:a MASK:b") + Outputs("IMAGE:c") +
            Options("RecolorCalculatorOptions", "color { r: 255 g: 0 b: 0 }"))},
      {"MaskOverlayCalculator",
       Node(Inputs("VIDEO:0:a VIDEO:1:b MASK:m") + Outputs("OUTPUT:c"))},
      {"MaskOverlayCalculator",
       Node(Inputs("VIDEO:0:a VIDEO:1:b CONST_MASK:m") + Outputs("OUTPUT:c"))},
  };
}

std::vector<Branch> VisionBranches() {
  return {
      {"AnnotationOverlayCalculator",
       Node(Inputs("IMAGE:a b VECTOR:v") + Outputs("IMAGE:c"))},
      {"AnnotationOverlayCalculator",
       Node(Inputs("a b") + Outputs("UIMAGE:c"))},
      {"CascadeDetectorCalculator",
       Node(Inputs("IMAGE:a") + Side("CASCADE_PATH:side") +
            Outputs("DETECTIONS:b")),
       {{"side",
         MakePacket<std::string>("/usr/share/opencv4/haarcascades/"
                                 "haarcascade_frontalface_default.xml")}}},
      {"PeopleDetectorCalculator",
       Node(Inputs("IMAGE:a") + Outputs("DETECTIONS:b"))},
      {"OpticalFlowTrackerCalculator",
       Node(Inputs("IMAGE:a DETECTIONS:d") + Outputs("DETECTIONS:b"))},
      {"TrackAssociationCalculator",
       Node(Inputs("DETECTIONS:a TRACKS:b") + Outputs("TRACKS:c STATES:d"))},
      {"TracksToRenderDataCalculator",
       Node(Inputs("DETECTIONS:a") + Outputs("RENDER_DATA:b"))},
  };
}

std::vector<Branch> DeviceBranches() {
  return {
      {"ImageFrameToGpuBufferCalculator GpuBufferToImageFrameCalculator "
       "GpuColorConvertCalculator GpuEdgesCalculator GpuThresholdCalculator "
       "GpuImageToTensorCalculator GpuTensorToImageCalculator "
       "TensorCopierCalculator",
       Node(Inputs("a") + Outputs("b"))},
      {"GpuResizeCalculator",
       Node(Inputs("a") + Outputs("b") +
            Options("GpuResizeCalculatorOptions", "width: 2"))},
      {"GpuOverlayBoxesCalculator",
       Node(Inputs("IMAGE:a DETECTIONS:b") + Outputs("IMAGE:c"))},
      {"GpuStatisticsCalculator",
       Node(Inputs("IMAGE:a") + Outputs("STATISTICS:b TENSOR:c"))},
  };
}

std::vector<Branch> SeriesBranches() {
  TimeSeriesHeader header;
  header.set_sample_rate(1000);
  header.set_audio_sample_rate(16000);
  header.set_num_channels(257);
  header.set_num_samples(1);
  const auto branch = [&](const std::string& names,
                          const std::string& options) {
    return Branch{
        names,
        absl::StrCat("node { calculator: \"AddHeaderCalculator\"",
                     Inputs("DATA:a"), Side("HEADER:side"), Outputs("series"),
                     "}", Node(Inputs("series") + Outputs("b") + options)),
        {{"side", MakePacket<TimeSeriesHeader>(header)}}};
  };
  return {
      branch("SumTimeSeriesAcrossChannelsCalculator "
             "AverageTimeSeriesAcrossChannelsCalculator "
             "ReverseChannelOrderCalculator "
             "FlattenPacketCalculator "
             "SubtractMeanCalculator "
             "SubtractMeanAcrossChannelsCalculator "
             "DivideByMeanAcrossChannelsCalculator "
             "MeanCalculator "
             "StandardDeviationCalculator "
             "CovarianceCalculator "
             "L2NormCalculator "
             "L2NormalizeColumnCalculator "
             "L2NormalizeCalculator "
             "PeakNormalizeCalculator "
             "ElementwiseSquareCalculator "
             "FirstHalfSlicerCalculator "
             "StabilizedLogCalculator "
             "MelSpectrumCalculator "
             "MfccCalculator",
             ""),
      branch("RationalFactorResampleCalculator",
             Options("RationalFactorResampleCalculatorOptions",
                     "target_sample_rate: 2000")),
      branch("TimeSeriesFramerCalculator",
             Options("TimeSeriesFramerCalculatorOptions",
                     "frame_duration_seconds: 0.1")),
      branch("SpectrogramCalculator SpectrogramFloatCalculator",
             Options("SpectrogramCalculatorOptions",
                     "frame_duration_seconds: 0.1 "
                     "allow_multichannel_input: true")),
      branch("SpectrogramImageCalculator", ""),
      branch("SpectrogramImageCalculator",
             Options("SpectrogramImageCalculatorOptions", "mode: SCROLLING")),
  };
}

}  // namespace syncline
