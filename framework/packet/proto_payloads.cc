#include "framework/packet/proto_payloads.h"

#include <algorithm>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "framework/base/mutex.h"

namespace syncline {
namespace packet_internal {
namespace {

using PayloadTypes = std::vector<const ProtoPayloadType*>;

// Registration happens before main. To ask a message for its name there would
// build descriptors that may never be needed. So names are asked for at the
// first search.
struct ProtoPayloads {
  Mutex mutex;
  PayloadTypes unnamed ABSL_GUARDED_BY(mutex);
  // Types of one name are copies that several libraries brought along.
  absl::btree_map<std::string, PayloadTypes> named ABSL_GUARDED_BY(mutex);

  void NameAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    for (const ProtoPayloadType* type : unnamed) {
      named[type->type_name()].push_back(type);
    }
    unnamed.clear();
  }

  const ProtoPayloadType* Find(absl::string_view name)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    const auto found = named.find(name);
    return found == named.end() ? nullptr : found->second.front();
  }
};

ProtoPayloads& Payloads() {
  // Never destroyed: registrations are taken back until the very end.
  static ProtoPayloads& payloads = *new ProtoPayloads;
  return payloads;
}

void Remove(const ProtoPayloadType* type) {
  ProtoPayloads& payloads = Payloads();
  MutexLock lock(&payloads.mutex);
  const auto remove_from = [type](PayloadTypes& types) {
    types.erase(std::remove(types.begin(), types.end(), type), types.end());
  };
  remove_from(payloads.unnamed);
  for (auto it = payloads.named.begin(); it != payloads.named.end();) {
    remove_from(it->second);
    it = it->second.empty() ? payloads.named.erase(it) : std::next(it);
  }
}

}  // namespace

RegistrationToken RegisterProtoPayload(const ProtoPayloadType* type) {
  ProtoPayloads& payloads = Payloads();
  MutexLock lock(&payloads.mutex);
  payloads.unnamed.push_back(type);
  return RegistrationToken([type] { Remove(type); });
}

const ProtoPayloadType* FindProtoPayload(absl::string_view type_name) {
  ProtoPayloads& payloads = Payloads();
  MutexLock lock(&payloads.mutex);
  payloads.NameAll();
  const ProtoPayloadType* type = payloads.Find(type_name);
  if (type == nullptr && absl::ConsumePrefix(&type_name, "mediapipe.")) {
    type = payloads.Find(absl::StrCat("syncline.", type_name));
  }
  return type;
}

std::vector<std::string> ProtoPayloadNames() {
  ProtoPayloads& payloads = Payloads();
  MutexLock lock(&payloads.mutex);
  payloads.NameAll();
  std::vector<std::string> names;
  for (const auto& [name, types] : payloads.named) names.push_back(name);
  return names;
}

}  // namespace packet_internal
}  // namespace syncline
