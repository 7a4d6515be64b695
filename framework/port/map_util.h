// Short ways to ask a map, for maps of the standard library, of Abseil and of
// Protocol Buffers.
//
// Thread rule: free functions on the caller's map.
// Tested by map_util_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_MAP_UTIL_H_
#define SYNCLINE_FRAMEWORK_PORT_MAP_UTIL_H_

#include "glog/logging.h"

namespace syncline {

// The value of the key. The process ends when there is none: for keys that are
// known to be there.
template <typename Map, typename Key>
const typename Map::mapped_type& FindOrDie(const Map& map, const Key& key) {
  const auto found = map.find(key);
  CHECK(found != map.end()) << "The map has no such key.";
  return found->second;
}
template <typename Map, typename Key>
typename Map::mapped_type& FindOrDie(Map& map, const Key& key) {
  const auto found = map.find(key);
  CHECK(found != map.end()) << "The map has no such key.";
  return found->second;
}

// The value of the key, or `value`; a reference, so `value` must live on.
template <typename Map, typename Key>
const typename Map::mapped_type& FindWithDefault(
    const Map& map, const Key& key, const typename Map::mapped_type& value) {
  const auto found = map.find(key);
  return found == map.end() ? value : found->second;
}

// A pointer to the value of the key, or null.
template <typename Map, typename Key>
const typename Map::mapped_type* FindOrNull(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}
template <typename Map, typename Key>
typename Map::mapped_type* FindOrNull(Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

// The value of the key, which is a pointer or a smart pointer, or null.
template <typename Map, typename Key>
typename Map::mapped_type FindPtrOrNull(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? typename Map::mapped_type() : found->second;
}

// Copies the value of the key; false when there is none.
template <typename Map, typename Key, typename Value>
bool FindCopy(const Map& map, const Key& key, Value* value) {
  const auto found = map.find(key);
  if (found == map.end()) return false;
  *value = found->second;
  return true;
}

// For maps and sets.
template <typename Collection, typename Key>
bool ContainsKey(const Collection& collection, const Key& key) {
  return collection.find(key) != collection.end();
}

// True when the key was not there before.
template <typename Map>
bool InsertIfNotPresent(Map* map, const typename Map::key_type& key,
                        const typename Map::mapped_type& value) {
  return map->insert({key, value}).second;
}

// Sets the value either way. True when the key was not there before.
template <typename Map>
bool InsertOrUpdate(Map* map, const typename Map::key_type& key,
                    const typename Map::mapped_type& value) {
  const auto [place, inserted] = map->insert({key, value});
  if (!inserted) place->second = value;
  return inserted;
}

// The process ends when the key is there.
template <typename Map>
void InsertOrDie(Map* map, const typename Map::key_type& key,
                 const typename Map::mapped_type& value) {
  CHECK(InsertIfNotPresent(map, key, value)) << "The map has the key already.";
}

// The value of the key, after adding `value` where there was none.
template <typename Map>
typename Map::mapped_type& LookupOrInsert(
    Map* map, const typename Map::key_type& key,
    const typename Map::mapped_type& value) {
  return map->insert({key, value}).first->second;
}

// Adds each value of `map` as a key of `*reversed`. False when one was there.
template <typename Map, typename Reversed>
bool ReverseMap(const Map& map, Reversed* reversed) {
  bool all_new = true;
  for (const auto& [key, value] : map) {
    all_new &= reversed->insert({value, key}).second;
  }
  return all_new;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_MAP_UTIL_H_
