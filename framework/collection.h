// Collection: one value for each port, by tag and index.
#ifndef SYNCLINE_FRAMEWORK_COLLECTION_H_
#define SYNCLINE_FRAMEWORK_COLLECTION_H_

#include "framework/calculator/collection.h"

#endif  // SYNCLINE_FRAMEWORK_COLLECTION_H_
