// A libFuzzer binary for graph templates; run.sh names it.
//
// A finding is a file; `template_fuzzer FILE` runs it again.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/string_view.h"
#include "testing/fuzz/template_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const syncline::TemplateFacts facts = syncline::ExpandBytes(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  if (!facts.broken.empty()) {
    std::fprintf(stderr, "%s\n", facts.broken.c_str());
    std::abort();
  }
  return 0;
}
