#include "framework/base/status_builder.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "framework/base/status_text.h"

namespace syncline {

StatusBuilder::StatusBuilder(const StatusBuilder& other)
    : status_(other.status_), location_(other.location_), join_(other.join_) {
  if (other.stream_ != nullptr) Stream() << other.stream_->str();
}

StatusBuilder& StatusBuilder::operator=(const StatusBuilder& other) {
  StatusBuilder copy(other);
  return *this = std::move(copy);
}

StatusBuilder& StatusBuilder::SetCode(absl::StatusCode code) & {
  if (status_.ok() || code == absl::StatusCode::kOk) return *this;
  status_ = WithPayloadsOf(status_, code, status_.message());
  return *this;
}

absl::Status StatusBuilder::Build() const {
  if (status_.ok() || stream_ == nullptr) return status_;
  const std::string said = stream_->str();
  const absl::string_view had = status_.message();
  if (said.empty()) return status_;
  const auto with = [this](absl::string_view text) {
    return WithPayloadsOf(status_, status_.code(), text);
  };
  if (had.empty()) return with(said);
  switch (join_) {
    case Join::kSemicolon:
      return with(absl::StrCat(had, "; ", said));
    case Join::kSpace:
      return with(absl::StrCat(had, " ", said));
    case Join::kAppend:
      return with(absl::StrCat(had, said));
    case Join::kPrepend:
      return with(absl::StrCat(said, had));
  }
  return status_;
}

// One definition for each code: `SYNCLINE_BUILDER_(NotFound)` is
// NotFoundErrorBuilder.
#define SYNCLINE_BUILDER_(Name)                                \
  StatusBuilder Name##ErrorBuilder(source_location location) { \
    return StatusBuilder(absl::StatusCode::k##Name, location); \
  }
SYNCLINE_BUILDER_(Aborted)
SYNCLINE_BUILDER_(AlreadyExists)
SYNCLINE_BUILDER_(Cancelled)
SYNCLINE_BUILDER_(DataLoss)
SYNCLINE_BUILDER_(DeadlineExceeded)
SYNCLINE_BUILDER_(FailedPrecondition)
SYNCLINE_BUILDER_(Internal)
SYNCLINE_BUILDER_(InvalidArgument)
SYNCLINE_BUILDER_(NotFound)
SYNCLINE_BUILDER_(OutOfRange)
SYNCLINE_BUILDER_(PermissionDenied)
SYNCLINE_BUILDER_(ResourceExhausted)
SYNCLINE_BUILDER_(Unauthenticated)
SYNCLINE_BUILDER_(Unavailable)
SYNCLINE_BUILDER_(Unimplemented)
SYNCLINE_BUILDER_(Unknown)
#undef SYNCLINE_BUILDER_

}  // namespace syncline
