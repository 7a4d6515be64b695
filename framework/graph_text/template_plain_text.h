// The text of a graph template without its rules, for Protobuf's parser.
//
// A reader goes through the template from front to back. It keeps each stretch
// of text, or leaves it out, possibly with a value in its place. Text that is
// left out becomes spaces, so that every line and column stays where it was.
//
// Thread rule: for one thread. The text must outlive it.
// Tested by template_plain_text_test and template_text_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_PLAIN_TEXT_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_PLAIN_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace syncline {

class TemplatePlainText {
 public:
  explicit TemplatePlainText(absl::string_view text) : text_(text) {}

  // What comes next, up to `offset` in the text, stays.
  void KeepUntil(size_t offset);
  void KeepAll() { KeepUntil(text_.size()); }
  // It is left out, and `value` takes its place. What is longer than that moves
  // the rest of the line.
  void ReplaceUntil(size_t offset, absl::string_view value);
  // What was kept last, from `position` on, is left out after all.
  void BlankFrom(size_t position);

  // So far; a size() from before is a position in it.
  const std::string& plain() const { return plain_; }
  size_t size() const { return plain_.size(); }

 private:
  const absl::string_view text_;
  size_t copied_ = 0;  // of text_
  std::string plain_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_PLAIN_TEXT_H_
