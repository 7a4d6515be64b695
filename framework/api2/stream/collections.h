// The names that calculators for collections have.
//
// Calculators for vectors and list messages are registered once for each type:
// SplitFloatVectorCalculator, ConcatenateFloatVectorCalculator, ... The stream
// helpers know the type of a stream, so they find the name here. A name in this
// table does not mean that there is such a calculator in every family: a graph
// that uses a missing one is refused with its name.
//
// Types are only declared here: code that builds a graph does not need their
// definitions.
//
// Thread rule: types and constants only.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_COLLECTIONS_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_COLLECTIONS_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace Eigen {
template <typename, int, int, int, int, int>
class Matrix;
}  // namespace Eigen

namespace syncline {

class Classification;
class ClassificationList;
class Detection;
class Image;
class Joint;
class JointList;
class Landmark;
class LandmarkList;
class NormalizedLandmark;
class NormalizedLandmarkList;
class NormalizedRect;
class Rect;
class RenderData;
class Tensor;

namespace api2 {
namespace builder {
namespace builder_internal {

// `kName` is the part of the names of calculators that stands for the type;
// `Element` is the type of an element. Other types than collections have no
// such members.
template <typename T>
struct Collection {};

#define SYNCLINE_COLLECTION_(type, element, name) \
  template <>                                     \
  struct Collection<type> {                       \
    using Element = element;                      \
    static constexpr char kName[] = name;         \
  }
#define SYNCLINE_VECTOR_(element, name) \
  SYNCLINE_COLLECTION_(std::vector<element>, element, name "Vector")

SYNCLINE_COLLECTION_(ClassificationList, Classification, "ClassificationList");
SYNCLINE_COLLECTION_(JointList, Joint, "JointList");
SYNCLINE_COLLECTION_(LandmarkList, Landmark, "LandmarkList");
SYNCLINE_COLLECTION_(NormalizedLandmarkList, NormalizedLandmark,
                     "NormalizedLandmarkList");

using FloatMatrix = Eigen::Matrix<float, -1, -1, 0, -1, -1>;
using AffineMatrix = std::array<float, 16>;
SYNCLINE_VECTOR_(AffineMatrix, "AffineMatrix");
SYNCLINE_VECTOR_(ClassificationList, "ClassificationList");
SYNCLINE_VECTOR_(Detection, "Detection");
SYNCLINE_VECTOR_(FloatMatrix, "Matrix");
SYNCLINE_VECTOR_(Image, "Image");
SYNCLINE_VECTOR_(LandmarkList, "LandmarkList");
SYNCLINE_VECTOR_(NormalizedLandmark, "Landmark");
SYNCLINE_VECTOR_(NormalizedLandmarkList, "NormalizedLandmarkList");
SYNCLINE_VECTOR_(NormalizedRect, "NormalizedRect");
SYNCLINE_VECTOR_(Rect, "Rect");
SYNCLINE_VECTOR_(RenderData, "RenderData");
SYNCLINE_VECTOR_(Tensor, "Tensor");
SYNCLINE_VECTOR_(bool, "Bool");
SYNCLINE_VECTOR_(float, "Float");
SYNCLINE_VECTOR_(int, "Int32");
SYNCLINE_VECTOR_(std::string, "String");
SYNCLINE_VECTOR_(std::uint64_t, "UInt64");

#undef SYNCLINE_VECTOR_
#undef SYNCLINE_COLLECTION_

template <typename T>
concept IsCollection = requires {
  Collection<T>::kName;
};

}  // namespace builder_internal
}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_COLLECTIONS_H_
