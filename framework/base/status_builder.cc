#include "framework/base/status_builder.h"

#include <memory>
#include <sstream>
#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"

namespace syncline {
namespace {

absl::Status WithMessage(const absl::Status& status, absl::string_view text) {
  absl::Status result(status.code(), text);
  status.ForEachPayload(
      [&result](absl::string_view url, const absl::Cord& payload) {
        result.SetPayload(url, payload);
      });
  return result;
}

}  // namespace

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
  absl::Status changed(code, status_.message());
  status_.ForEachPayload(
      [&changed](absl::string_view url, const absl::Cord& payload) {
        changed.SetPayload(url, payload);
      });
  status_ = std::move(changed);
  return *this;
}

absl::Status StatusBuilder::Build() const {
  if (status_.ok() || stream_ == nullptr) return status_;
  const std::string said = stream_->str();
  const absl::string_view had = status_.message();
  if (said.empty()) return status_;
  if (had.empty()) return WithMessage(status_, said);
  switch (join_) {
    case Join::kSemicolon:
      return WithMessage(status_, absl::StrCat(had, "; ", said));
    case Join::kSpace:
      return WithMessage(status_, absl::StrCat(had, " ", said));
    case Join::kAppend:
      return WithMessage(status_, absl::StrCat(had, said));
    case Join::kPrepend:
      return WithMessage(status_, absl::StrCat(said, had));
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
