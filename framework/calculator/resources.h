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
// Thread rule: implementations are safe from any thread.
// Tested by resources_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_H_

#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/calculator/resource.h"

namespace syncline {

// How a file becomes bytes.
enum class MMapMode {
  // Mapped if possible, read into memory otherwise.
  kMMapOrRead,
  // Mapped, or an error.
  kMMap,
  // Mapped and kept in memory, or an error.
  kMMapAndMLock,
};

class Resources {
 public:
  struct Options {
    // False: the file is text, and how lines end is up to the platform. Here
    // that makes no difference.
    bool read_as_binary = true;
    // Unset: read into memory.
    absl::optional<MMapMode> mmap_mode;
  };

  virtual ~Resources() = default;

  absl::StatusOr<std::unique_ptr<Resource>> Get(
      absl::string_view resource_id) const {
    return Get(resource_id, Options());
  }
  // The bytes behind a name. Errors name the resource, and what it resolved to.
  virtual absl::StatusOr<std::unique_ptr<Resource>> Get(
      absl::string_view resource_id, const Options& options) const = 0;

  absl::StatusOr<std::string> ResolveId(absl::string_view resource_id) const {
    return ResolveId(resource_id, Options());
  }
  // What Get would read, for interfaces that want a path. UNIMPLEMENTED where
  // the bytes have none.
  virtual absl::StatusOr<std::string> ResolveId(absl::string_view resource_id,
                                                const Options& options) const;
};

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
