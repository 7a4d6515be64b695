// Resources: gives calculators files by name.
//
// A calculator asks for "model.tflite". It does not know whether this is a file
// beside the program, an asset of a package or bytes in memory, and whether the
// application has another name for it. The application may supply its own
// Resources; without them, names are paths of the file system.
//
//   SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<Resource> model,
//                             cc->GetResources().Get("model.tflite"));
//
// A mapping renames: with {"$MODEL" -> "/data/face.tflite"} a graph can say
// "$MODEL" and the application decides.
//
// resource.h has the interface that calculators see; this file has the
// implementations for applications.
//
// Thread rule: implementations are safe from any thread.
// Tested by resources_test and context_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_H_

#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "framework/calculator/resource.h"
#include "framework/calculator/service.h"

namespace syncline {

// The Resources that the application gives to a graph. Calculators do not ask
// for this service; they call cc->GetResources(), which is this one or, where
// the application gave none, the file system.
inline constexpr GraphService<Resources> kResourcesService(
    "kResourcesService", GraphServiceBase::kDisallowDefaultInitialization);

// Names are paths.
std::unique_ptr<Resources> CreateDefaultResources();

// Names that `mapping` holds stand for what it says; others are paths.
std::unique_ptr<Resources> CreateDefaultResourcesWithMapping(
    absl::flat_hash_map<std::string, std::string> mapping);

// Names that `mapping` holds stand for what it says; all are then looked up in
// `resources`. Mappings may be stacked; each is applied once.
std::unique_ptr<Resources> CreateResourcesWithMapping(
    std::shared_ptr<const Resources> resources,
    absl::flat_hash_map<std::string, std::string> mapping);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_H_
