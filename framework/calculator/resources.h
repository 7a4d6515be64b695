// Resources: where calculators get files from.
//
// A calculator asks for "model.tflite" and should not care whether that is a
// file beside the program, an asset of a package, a blob in memory, or whether
// the application calls it by another name. The application may supply its own
// Resources; without, names are paths of the file system.
//
//   SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<Resource> model,
//                             cc->GetResources().Get("model.tflite"));
//
// A mapping renames: with {"$MODEL" -> "/data/face.tflite"} a graph can say
// "$MODEL" and the application decides.
//
// resource.h has the interface, which is what calculators see of them; here is
// what an application makes of it.
//
// Thread rule: implementations are safe from any thread.
// Tested by resources_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_H_

#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "framework/calculator/resource.h"

namespace syncline {

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
