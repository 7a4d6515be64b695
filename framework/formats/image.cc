#include "framework/formats/image.h"

#include <vector>

#include "framework/packet/type_map.h"

namespace syncline {

SYNCLINE_REGISTER_TYPE(Image, "::syncline::Image", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<Image>, "::std::vector<::syncline::Image>",
                       nullptr, nullptr);

}  // namespace syncline
