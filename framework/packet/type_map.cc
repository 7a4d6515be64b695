#include "framework/packet/type_map.h"

#include <cstdint>
#include <map>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "framework/base/library_file.h"
#include "framework/base/mutex.h"

namespace syncline {
namespace {

struct Registration {
  SynclineTypeData data;
  std::string origin;
  const void* code;  // in the library that registered it

  CodePlace place() const { return {origin, code}; }
};

struct TypeMap {
  Mutex mutex;
  // All registrations in the order they came. Registrations of one type all say
  // the same; the first that is left counts.
  std::map<std::uint64_t, Registration> registrations ABSL_GUARDED_BY(mutex);
  std::uint64_t next_id ABSL_GUARDED_BY(mutex) = 1;
  absl::flat_hash_map<TypeId, std::map<std::uint64_t, Registration*>> by_type
      ABSL_GUARDED_BY(mutex);
  absl::flat_hash_map<std::string, TypeId> by_name ABSL_GUARDED_BY(mutex);

  const Registration* Find(TypeId type) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    const auto found = by_type.find(type);
    return found == by_type.end() ? nullptr : found->second.begin()->second;
  }
};

TypeMap& Types() {
  // Never destroyed: registrations are taken back until the very end.
  static TypeMap& types = *new TypeMap;
  return types;
}

void RemovePacketType(std::uint64_t id) {
  TypeMap& types = Types();
  MutexLock lock(&types.mutex);
  const auto found = types.registrations.find(id);
  if (found == types.registrations.end()) return;
  const SynclineTypeData& data = found->second.data;
  const auto of_type = types.by_type.find(data.type_id);
  of_type->second.erase(id);
  if (of_type->second.empty()) {
    types.by_type.erase(of_type);
    types.by_name.erase(data.type_string);
  }
  types.registrations.erase(found);
}

}  // namespace

absl::StatusOr<RegistrationToken> RegisterPacketType(SynclineTypeData data,
                                                     source_location location) {
  Registration added = {data, location.ToString(), location.file_name()};
  Registration other;  // what it clashes with
  {
    TypeMap& types = Types();
    MutexLock lock(&types.mutex);
    const Registration* clash = types.Find(data.type_id);
    if (clash == nullptr || clash->data.type_string == data.type_string) {
      const auto [named, is_new] =
          types.by_name.try_emplace(data.type_string, data.type_id);
      if (is_new || named->second == data.type_id) {
        if (is_new) RegistrationErrors::NoteNew();
        const std::uint64_t id = types.next_id++;
        types.by_type[data.type_id][id] =
            &(types.registrations[id] = std::move(added));
        return RegistrationToken([id] { RemovePacketType(id); });
      }
      clash = types.Find(named->second);
    }
    other = *clash;
  }
  // Without the lock: the system's loader is asked for the libraries, and may
  // itself be in a call that registers.
  const std::string places = TwoPlacesText(other.place(), added.place());
  if (other.data.type_id == data.type_id) {
    return absl::AlreadyExistsError(absl::StrCat(
        "The type \"", data.type_id.name(),
        "\" is registered under two names: \"", other.data.type_string,
        "\" and \"", data.type_string, "\", from ", places, "."));
  }
  return absl::AlreadyExistsError(absl::StrCat(
      "The type name \"", data.type_string,
      "\" is registered for two types: \"", other.data.type_id.name(),
      "\" and \"", data.type_id.name(), "\", from ", places, "."));
}

const SynclineTypeData* PacketTypeIdToSynclineTypeData::GetValue(
    TypeId type_id) {
  TypeMap& types = Types();
  MutexLock lock(&types.mutex);
  const Registration* const found = types.Find(type_id);
  return found == nullptr ? nullptr : &found->data;
}

const SynclineTypeData* PacketTypeStringToSynclineTypeData::GetValue(
    absl::string_view type_string) {
  TypeMap& types = Types();
  MutexLock lock(&types.mutex);
  auto found = types.by_name.find(type_string);
  if (found == types.by_name.end()) {
    found = types.by_name.find(
        absl::StrReplaceAll(type_string, {{"mediapipe::", "syncline::"}}));
  }
  if (found == types.by_name.end()) return nullptr;
  return &types.Find(found->second)->data;
}

std::string RegisteredNameOfType(TypeId type_id) {
  TypeMap& types = Types();
  MutexLock lock(&types.mutex);
  const Registration* const found = types.Find(type_id);
  return found == nullptr ? "" : found->data.type_string;
}

const std::string* SynclineTypeStringFromTypeId(TypeId type_id) {
  const SynclineTypeData* const data =
      PacketTypeIdToSynclineTypeData::GetValue(type_id);
  return data == nullptr ? nullptr : &data->type_string;
}

std::string SynclineTypeStringOrDemangled(TypeId type_id) {
  std::string name = RegisteredNameOfType(type_id);
  return name.empty() ? type_id.name() : name;
}

}  // namespace syncline
