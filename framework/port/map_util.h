// Short functions to look up and change entries of a map, for maps of the
// standard library, of Abseil and of Protocol Buffers.
//
// Thread rule: free functions on the caller's map.
// Tested by map_util_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_MAP_UTIL_H_
#define SYNCLINE_FRAMEWORK_PORT_MAP_UTIL_H_

#include "glog/logging.h"

namespace syncline {

// The value of the key. If there is none, the process ends: use it for keys
// that are known to be there.
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

// The value of the key, or `value`. Returns a reference, so `value` must
// outlive the result.
template <typename Map, typename Key>
const typename Map::mapped_type& FindWithDefault(
    const Map& map, const Key& key, const typename Map::mapped_type& value) {
  const auto found = map.find(key);
  return found == map.end() ? value : found->second;
}

// A pointer to the value of the key, or null if there is none.
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

// For a map of pointers or smart pointers: the value of the key as a pointer,
// or null if there is none.
template <typename Map, typename Key>
typename Map::mapped_type FindPtrOrNull(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? typename Map::mapped_type() : found->second;
}

// Copies the value of the key. False if there is none.
template <typename Map, typename Key, typename Value>
bool FindCopy(const Map& map, const Key& key, Value* value) {
  const auto found = map.find(key);
  if (found == map.end()) return false;
  *value = found->second;
  return true;
}

// Whether the key is there; for maps and sets.
template <typename Collection, typename Key>
bool ContainsKey(const Collection& collection, const Key& key) {
  return collection.find(key) != collection.end();
}

// Inserts the value unless the key is there. True if it was inserted.
template <typename Map>
bool InsertIfNotPresent(Map* map, const typename Map::key_type& key,
                        const typename Map::mapped_type& value) {
  return map->insert({key, value}).second;
}

// Inserts the value, or replaces the old one. True if it was inserted.
template <typename Map>
bool InsertOrUpdate(Map* map, const typename Map::key_type& key,
                    const typename Map::mapped_type& value) {
  const auto [place, inserted] = map->insert({key, value});
  if (!inserted) place->second = value;
  return inserted;
}

// Inserts the value. If the key is there, the process ends.
template <typename Map>
void InsertOrDie(Map* map, const typename Map::key_type& key,
                 const typename Map::mapped_type& value) {
  CHECK(InsertIfNotPresent(map, key, value)) << "The map has the key already.";
}

// The value of the key, after inserting `value` if there was none.
template <typename Map>
typename Map::mapped_type& LookupOrInsert(
    Map* map, const typename Map::key_type& key,
    const typename Map::mapped_type& value) {
  return map->insert({key, value}).first->second;
}

// Adds each value of `map` as a key of `*reversed`. False if a key was there
// already.
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
