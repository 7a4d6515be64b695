// Graphs for MediaPipe contain names with its package: those of calculators and
// handlers ("mediapipe.X"), and those of the types of options
// (".../mediapipe.X" in an Any). Here they become names of `syncline`, so that
// all later code and every printed config have one spelling only.
//
//   calculator: "mediapipe.GateCalculator"  ->  "syncline.GateCalculator"
//   package: "mediapipe"                    ->  "syncline"
//   type_url: "type.googleapis.com/mediapipe.X"  ->  ".../syncline.X"
//
// A name that is linked in as it is written stays: a user's own proto package
// may well be called "mediapipe".
//
// Thread rule: pure functions.
// Tested by normalize_names_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_NORMALIZE_NAMES_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_NORMALIZE_NAMES_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace syncline {

// Renames in `message`, which may be a graph config, a node, options or any
// other message: registered names, packages and the type urls of every Any, at
// any depth, also inside the values of Anys whose type is linked in. Linear.
//
// What is nested in more than 16 Anys stays as it is, so that a message cannot
// make this take longer than its size allows.
void NormalizeNames(google::protobuf::Message* message);

// A registered name or package with its prefix replaced: "mediapipe.a.B",
// ".mediapipe.B" or "mediapipe::B". Other names come back as they are.
std::string NormalizedName(absl::string_view name);

// The name under which a proto type or extension is looked up: as written when
// `is_known` says so, else the first known one of its translations; when none
// is known, with the prefix replaced.
std::string NormalizedProtoName(
    absl::string_view name,
    absl::FunctionRef<bool(const std::string& name)> is_known);
// The same for a message type, looked up in the pool.
std::string NormalizedTypeName(
    absl::string_view name,
    const google::protobuf::DescriptorPool& pool =
        *google::protobuf::DescriptorPool::generated_pool());

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_NORMALIZE_NAMES_H_
