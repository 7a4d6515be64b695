// The functions of syncline.h for errors, codes, version and plug-ins.

#include "absl/status/status.h"
#include "framework/base/plugin.h"
#include "framework/base/status_macros.h"
#include "framework/c/call.h"
#include "framework/c/syncline.h"

static_assert(SYNCLINE_UNAUTHENTICATED ==
              static_cast<int>(absl::StatusCode::kUnauthenticated));

extern "C" {

const char* syncline_error_message(void) {
  return syncline::ErrorMessage().c_str();
}

const char* syncline_code_name(syncline_code code) {
  switch (code) {
    case SYNCLINE_OK:
      return "OK";
    case SYNCLINE_CANCELLED:
      return "CANCELLED";
    case SYNCLINE_UNKNOWN:
      return "UNKNOWN";
    case SYNCLINE_INVALID_ARGUMENT:
      return "INVALID_ARGUMENT";
    case SYNCLINE_DEADLINE_EXCEEDED:
      return "DEADLINE_EXCEEDED";
    case SYNCLINE_NOT_FOUND:
      return "NOT_FOUND";
    case SYNCLINE_ALREADY_EXISTS:
      return "ALREADY_EXISTS";
    case SYNCLINE_PERMISSION_DENIED:
      return "PERMISSION_DENIED";
    case SYNCLINE_RESOURCE_EXHAUSTED:
      return "RESOURCE_EXHAUSTED";
    case SYNCLINE_FAILED_PRECONDITION:
      return "FAILED_PRECONDITION";
    case SYNCLINE_ABORTED:
      return "ABORTED";
    case SYNCLINE_OUT_OF_RANGE:
      return "OUT_OF_RANGE";
    case SYNCLINE_UNIMPLEMENTED:
      return "UNIMPLEMENTED";
    case SYNCLINE_INTERNAL:
      return "INTERNAL";
    case SYNCLINE_UNAVAILABLE:
      return "UNAVAILABLE";
    case SYNCLINE_DATA_LOSS:
      return "DATA_LOSS";
    case SYNCLINE_UNAUTHENTICATED:
      return "UNAUTHENTICATED";
  }
  return "UNKNOWN";
}

const char* syncline_version(void) { return SYNCLINE_VERSION_STRING; }

syncline_code syncline_load_plugin(const char* path) {
  return syncline::Call([&]() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(syncline::NotNull(path, "path"));
    return syncline::LoadPlugin(path);
  });
}

}  // extern "C"
