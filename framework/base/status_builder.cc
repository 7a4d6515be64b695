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

}  // namespace syncline
