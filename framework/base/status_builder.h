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

// One function for each code: NotFoundErrorBuilder(SYNCLINE_LOC) and so on. The
// text of the error is what is streamed.
#define SYNCLINE_BUILDER_(Code)                                       \
  inline StatusBuilder Code##ErrorBuilder(source_location location) { \
    return StatusBuilder(absl::StatusCode::k##Code, location);        \
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

#endif  // SYNCLINE_FRAMEWORK_BASE_STATUS_BUILDER_H_
