#include "framework/api2/stream/image_size.h"

#include <utility>

#include "absl/strings/string_view.h"
#include "framework/api2/builder.h"

namespace syncline {
namespace api2 {
namespace builder {
namespace {

Stream<std::pair<int, int>> SizeOf(Stream<> image, absl::string_view tag,
                                   Graph& graph) {
  auto& node = graph.AddNode("ImagePropertiesCalculator");
  image >> node.In(tag);
  return node.Out("SIZE").Cast<std::pair<int, int>>();
}

}  // namespace

Stream<std::pair<int, int>> GetImageSize(Stream<Image> image, Graph& graph) {
  return SizeOf(image, "IMAGE", graph);
}

Stream<std::pair<int, int>> GetImageSize(Stream<ImageFrame> image,
                                         Graph& graph) {
  return SizeOf(image, "IMAGE_CPU", graph);
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline
