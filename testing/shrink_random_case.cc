// Makes a random graph on which engine and oracle disagree smaller: takes away
// nodes, packets and options, and halves numbers, for as long as they still
// disagree. A node goes alone if nobody needs it, else with all that only it
// feeds.
//
// Thread rule: one thread.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "framework/config/calculator.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "testing/oracle_comparison.h"
#include "testing/random_graph.pb.h"

namespace syncline {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Tries to leave out each field and element below `message`, which is a part of
// `whole`, last ones first. True if something could go.
class Shrinker {
 public:
  Shrinker(RandomCase* whole, absl::FunctionRef<bool(const RandomCase&)> fails)
      : whole_(whole), fails_(fails) {}

  bool Shrink(Message* message) {
    bool has_shrunk = false;
    std::vector<const FieldDescriptor*> fields;
    message->GetReflection()->ListFields(*message, &fields);
    for (const FieldDescriptor* const field : fields) {
      has_shrunk |= field->is_repeated() ? ShrinkRepeated(message, field)
                                         : ShrinkSingle(message, field);
    }
    return has_shrunk;
  }

 private:
  // Keeps the change, unless the case does not fail any more.
  template <typename Change>
  bool Try(Message* message, const Change& change) {
    const std::string before = message->SerializeAsString();
    change();
    if (fails_(*whole_)) return true;
    message->ParseFromString(before);
    return false;
  }

  bool ShrinkSingle(Message* message, const FieldDescriptor* field) {
    // Without it, packets that a loop is left with would be a failure, too.
    if (field->full_name() == "syncline.CalculatorGraphConfig.options") {
      return false;
    }
    const auto* const reflection = message->GetReflection();
    if (Try(message, [&] { reflection->ClearField(message, field); })) {
      return true;
    }
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT32) {
      return ShrinkNumber(message, field);
    }
    return field->message_type() != nullptr &&
           Shrink(reflection->MutableMessage(message, field));
  }

  // Down to half, or else by one.
  bool ShrinkNumber(Message* message, const FieldDescriptor* field) {
    const auto* const reflection = message->GetReflection();
    const int value = reflection->GetInt32(*message, field);
    for (const int smaller : {value / 2, value - 1}) {
      if (smaller <= 0) continue;
      if (Try(message,
              [&] { reflection->SetInt32(message, field, smaller); })) {
        return true;
      }
    }
    return false;
  }

  bool ShrinkRepeated(Message* message, const FieldDescriptor* field) {
    const auto* const reflection = message->GetReflection();
    bool has_shrunk = false;
    for (int i = reflection->FieldSize(*message, field) - 1; i >= 0; --i) {
      if (Try(message, [&] { Remove(message, field, i); })) {
        has_shrunk = true;
      } else if (field->message_type() != nullptr) {
        has_shrunk |=
            Shrink(reflection->MutableRepeatedMessage(message, field, i));
      }
    }
    return has_shrunk;
  }

  static void Remove(Message* message, const FieldDescriptor* field, int i) {
    const auto* const reflection = message->GetReflection();
    for (; i + 1 < reflection->FieldSize(*message, field); ++i) {
      reflection->SwapElements(message, field, i, i + 1);
    }
    reflection->RemoveLast(message, field);
  }

  RandomCase* const whole_;
  const absl::FunctionRef<bool(const RandomCase&)> fails_;
};

// The name in "TAG:index:name".
std::string NameOf(const std::string& port) {
  return port.substr(port.rfind(':') + 1);
}

// Takes node `i` away, and what it sent from the inputs of others; nodes that
// lose all their inputs go too.
void RemoveWithReaders(int i, CalculatorGraphConfig* graph) {
  std::set<std::string> gone;
  const auto remove_node = [&](int index) {
    for (const std::string& port : graph->node(index).output_stream()) {
      gone.insert(NameOf(port));
    }
    graph->mutable_node()->DeleteSubrange(index, 1);
  };
  remove_node(i);
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (int reader = graph->node_size() - 1; reader >= 0; --reader) {
      auto* const ports = graph->mutable_node(reader)->mutable_input_stream();
      const int before = ports->size();
      ports->erase(std::remove_if(ports->begin(), ports->end(),
                                  [&gone](const std::string& port) {
                                    return gone.count(NameOf(port)) > 0;
                                  }),
                   ports->end());
      if (ports->size() == before) continue;
      is_changed = true;
      if (ports->empty()) remove_node(reader);
    }
  }
}

bool ShrinkByNodes(RandomCase* random_case,
                   absl::FunctionRef<bool(const RandomCase&)> fails) {
  for (int i = random_case->graph().node_size() - 1; i >= 0; --i) {
    RandomCase smaller = *random_case;
    RemoveWithReaders(i, smaller.mutable_graph());
    if (!fails(smaller)) continue;
    *random_case = std::move(smaller);
    return true;
  }
  return false;
}

}  // namespace

RandomCase ShrinkRandomCase(RandomCase random_case,
                            absl::FunctionRef<bool(const RandomCase&)> fails) {
  while (ShrinkByNodes(&random_case, fails)) {
  }
  Shrinker shrinker(&random_case, fails);
  while (shrinker.Shrink(&random_case) || ShrinkByNodes(&random_case, fails)) {
  }
  return random_case;
}

}  // namespace syncline
