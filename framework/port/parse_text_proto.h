// Messages from protobuf text, for tests, examples and literals in code.
//
//   auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
//     node { calculator: "PassThroughCalculator" }
//   )pb");
//
// Names in MediaPipe's package are accepted, as in graph files. For graphs from
// users, use ReadGraphText and ReadGraphFile of graph_source.h, whose errors
// name the file.
//
// Thread rule: free functions.
// Tested by parse_text_proto_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_PARSE_TEXT_PROTO_H_
#define SYNCLINE_FRAMEWORK_PORT_PARSE_TEXT_PROTO_H_

#include <utility>

#include "absl/base/attributes.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/graph_text/proto_text.h"
#include "glog/logging.h"

namespace syncline {

// Replaces `*proto`. On an error, logs it and returns false.
template <typename T>
ABSL_MUST_USE_RESULT bool ParseTextProto(absl::string_view text, T* proto) {
  const absl::Status status = ParseProtoText(text, "", proto);
  if (!status.ok()) LOG(ERROR) << status;
  return status.ok();
}

// INVALID_ARGUMENT with line, column and the mistake.
template <typename T>
absl::StatusOr<T> ParseTextProto(absl::string_view text) {
  T proto;
  absl::Status status = ParseProtoText(text, "", &proto);
  if (!status.ok()) return status;
  return proto;
}

// Text that cannot be parsed is a mistake in the program: in a calculator, the
// call ends with an error; elsewhere, the process ends.
template <typename T>
T ParseTextProtoOrDie(absl::string_view text) {
  absl::StatusOr<T> proto = ParseTextProto<T>(text);
  if (!proto.ok()) ReportMisuse(proto.status());
  return *std::move(proto);
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_PARSE_TEXT_PROTO_H_
