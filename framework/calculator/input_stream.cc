// See the header.
#include "framework/calculator/input_stream.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"

namespace syncline {

const std::string& InputStream::NoName() {
  static const auto& none = *new std::string();
  return none;
}

void InputStream::ReportEmpty(TypeId wanted) const {
  ReportMisuse(absl::FailedPreconditionError(absl::StrCat(
      "Get<", wanted.name(), ">() of the input stream \"", *name_,
      "\", which has no packet in this call (it is settled up to ",
      value_.Timestamp().DebugString(), "); ask IsEmpty() first")));
}

}  // namespace syncline
