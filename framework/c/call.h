// What the functions of the C interface have in common: each is a guarded call
// (base/misuse.h). So a misuse or an exception, which would end a C++ program,
// is an error here. The text of the error is kept for the thread.
//
// Thread rule: every function may run on any thread.
// Tested by c_interface_test.

#ifndef SYNCLINE_FRAMEWORK_C_CALL_H_
#define SYNCLINE_FRAMEWORK_C_CALL_H_

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/c/syncline.h"

namespace syncline {

// The message of this thread's last call that failed. It exists until the
// thread ends.
std::string& ErrorMessage();

// Runs the body of a function of the interface, which returns absl::Status.
template <typename Body>
syncline_code Call(Body&& body) {
  const absl::Status status = CallUserCode(std::forward<Body>(body));
  if (status.ok()) return SYNCLINE_OK;
  ErrorMessage() = std::string(status.message());
  return static_cast<syncline_code>(status.code());
}

// INVALID_ARGUMENT for a null pointer.
absl::Status NotNull(const void* argument, absl::string_view name);

// The bytes of an argument. `bytes` may be null if `size` is 0.
absl::StatusOr<absl::string_view> BytesOf(const void* bytes, std::size_t size);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_C_CALL_H_
