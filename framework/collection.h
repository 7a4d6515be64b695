// Collection: one value for each port of a node, found by tag and index.
//
// Ported code knows it as internal::Collection. Defined in
// calculator/collection.h.
//
// Tested by ported_names_test.
#ifndef SYNCLINE_FRAMEWORK_COLLECTION_H_
#define SYNCLINE_FRAMEWORK_COLLECTION_H_

#include "framework/calculator/collection.h"
#include "framework/calculator/collection_item_id.h"

namespace syncline {
namespace internal {

using syncline::CollectionStorage;
template <typename T>
using CollectionErrorHandlerFatal = MissingPortIsMisuse<T>;

template <typename T,
          CollectionStorage storage = CollectionStorage::kStoreValue,
          typename OnMissing = CollectionErrorHandlerFatal<T>>
using Collection = syncline::Collection<T, storage, OnMissing>;

}  // namespace internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_COLLECTION_H_
