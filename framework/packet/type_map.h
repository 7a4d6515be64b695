// Names of packet types: what error texts call a type, and what other languages
// and files know it by.
//
//   SYNCLINE_REGISTER_TYPE(::my_project::Pose, "::my_project::Pose", nullptr,
//                          nullptr);
//
// in a .cc file, in any namespace. A type with no name is called what C++ calls
// it. basic_types.cc names the common ones. The two functions, which may be
// null, turn a packet into bytes and back.
//
// One type has one name, and one name means one type: a registration that
// contradicts an earlier one is a misuse, whose text names both places. The
// same registration may be made twice.
//
// Thread rule: every function may run on any thread. What GetValue points to
// lives as long as the library that registered it.
// Tested by type_map_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_TYPE_MAP_H_
#define SYNCLINE_FRAMEWORK_PACKET_TYPE_MAP_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/name_registry.h"
#include "framework/base/source_location.h"
#include "framework/base/type_id.h"
#include "framework/base/typed_registry.h"

namespace syncline {

class Packet;

struct SynclineTypeData {
  TypeId type_id;
  std::string type_string;
  std::function<absl::Status(const Packet& packet, std::string* bytes)>
      serialize_fn;
  std::function<absl::Status(const std::string& bytes, Packet* packet)>
      deserialize_fn;
};

// ALREADY_EXISTS when the type has another name or the name another type.
absl::StatusOr<RegistrationToken> RegisterPacketType(SynclineTypeData data,
                                                     source_location location);

// Finds a registration by type or by name; null when there is none. In a name,
// "mediapipe::" also means "syncline::".
struct PacketTypeIdToSynclineTypeData {
  static const SynclineTypeData* GetValue(TypeId type_id);
};
struct PacketTypeStringToSynclineTypeData {
  static const SynclineTypeData* GetValue(absl::string_view type_string);
};

// The registered name, or "".
std::string RegisteredNameOfType(TypeId type_id);
// The same as a pointer, null where there is none, as MediaPipe's programs have
// it. It lives as long as the library that registered the name.
const std::string* SynclineTypeStringFromTypeId(TypeId type_id);
// The registered name, or the C++ name.
std::string SynclineTypeStringOrDemangled(TypeId type_id);

template <typename T>
const std::string* SynclineTypeString() {
  return SynclineTypeStringFromTypeId(TypeIdOf<T>());
}
template <typename T>
std::string SynclineTypeStringOrDemangled() {
  return SynclineTypeStringOrDemangled(TypeIdOf<T>());
}

}  // namespace syncline

#if SYNCLINE_DISABLE_STATIC_REGISTRATION
#define SYNCLINE_TYPE_REGISTRATION_(...) ::syncline::RegistrationToken()
#else
#define SYNCLINE_TYPE_REGISTRATION_(type, type_name, serialize_fn,             \
                                    deserialize_fn)                            \
  ::syncline::TokenOrReport(::syncline::RegisterPacketType(                    \
      {::syncline::TypeIdOf<type>(), type_name, serialize_fn, deserialize_fn}, \
      SYNCLINE_LOC))
#endif

// Two of them must not stand on one line.
#define SYNCLINE_REGISTER_TYPE(type, type_name, serialize_fn, deserialize_fn)  \
  [[maybe_unused]] static const ::syncline::Unregister REGISTRY_STATIC_VAR(    \
      syncline_type_registration, __COUNTER__) {                               \
    SYNCLINE_TYPE_REGISTRATION_(type, type_name, serialize_fn, deserialize_fn) \
  }

// The same for a type whose name has a comma in it: `type` is an alias of it.
#define SYNCLINE_REGISTER_TYPE_WITH_PROXY(type, type_name, serialize_fn, \
                                          deserialize_fn)                \
  SYNCLINE_REGISTER_TYPE(type, type_name, serialize_fn, deserialize_fn)

#endif  // SYNCLINE_FRAMEWORK_PACKET_TYPE_MAP_H_
