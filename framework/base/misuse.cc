#include "framework/base/misuse.h"

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <typeinfo>
#include <utility>

#include "absl/strings/str_cat.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// One CallUserCode in progress.
struct GuardedCall {
  GuardedCall* outer = nullptr;
  absl::Status misuse;  // the first one reported
};

thread_local GuardedCall* innermost_call = nullptr;

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
  if (type == nullptr) return "unknown type";
  int status = 0;
  char* demangled =
      abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  std::string name = demangled == nullptr ? type->name() : demangled;
  std::free(demangled);
  return name;
}

absl::Status CallAndCatch(absl::FunctionRef<absl::Status()> code) {
  try {
    return code();
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

// Sets the mark, and takes it back however the call ends.
class GuardedScope {
 public:
  explicit GuardedScope(GuardedCall* call) : call_(call) {
    call->outer = innermost_call;
    innermost_call = call;
  }
  ~GuardedScope() { innermost_call = call_->outer; }
  GuardedScope(const GuardedScope&) = delete;
  GuardedScope& operator=(const GuardedScope&) = delete;

 private:
  GuardedCall* const call_;
};

}  // namespace

void ReportMisuse(absl::Status what) {
  GuardedCall* const call = innermost_call;
  if (call == nullptr) {
    LOG(FATAL) << what;
    std::terminate();  // unreachable: LOG(FATAL) does not say that it ends
  }
  std::string text(what.message());
  if (call->misuse.ok()) call->misuse = std::move(what);
  throw MisuseException(std::move(text));
}

absl::Status CallUserCode(absl::FunctionRef<absl::Status()> code) {
  GuardedCall call;
  absl::Status status;
  {
    GuardedScope scope(&call);
    status = CallAndCatch(code);
  }
  if (!call.misuse.ok()) return std::move(call.misuse);
  return status;
}

bool IsGuardedCall() { return innermost_call != nullptr; }

}  // namespace syncline
