// StatusBuilder: a status that is still being written.
//
//   return syncline::InvalidArgumentErrorBuilder(SYNCLINE_LOC)
//          << "The width is " << width << ", but it must be even.";
//   SYNCLINE_RETURN_IF_ERROR(Load(path)) << "while loading " << path;
//
// What is streamed joins the text that the status had: by default "text; more";
// after SetAppend() "textmore", after SetPrepend() "moretext". An OK status
// stays OK, and text that is streamed to it is ignored. A builder converts to
// absl::Status, and so to absl::StatusOr<T> in a return statement. Payloads of
// the status are kept.
//
// Thread rule: used by one thread.
// Tested by status_builder_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_STATUS_BUILDER_H_
#define SYNCLINE_FRAMEWORK_BASE_STATUS_BUILDER_H_

#include <memory>
#include <ostream>
#include <sstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/base/source_location.h"

namespace syncline {

class ABSL_MUST_USE_RESULT StatusBuilder {
 public:
  StatusBuilder(const absl::Status& original, source_location location)
      : status_(original), location_(location) {}
  StatusBuilder(absl::Status&& original, source_location location)
      : status_(std::move(original)), location_(location) {}
  StatusBuilder(absl::StatusCode code, source_location location)
      : status_(code, ""), location_(location) {}

  StatusBuilder(const StatusBuilder& other);
  StatusBuilder& operator=(const StatusBuilder& other);
  StatusBuilder(StatusBuilder&&) = default;
  StatusBuilder& operator=(StatusBuilder&&) = default;

  // Where what is streamed goes.
  StatusBuilder& SetPrepend() & { return SetJoin(Join::kPrepend); }
  StatusBuilder&& SetPrepend() && { return std::move(SetPrepend()); }
  StatusBuilder& SetAppend() & { return SetJoin(Join::kAppend); }
  StatusBuilder&& SetAppend() && { return std::move(SetAppend()); }

  // Changes the code of an error; an OK status stays OK.
  StatusBuilder& SetCode(absl::StatusCode code) &;
  StatusBuilder&& SetCode(absl::StatusCode code) && {
    return std::move(SetCode(code));
  }

  // Builders do not log, so there is nothing to turn off. The streamed text is
  // kept all the same.
  StatusBuilder& SetNoLogging() & { return *this; }
  StatusBuilder&& SetNoLogging() && { return std::move(*this); }

  template <typename T>
  StatusBuilder& operator<<(const T& value) & {
    if (!status_.ok()) Stream() << value;
    return *this;
  }
  template <typename T>
  StatusBuilder&& operator<<(const T& value) && {
    return std::move(*this << value);
  }
  // std::endl and its like.
  StatusBuilder& operator<<(std::ostream& (*manipulator)(std::ostream&)) & {
    if (!status_.ok()) Stream() << manipulator;
    return *this;
  }
  StatusBuilder&& operator<<(std::ostream& (*manipulator)(std::ostream&)) && {
    return std::move(*this << manipulator);
  }

  operator absl::Status() const& { return Build(); }  // NOLINT: implicit
  operator absl::Status() && { return Build(); }      // NOLINT: implicit

  bool ok() const { return status_.ok(); }
  absl::StatusCode code() const { return status_.code(); }
  source_location GetLocation() const { return location_; }

 private:
  friend StatusBuilder RetCheckFail(source_location, absl::string_view);

  enum class Join { kSemicolon, kSpace, kAppend, kPrepend };

  StatusBuilder& SetJoin(Join join) & {
    join_ = join;
    return *this;
  }
  std::ostream& Stream() {
    if (stream_ == nullptr) stream_ = std::make_unique<std::ostringstream>();
    return *stream_;
  }
  absl::Status Build() const;

  absl::Status status_;
  source_location location_;
  Join join_ = Join::kSemicolon;
  std::unique_ptr<std::ostringstream> stream_;  // null until something is said
};

// An error of the code that the name says, whose text is what is streamed.
StatusBuilder AbortedErrorBuilder(source_location location);
StatusBuilder AlreadyExistsErrorBuilder(source_location location);
StatusBuilder CancelledErrorBuilder(source_location location);
StatusBuilder DataLossErrorBuilder(source_location location);
StatusBuilder DeadlineExceededErrorBuilder(source_location location);
StatusBuilder FailedPreconditionErrorBuilder(source_location location);
StatusBuilder InternalErrorBuilder(source_location location);
StatusBuilder InvalidArgumentErrorBuilder(source_location location);
StatusBuilder NotFoundErrorBuilder(source_location location);
StatusBuilder OutOfRangeErrorBuilder(source_location location);
StatusBuilder PermissionDeniedErrorBuilder(source_location location);
StatusBuilder ResourceExhaustedErrorBuilder(source_location location);
StatusBuilder UnauthenticatedErrorBuilder(source_location location);
StatusBuilder UnavailableErrorBuilder(source_location location);
StatusBuilder UnimplementedErrorBuilder(source_location location);
StatusBuilder UnknownErrorBuilder(source_location location);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_STATUS_BUILDER_H_
