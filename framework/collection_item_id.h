// CollectionItemId: the place of a port among those of its kind.
#ifndef SYNCLINE_FRAMEWORK_COLLECTION_ITEM_ID_H_
#define SYNCLINE_FRAMEWORK_COLLECTION_ITEM_ID_H_

#include "framework/calculator/collection_item_id.h"

#endif  // SYNCLINE_FRAMEWORK_COLLECTION_ITEM_ID_H_
