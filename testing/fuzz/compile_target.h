// What is done with the bytes of one fuzzing run, here for the fuzzer and for
// the test that runs a few thousand of them: read the bytes as a graph, compile
// it, and check what must hold for every graph.
//
// Thread rule: pure functions.

#ifndef SYNCLINE_TESTING_FUZZ_COMPILE_TARGET_H_
#define SYNCLINE_TESTING_FUZZ_COMPILE_TARGET_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"

namespace syncline {

struct CompileFacts {
  bool was_text = false;
  bool was_read = false;
  bool was_compiled = false;
  // Why it was not compiled, if it was read.
  absl::Status error;
  // What must hold and does not; empty when all is well.
  std::string broken;
};

// Text or binary; whichever can be read.
CompileFacts CompileBytes(absl::string_view bytes);

// Text with Anys spelled out, as people write it.
std::string GraphText(const CalculatorGraphConfig& config);

}  // namespace syncline

#endif  // SYNCLINE_TESTING_FUZZ_COMPILE_TARGET_H_
