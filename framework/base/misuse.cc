#include "framework/base/misuse.h"

#include <cxxabi.h>

#include <exception>
#include <new>
#include <string>
#include <typeinfo>
#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/base/no_destructor.h"
#include "framework/base/type_id.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// Derived from std::exception so that std::terminate, which a noexcept function
// on the way leads to, prints the text.
class MisuseException final : public std::exception {
 public:
  explicit MisuseException(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  const std::string text_;
};

std::string ThrownTypeName() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  return type == nullptr ? "unknown type" : TypeId::Of(*type).name();
}

absl::Status DescribeCaughtException() {
  try {
    throw;
  } catch (const MisuseException& e) {
    return absl::InternalError(e.what());
  } catch (const std::bad_alloc& e) {
    return absl::ResourceExhaustedError(
        absl::StrCat("Out of memory: an exception was thrown: ", e.what()));
  } catch (const std::exception& e) {
    return absl::InternalError(
        absl::StrCat("An exception was thrown: ", e.what()));
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is being cancelled; swallowing that aborts
  } catch (...) {
    return absl::InternalError(absl::StrCat(
        "An exception was thrown that is not a std::exception: a value of \"",
        ThrownTypeName(), "\"."));
  }
}

}  // namespace

void ReportMisuse(absl::Status what) {
  misuse_internal::GuardedCall* const call =
      misuse_internal::GuardedCall::Innermost();
  if (call == nullptr) {
    LOG(FATAL) << what;
    std::terminate();  // unreachable: LOG(FATAL) does not say that it ends
  }
  std::string text(what.message());
  call->SetMisuse(std::move(what));
  throw MisuseException(std::move(text));
}

namespace misuse_internal {

// Not in an unnamed namespace: a plug-in with a copy of this file finds the
// program's status, and leaves none behind when it is closed.
const absl::Status& OutOfMemory();
const absl::Status& OutOfMemory() {
  static const NoDestructor<absl::Status> status(
      absl::ResourceExhaustedError("Out of memory."));
  return *status;
}
// Made while there is memory.
[[maybe_unused]] static const absl::Status& made_at_start = OutOfMemory();

absl::Status StatusOfCaughtException() {
  try {
    return DescribeCaughtException();
  } catch (const std::bad_alloc&) {
    return OutOfMemory();  // there is none for a text either
  }
}

}  // namespace misuse_internal

bool IsGuardedCall() {
  return misuse_internal::GuardedCall::Innermost() != nullptr;
}

}  // namespace syncline
