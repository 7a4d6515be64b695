// Idle branches with calculators that move, gather and measure packets.

#include "calculators/idle_branches.h"

#include <map>
#include <string>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"

namespace syncline {

std::vector<Branch> FlowBranches() {
  const std::map<std::string, Packet> number = {{"side", MakePacket<int>(1)}};
  return {
      {"PassThroughCalculator PacketInnerJoinCalculator "
       "SynchronizationCalculator",
       Node(Inputs("a b") + Outputs("c d"))},
      {"BypassCalculator", Node(Inputs("X:a Y:b") + Outputs("Z:c"))},
      {"FlowLimiterCalculator",
       Node(Inputs("a b FINISHED:f") + Outputs("c d ALLOW:e"))},
      {"RealTimeFlowLimiterCalculator",
       Node(Inputs("a FINISHED:f") + Outputs("c"))},
      {"GateCalculator",
       Node(Inputs("a ALLOW:b") + Outputs("c STATE_CHANGE:d"))},
      {"ImmediateMuxCalculator MergeCalculator MakePairCalculator",
       Node(Inputs("a b") + Outputs("c"))},
      {"MuxCalculator",
       Node(Inputs("INPUT:0:a INPUT:1:b SELECT:s") + Outputs("OUTPUT:c"))},
      {"MuxCalculator",
       Node(Inputs("INPUT:0:a INPUT:1:b") + Side("SELECT:side") +
            Outputs("OUTPUT:c")),
       number},
      {"PacketClonerCalculator", Node(Inputs("a b TICK:t") + Outputs("c d"))},
      {"PacketPresenceCalculator",
       Node(Inputs("PACKET:a") + Outputs("PRESENCE:b"))},
      {"PreviousLoopbackCalculator",
       Node(Inputs("MAIN:a LOOP:b") + Outputs("PREV_LOOP:c"))},
      {"RoundRobinDemuxCalculator",
       Node(Inputs("a") + Outputs("OUTPUT:0:b OUTPUT:1:c SELECT:d"))},
      {"ValueOrDefaultCalculator",
       Node(Inputs("IN:a TICK:b") + Side("side") + Outputs("OUT:c FLAG:d")),
       number},
      {"AddHeaderCalculator",
       Node(Inputs("DATA:a") + Side("HEADER:side") + Outputs("b")), number},
      {"NonZeroCalculator",
       Node(Inputs("INPUT:a") + Outputs("OUTPUT:b OUTPUT_BOOL:c"))},
      {"SidePacketToStreamCalculator",
       Node(Inputs("TICK:a") + Side("side") + Outputs("AT_TICK:b")), number},
      {"SidePacketToStreamCalculator",
       Node(Inputs("TICK:a") + Side("side") + Outputs("AT_FIRST_TICK:b")),
       number},
      {"SequenceShiftCalculator PacketThinnerCalculator",
       Node(Inputs("a") + Outputs("b"))},
      {"GraphProfileCalculator",
       Node(Inputs("FRAME:a") + Outputs("PROFILE:b"))},
      {"PacketResamplerCalculator",
       Node(Inputs("a") + Outputs("b") +
            Options("PacketResamplerCalculatorOptions", "frame_rate: 10"))},
      {"PacketThinnerCalculator",
       Node(Inputs("a") + Outputs("b") +
            Options("PacketThinnerCalculatorOptions",
                    "thinner_type: SYNC period: 10"))},
  };
}

std::vector<Branch> LoopBranches() {
  return {
      {"BeginLoopIntCalculator BeginLoopUint64tCalculator "
       "BeginLoopFloatCalculator BeginLoopStringCalculator "
       "BeginLoopDetectionCalculator "
       "BeginLoopNormalizedLandmarkListVectorCalculator "
       "BeginLoopNormalizedRectCalculator BeginLoopMatrixCalculator "
       "BeginLoopMatrixVectorCalculator BeginLoopImageFrameCalculator "
       "BeginLoopImageCalculator BeginLoopTensorCalculator",
       absl::StrCat(
           Node(Inputs("ITERABLE:a") + Outputs("ITEM:item BATCH_END:end")),
           "node { calculator: \"EndItemLoopCalculator\"",
           Inputs("ITEM:item BATCH_END:end"), Outputs("ITEM:b"), "}")},
      {"EndLoopBooleanCalculator EndLoopFloatCalculator "
       "EndLoopNormalizedRectCalculator EndLoopLandmarkListVectorCalculator "
       "EndLoopNormalizedLandmarkListVectorCalculator "
       "EndLoopClassificationListCalculator EndLoopDetectionCalculator "
       "EndLoopRenderDataCalculator EndLoopAffineMatrixCalculator "
       "EndLoopImageSizeCalculator EndLoopMatrixCalculator "
       "EndLoopImageFrameCalculator EndLoopImageCalculator "
       "EndLoopTensorCalculator",
       absl::StrCat(
           "node { calculator: \"BeginItemLoopCalculator\"", Inputs("ITEM:a"),
           Outputs("ITEM:item BATCH_END:end"), "}",
           Node(Inputs("ITEM:item BATCH_END:end") + Outputs("ITERABLE:b")))},
      {"EndItemLoopCalculator",
       absl::StrCat(
           "node { calculator: \"BeginItemLoopCalculator\"", Inputs("ITEM:a"),
           Outputs("ITEM:item BATCH_END:end"), "}",
           Node(Inputs("ITEM:item BATCH_END:end") + Outputs("ITEM:b")))},
      {"BeginItemLoopCalculator",
       absl::StrCat(Node(Inputs("ITEM:a") + Outputs("ITEM:item BATCH_END:end")),
                    "node { calculator: \"EndItemLoopCalculator\"",
                    Inputs("ITEM:item BATCH_END:end"), Outputs("ITEM:b"), "}")},
  };
}

std::vector<Branch> CollectionBranches() {
  const std::string pair = Inputs("a") + Outputs("b");
  const std::string split = pair + Options("SplitVectorCalculatorOptions",
                                           "ranges { begin: 0 end: 1 }");
  const std::string range = "max_quantized_value: 1 min_quantized_value: 0";
  return {
      {"ConcatenateFloatVectorCalculator ConcatenateInt32VectorCalculator "
       "ConcatenateUInt64VectorCalculator ConcatenateBoolVectorCalculator "
       "ConcatenateStringVectorCalculator ConcatenateLandmarkVectorCalculator "
       "ConcatenateLandmarkListVectorCalculator "
       "ConcatenateNormalizedLandmarkListVectorCalculator "
       "ConcatenateLandmarListVectorCalculator "
       "ConcatenateClassificationListVectorCalculator "
       "ConcatenateRenderDataVectorCalculator ConcatenateImageVectorCalculator "
       "ConcatenateDetectionVectorCalculator "
       "ConcatenateTensorVectorCalculator "
       "ConcatenateNormalizedLandmarkListCalculator "
       "ConcatenateLandmarkListCalculator "
       "ConcatenateClassificationListCalculator ConcatenateJointListCalculator "
       "MergeDetectionsToVectorCalculator MergeImagesToVectorCalculator",
       Node(Inputs("a b") + Outputs("c"))},
      {"SplitLandmarkVectorCalculator "
       "SplitNormalizedLandmarkListVectorCalculator "
       "SplitNormalizedRectVectorCalculator SplitDetectionVectorCalculator "
       "SplitClassificationListVectorCalculator SplitUint64tVectorCalculator "
       "SplitFloatVectorCalculator SplitAffineMatrixVectorCalculator "
       "SplitMatrixVectorCalculator SplitImageVectorCalculator "
       "MovableSplitImageFrameVectorCalculator SplitTensorVectorCalculator "
       "SplitNormalizedLandmarkListCalculator SplitLandmarkListCalculator "
       "SplitJointListCalculator",
       Node(split)},
      {"ClipDetectionVectorSizeCalculator "
       "ClipNormalizedRectVectorSizeCalculator MatrixToVectorCalculator "
       "LogicCalculator",
       Node(pair)},
      {"GetLandmarkListVectorItemCalculator "
       "GetNormalizedLandmarkListVectorItemCalculator "
       "GetClassificationListVectorItemCalculator "
       "GetDetectionVectorItemCalculator GetNormalizedRectVectorItemCalculator "
       "GetRectVectorItemCalculator",
       Node(Inputs("VECTOR:a INDEX:b") + Outputs("ITEM:c"))},
      {"IntVectorIndicesCalculator Uint64tVectorIndicesCalculator "
       "NormalizedLandmarkListVectorIndicesCalculator",
       Node(Inputs("VECTOR:a") + Outputs("INDICES:b"))},
      {"LandmarkListVectorSizeCalculator "
       "ClassificationListVectorSizeCalculator",
       Node(Inputs("VECTOR:a") + Outputs("SIZE:b"))},
      {"NormalizedRectVectorHasMinSizeCalculator "
       "NormalizedLandmarkListVectorHasMinSizeCalculator "
       "ClassificationListVectorHasMinSizeCalculator",
       Node(Inputs("ITERABLE:a") + Outputs("b"))},
      {"FilterUInt64CollectionCalculator "
       "FilterNormalizedRectCollectionCalculator "
       "FilterLandmarkListCollectionCalculator "
       "FilterNormalizedLandmarkListCollectionCalculator "
       "FilterClassificationListCollectionCalculator",
       Node(Inputs("ITERABLE:a CONDITION:b") + Outputs("ITERABLE:c"))},
      {"QuantizeFloatVectorCalculator",
       Node(Inputs("FLOAT_VECTOR:a") + Outputs("ENCODED:b") +
            Options("QuantizeFloatVectorCalculatorOptions", range))},
      {"DequantizeByteArrayCalculator",
       Node(Inputs("ENCODED:a") + Outputs("FLOAT_VECTOR:b") +
            Options("DequantizeByteArrayCalculatorOptions", range))},
  };
}

std::vector<Branch> MeasureBranches() {
  return {
      {"MatrixMultiplyCalculator",
       Node(Inputs("a") + Outputs("b") + Side("side")),
       {{"side", MakePacket<Matrix>(Matrix::Zero(1, 1))}}},
      {"MatrixSubtractCalculator",
       Node(Inputs("MINUEND:a") + Outputs("b") + Side("SUBTRAHEND:side")),
       {{"side", MakePacket<Matrix>(Matrix::Zero(1, 1))}}},
      {"ImagePropertiesCalculator",
       Node(Inputs("IMAGE:a") + Outputs("SIZE:b"))},
      {"ClockTimestampCalculator PacketFrequencyCalculator "
       "PacedPlayerCalculator",
       Node(Inputs("a") + Outputs("b"))},
      {"ClockLatencyCalculator", Node(Inputs("a REFERENCE:r") + Outputs("b"))},
      {"PacketLatencyCalculator",
       Node(Inputs("a REFERENCE_SIGNAL:r") + Outputs("b"))},
      {"ThresholdingCalculator", Node(Inputs("FLOAT:a THRESHOLD:b") +
                                      Outputs("FLAG:c ACCEPT:d REJECT:e"))},
  };
}

}  // namespace syncline
