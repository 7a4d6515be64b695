#include "gpu/submission.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gpu/work_owner.h"

namespace syncline::gpu {
namespace {

constinit thread_local const Submission* current = nullptr;

}  // namespace

Submission::Submission(const char* work, const std::string& stream)
    : work_(work), stream_(stream) {
  current = this;
}

Submission::~Submission() { current = nullptr; }

const Submission* Submission::Current() { return current; }

absl::Status Submission::Refuse(absl::string_view work,
                                absl::string_view stream) const {
  return absl::FailedPreconditionError(absl::StrCat(
      WorkOwnerScope::Current().ToText(), ", \"", work, "\" on ", stream,
      ": this thread gives \"", work_, "\" to stream \"", stream_,
      "\" just now. The form of a kernel launches, and does nothing else to "
      "streams: do that before or after Launch()."));
}

std::string Submission::ToText() const {
  return absl::StrCat(WorkOwnerScope::Current().ToText(),
                      " gave it to stream \"", stream_, "\"");
}

}  // namespace syncline::gpu
