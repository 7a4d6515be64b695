// HashMap and HashSet: hash tables that survive when memory runs out.
//
// Those of Debian's Abseil do not: when their allocator throws, they free
// memory that they never had, and the process ends. HashMap and HashSet are the
// tables of the standard library with Abseil's hash functions; a table of
// strings can be searched by string_view.
//
// Thread rule: as the standard containers.
// Tested by hash_map_test and out_of_memory_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_HASH_MAP_H_
#define SYNCLINE_FRAMEWORK_BASE_HASH_MAP_H_

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"

namespace syncline {
namespace hash_map_internal {

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(absl::string_view text) const {
    return absl::Hash<absl::string_view>()(text);
  }
};

template <typename Key>
inline constexpr bool kIsString = std::is_same_v<Key, std::string>;
template <typename Key>
using HashOf = std::conditional_t<kIsString<Key>, StringHash, absl::Hash<Key>>;
template <typename Key>
using EqualOf =
    std::conditional_t<kIsString<Key>, std::equal_to<>, std::equal_to<Key>>;

}  // namespace hash_map_internal

template <typename Key, typename Value>
using HashMap = std::unordered_map<Key, Value, hash_map_internal::HashOf<Key>,
                                   hash_map_internal::EqualOf<Key>>;

template <typename Key>
using HashSet = std::unordered_set<Key, hash_map_internal::HashOf<Key>,
                                   hash_map_internal::EqualOf<Key>>;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_HASH_MAP_H_
