#include "framework/c/call.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"

namespace syncline {

std::string& ErrorMessage() {
  static thread_local std::string message;
  return message;
}

absl::Status NotNull(const void* argument, absl::string_view name) {
  if (argument != nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the argument \"", name, "\" is a null pointer"));
}

absl::StatusOr<absl::string_view> BytesOf(const void* bytes, std::size_t size) {
  if (size > 0) SYNCLINE_RETURN_IF_ERROR(NotNull(bytes, "bytes"));
  if (size > PTRDIFF_MAX) {
    return absl::InvalidArgumentError("no value has so many bytes");
  }
  return absl::string_view(static_cast<const char*>(bytes), size);
}

}  // namespace syncline
