#include "framework/base/status_stop.h"

#include "absl/strings/string_view.h"

namespace syncline {
namespace tool {
namespace {

constexpr absl::string_view kText = "syncline::tool::StatusStop()";

}  // namespace

absl::Status StatusStop() { return absl::OutOfRangeError(kText); }

bool IsStatusStop(const absl::Status& status) {
  return status.code() == absl::StatusCode::kOutOfRange &&
         status.message() == kText;
}

}  // namespace tool
}  // namespace syncline
