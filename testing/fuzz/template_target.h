// What is done with the bytes of one fuzzing run of graph templates: read them
// as a template, in text or binary form, expand it, and check what must hold.
//
// Thread rule: pure functions.

#ifndef SYNCLINE_TESTING_FUZZ_TEMPLATE_TARGET_H_
#define SYNCLINE_TESTING_FUZZ_TEMPLATE_TARGET_H_

#include <string>

#include "absl/strings/string_view.h"

namespace syncline {

struct TemplateFacts {
  bool was_read = false;
  bool was_expanded = false;
  // What must hold and does not; empty when all is well.
  std::string broken;
};

TemplateFacts ExpandBytes(absl::string_view bytes);

}  // namespace syncline

#endif  // SYNCLINE_TESTING_FUZZ_TEMPLATE_TARGET_H_
