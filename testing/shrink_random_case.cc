// Makes a random graph on which engine and oracle disagree smaller: takes away
// nodes, packets and options for as long as they still disagree.
//
// Thread rule: one thread.
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
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
    const auto* const reflection = message->GetReflection();
    if (Try(message, [&] { reflection->ClearField(message, field); })) {
      return true;
    }
    return field->message_type() != nullptr &&
           Shrink(reflection->MutableMessage(message, field));
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

}  // namespace

RandomCase ShrinkRandomCase(RandomCase random_case,
                            absl::FunctionRef<bool(const RandomCase&)> fails) {
  Shrinker shrinker(&random_case, fails);
  while (shrinker.Shrink(&random_case)) {
  }
  return random_case;
}

}  // namespace syncline
