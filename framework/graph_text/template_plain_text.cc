#include "framework/graph_text/template_plain_text.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace syncline {

void TemplatePlainText::KeepUntil(size_t offset) {
  absl::StrAppend(&plain_, text_.substr(copied_, offset - copied_));
  copied_ = offset;
}

void TemplatePlainText::ReplaceUntil(size_t offset, absl::string_view value) {
  const size_t from = plain_.size();
  KeepUntil(offset);
  BlankFrom(from);
  plain_.replace(from, std::min(value.size(), plain_.size() - from),
                 value.data(), value.size());
}

void TemplatePlainText::BlankFrom(size_t position) {
  for (size_t i = position; i < plain_.size(); ++i) {
    if (plain_[i] != '\n') plain_[i] = ' ';
  }
}

}  // namespace syncline
