#include "framework/expansion/option_values.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/copy_option.h"
#include "framework/graph_text/node_names.h"
#include "framework/graph_text/normalize_names.h"
#include "framework/graph_text/option_path.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/stubs/logging.h"

namespace syncline {
namespace {

namespace pb = ::google::protobuf;
using Node = CalculatorGraphConfig::Node;

// How many warnings and errors are reported for one node.
constexpr size_t kMaxWarnings = 3;
constexpr size_t kMaxErrors = 10;

bool HasType(const pb::Message& message, absl::string_view type) {
  const std::string& full_name = message.GetDescriptor()->full_name();
  return type.empty() || full_name == type ||
         (!absl::StrContains(type, '.') &&
          message.GetDescriptor()->name() == type);
}

bool HasFirstField(const pb::Message& message, const OptionPath& path) {
  return path.steps.empty() || FindOptionField(*message.GetDescriptor(),
                                               path.steps[0].field) != nullptr;
}

}  // namespace

void OptionMessages::Add(const pb::Message& extensions, const Anys& anys) {
  std::vector<const pb::FieldDescriptor*> fields;
  extensions.GetReflection()->ListFields(extensions, &fields);
  for (const pb::FieldDescriptor* field : fields) {
    if (!field->is_extension() || field->is_repeated() ||
        field->cpp_type() != pb::FieldDescriptor::CPPTYPE_MESSAGE) {
      continue;
    }
    const pb::Message& message =
        extensions.GetReflection()->GetMessage(extensions, field);
    Entry entry = {.message = std::unique_ptr<pb::Message>(message.New()),
                   .extension = field};
    entry.message->CopyFrom(message);
    entries_.push_back(std::move(entry));
  }
  for (int i = 0; i < anys.size(); ++i) AddAny(anys[i], i);
}

void OptionMessages::AddAny(const pb::Any& any, int index) {
  const std::string& url = any.type_url();
  const std::string name =
      NormalizedTypeName(absl::string_view(url).substr(url.rfind('/') + 1));
  const pb::Descriptor* type =
      pb::DescriptorPool::generated_pool()->FindMessageTypeByName(name);
  if (type == nullptr) {
    AddUnreadable(absl::StrCat(
        "options type ", Quoted(name),
        " is not linked into this binary: add the target that defines it (its "
        "calculator, or its cc_proto_library) to the deps."));
    return;
  }
  // An extension comes before these; its result is to stand here.
  if (Entry* earlier = FindType(*type)) {
    if (earlier->any < 0) earlier->any = index;
    return;
  }
  Entry entry = {
      .message = std::unique_ptr<pb::Message>(
          pb::MessageFactory::generated_factory()->GetPrototype(type)->New()),
      .any = index};
  // Invalid UTF-8 makes Protobuf write to stderr.
  const google::protobuf::LogSilencer quiet;
  if (!entry.message->ParsePartialFromString(any.value())) {
    AddUnreadable(absl::StrCat("options of type ", Quoted(name),
                               " do not parse as that type."));
    return;
  }
  entries_.push_back(std::move(entry));
}

void OptionMessages::MergeFrom(const OptionMessages& node) {
  for (const Entry& entry : node.entries_) {
    Entry* own = FindType(*entry.message->GetDescriptor());
    if (own == nullptr) own = AddEmpty(*entry.message);
    own->message->MergeFrom(*entry.message);
  }
  for (const std::string& sentence : node.unreadable_) AddUnreadable(sentence);
}

void OptionMessages::AddUnreadable(std::string sentence) {
  constexpr size_t kMaxShown = 3;
  if (unreadable_.size() < kMaxShown) {
    unreadable_.push_back(std::move(sentence));
  }
}

OptionMessages::Entry* OptionMessages::Find(const OptionPath& path) {
  for (Entry& entry : entries_) {
    if (HasType(*entry.message, path.type) &&
        HasFirstField(*entry.message, path)) {
      return &entry;
    }
  }
  return nullptr;
}

OptionMessages::Entry* OptionMessages::FindType(const pb::Descriptor& type) {
  for (Entry& entry : entries_) {
    if (entry.message->GetDescriptor() == &type) return &entry;
  }
  return nullptr;
}

OptionMessages::Entry* OptionMessages::AddEmpty(const pb::Message& prototype) {
  entries_.push_back(
      {.message = std::unique_ptr<pb::Message>(prototype.New())});
  return &entries_.back();
}

absl::Status OptionMessages::NotFound(const OptionPath& path,
                                      absl::string_view whose) const {
  std::vector<std::string> types;
  std::vector<std::string> fields;
  for (const Entry& entry : entries_) {
    const pb::Descriptor& type = *entry.message->GetDescriptor();
    types.push_back(Quoted(type.full_name()));
    if (!HasType(*entry.message, path.type)) continue;
    for (int i = 0; i < type.field_count(); ++i) {
      fields.push_back(type.field(i)->name());
    }
  }
  std::string hint;
  if (!path.steps.empty()) {
    hint = DidYouMeanOrKnownText(path.steps[0].field, fields);
  }
  for (const std::string& sentence : unreadable_) {
    absl::StrAppend(&hint, " ", sentence);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the options of ", whose, " (",
      types.empty() ? "none that can be read" : absl::StrJoin(types, ", "), ")",
      path.type.empty() ? "" : " of type ",
      path.type.empty() ? "" : Quoted(path.type), " have no ",
      path.steps.empty()
          ? "such message."
          : absl::StrCat("field ", Quoted(path.steps[0].field), "."),
      hint));
}

void OptionMessages::StoreInto(Node* node) const {
  for (const Entry& entry : entries_) {
    if (!entry.changed) continue;
    if (entry.extension != nullptr) {
      node->mutable_options()->GetReflection()->ClearField(
          node->mutable_options(), entry.extension);
      if (node->options().ByteSizeLong() == 0) node->clear_options();
    }
    pb::Any* any = entry.any >= 0 ? node->mutable_node_options(entry.any)
                                  : node->add_node_options();
    any->set_type_url(absl::StrCat(
        "type.googleapis.com/", entry.message->GetDescriptor()->full_name()));
    entry.message->SerializePartialToString(any->mutable_value());
  }
}

OptionMessages& GraphOptionValues::Options() {
  if (options_ == nullptr) {
    options_ = std::make_unique<OptionMessages>();
    options_->Add(graph_.options(), graph_.graph_options());
    if (outer_ != nullptr) {
      OptionMessages outer;
      outer.Add(outer_->options(), outer_->node_options());
      options_->MergeFrom(outer);
    }
  }
  return *options_;
}

namespace {

// A whole message goes from graph to node by its type.
absl::StatusOr<std::pair<OptionMessages::Entry*, OptionMessages::Entry*>>
FindPair(const OptionValue& value, OptionMessages* graph,
         OptionMessages* node) {
  OptionMessages::Entry* to = nullptr;
  if (value.graph.steps.empty() && value.node.steps.empty()) {
    for (OptionMessages::Entry& entry : graph->entries()) {
      if (!HasType(*entry.message, value.graph.type)) continue;
      to = node->FindType(*entry.message->GetDescriptor());
      if (to != nullptr && HasType(*to->message, value.node.type)) {
        return std::pair(&entry, to);
      }
    }
  }
  OptionMessages::Entry* const from = graph->Find(value.graph);
  if (from == nullptr) return graph->NotFound(value.graph, "the graph");
  to = node->empty() ? node->AddEmpty(*from->message) : node->Find(value.node);
  if (to == nullptr) return node->NotFound(value.node, "the node");
  return std::pair(from, to);
}

}  // namespace

void GraphOptionValues::ApplyOne(absl::string_view text, OptionMessages* node,
                                 Result* result) {
  const auto apply = [&]() -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const OptionValue value, ParseOptionValue(text));
    // The whole message may go into a node without options.
    const bool is_whole = value.node.steps.empty() && value.graph.steps.empty();
    if (Options().empty() || (node->empty() && !is_whole)) {
      if (result->warnings.size() == kMaxWarnings) return absl::OkStatus();
      result->warnings.push_back(absl::StrCat(
          "option_value ", Quoted(text), " has no effect: the ",
          Options().empty() ? "graph has no options; write graph_options"
                            : "node has no options; write node_options",
          " { [type.googleapis.com/the.OptionsType] {} } to say which it "
          "means."));
      return absl::OkStatus();
    }
    SYNCLINE_ASSIGN_OR_RETURN(const auto pair,
                              FindPair(value, &Options(), node));
    const pb::Message& from = *pair.first->message;
    pb::Message* const to = pair.second->message.get();
    SYNCLINE_ASSIGN_OR_RETURN(
        const FieldSteps from_steps,
        ResolveOptionPath(value.graph, *from.GetDescriptor()));
    SYNCLINE_ASSIGN_OR_RETURN(
        const FieldSteps to_steps,
        ResolveOptionPath(value.node, *to->GetDescriptor()));
    SYNCLINE_ASSIGN_OR_RETURN(const size_t copied,
                              CopyOption(from, from_steps, to, to_steps));
    if (copied > 0) pair.second->changed = true;
    result->bytes += copied;
    return absl::OkStatus();
  };
  const absl::Status status = apply();
  if (status.ok()) return;
  result->errors.push_back(
      PrefixStatus(absl::StrCat("option_value ", Quoted(text), ": "), status));
}

GraphOptionValues::Result GraphOptionValues::Apply(size_t max_bytes,
                                                   Node* node) {
  Result result;
  if (node->option_value().empty()) return result;
  OptionMessages messages;
  messages.Add(node->options(), node->node_options());
  for (const std::string& text : node->option_value()) {
    ApplyOne(text, &messages, &result);
    result.over_limit = result.bytes > max_bytes;
    if (result.over_limit || result.errors.size() == kMaxErrors) return result;
  }
  messages.StoreInto(node);
  node->clear_option_value();
  return result;
}

}  // namespace syncline
