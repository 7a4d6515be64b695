// Options of a graph that its nodes take over: `option_value`.
//
//   graph_options { [type.googleapis.com/my.FaceOptions] { width: 128 } }
//   node {
//     calculator: "ResizeCalculator"
//     node_options { [type.googleapis.com/my.ResizeOptions] { height: 96 } }
//     option_value: "width:options/width"
//   }
//
// The options of a graph are those in its config, of both styles, with the
// options of the node that stands for the graph merged on top. A node's own
// options keep what no option_value names. The result is in node_options of the
// node, whichever style it had; its option_value is gone.
//
// Where the graph or the node has no options at all, nothing is copied, with a
// warning. An empty message of the right type is enough to say which options
// are meant.
//
// Thread rule: for one thread.
// Tested by option_values_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_OPTION_VALUES_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_OPTION_VALUES_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/option_path.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/message.h"

namespace syncline {

// The option messages of a node or a graph, copied, in the order in which they
// count: extensions, then Anys.
class OptionMessages {
 public:
  struct Entry {
    std::unique_ptr<google::protobuf::Message> message;
    // The extension that it stood in; null for an Any ...
    const google::protobuf::FieldDescriptor* extension = nullptr;
    // ... and then its place among them; -1 for a new one.
    int any = -1;
    bool changed = false;
  };

  using Anys = google::protobuf::RepeatedPtrField<google::protobuf::Any>;

  // Adds what a node or graph has. What cannot be read is kept for errors.
  void Add(const google::protobuf::Message& extensions, const Anys& anys);
  // Merges a node's messages into those of the graph that it stands for.
  void MergeFrom(const OptionMessages& node);

  // The first entry of `path`'s type (any type if empty) that has the path's
  // first field; null if there is none.
  Entry* Find(const OptionPath& path);
  // The entry of exactly this type, or null.
  Entry* FindType(const google::protobuf::Descriptor& type);
  Entry* AddEmpty(const google::protobuf::Message& prototype);

  // Puts the entries that changed into node_options.
  void StoreInto(CalculatorGraphConfig::Node* node) const;

  bool empty() const { return entries_.empty() && unreadable_.empty(); }
  std::vector<Entry>& entries() { return entries_; }
  // Why `path` is in none of the entries. `whose` is "the node".
  absl::Status NotFound(const OptionPath& path, absl::string_view whose) const;

 private:
  void AddAny(const google::protobuf::Any& any, int index);
  void AddUnreadable(std::string sentence);

  std::vector<Entry> entries_;
  std::vector<std::string> unreadable_;  // sentences, the first few
};

// The options of one graph, for its nodes.
class GraphOptionValues {
 public:
  // Borrows both: the config as it was written, and the node that stands for
  // it, null for the graph of an application.
  GraphOptionValues(const CalculatorGraphConfig& graph,
                    const CalculatorGraphConfig::Node* node)
      : graph_(graph), outer_(node) {}

  struct Result {
    std::vector<absl::Status> errors;
    std::vector<std::string> warnings;
    size_t bytes = 0;  // copied
    bool over_limit = false;
  };
  // Carries out the option_values of a node of the graph. Stops when more than
  // `max_bytes` are copied, or a number of them were wrong.
  Result Apply(size_t max_bytes, CalculatorGraphConfig::Node* node);

 private:
  OptionMessages& Options();
  void ApplyOne(absl::string_view text, OptionMessages* node, Result* result);

  const CalculatorGraphConfig& graph_;
  const CalculatorGraphConfig::Node* const outer_;
  std::unique_ptr<OptionMessages> options_;  // made when asked for
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_OPTION_VALUES_H_
