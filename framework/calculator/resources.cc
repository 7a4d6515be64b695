#include "framework/calculator/resources.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/resource.h"

namespace syncline {
namespace {

class FileResources : public Resources {
 public:
  using Resources::Get;
  using Resources::ResolveId;

  absl::StatusOr<std::unique_ptr<Resource>> Get(
      absl::string_view resource_id, const Options& options) const override {
    if (!options.mmap_mode.has_value()) return MakeFileResource(resource_id);
    const bool lock = *options.mmap_mode == MMapMode::kMMapAndMLock;
    absl::StatusOr<std::unique_ptr<Resource>> mapped =
        MakeMMapResource(resource_id, lock);
    // Files of the kernel have no length until they are read.
    if (*options.mmap_mode == MMapMode::kMMapOrRead &&
        (!mapped.ok() || (*mapped)->length() == 0)) {
      return MakeFileResource(resource_id);
    }
    return mapped;
  }

  absl::StatusOr<std::string> ResolveId(absl::string_view resource_id,
                                        const Options& options) const override {
    return std::string(resource_id);
  }
};

class MappedNames : public Resources {
 public:
  MappedNames(std::shared_ptr<const Resources> resources,
              absl::flat_hash_map<std::string, std::string> mapping)
      : resources_(std::move(resources)), mapping_(std::move(mapping)) {}

  using Resources::Get;
  using Resources::ResolveId;

  absl::StatusOr<std::unique_ptr<Resource>> Get(
      absl::string_view resource_id, const Options& options) const override {
    const absl::string_view real = Real(resource_id);
    absl::StatusOr<std::unique_ptr<Resource>> resource =
        resources_->Get(real, options);
    if (resource.ok() || real == resource_id) return resource;
    return absl::Status(resource.status().code(),
                        absl::StrCat("resource \"", resource_id, "\": ",
                                     std::string(resource.status().message())));
  }

  absl::StatusOr<std::string> ResolveId(absl::string_view resource_id,
                                        const Options& options) const override {
    return resources_->ResolveId(Real(resource_id), options);
  }

 private:
  absl::string_view Real(absl::string_view resource_id) const {
    const auto found = mapping_.find(resource_id);
    return found == mapping_.end() ? resource_id
                                   : absl::string_view(found->second);
  }

  const std::shared_ptr<const Resources> resources_;
  const absl::flat_hash_map<std::string, std::string> mapping_;
};

}  // namespace

absl::StatusOr<std::string> Resources::ResolveId(absl::string_view resource_id,
                                                 const Options& options) const {
  return absl::UnimplementedError(
      absl::StrCat("the Resources of this graph give bytes, not paths, so \"",
                   resource_id, "\" has none; read it with Get() instead"));
}

std::unique_ptr<Resources> CreateDefaultResources() {
  return std::make_unique<FileResources>();
}

std::unique_ptr<Resources> CreateDefaultResourcesWithMapping(
    absl::flat_hash_map<std::string, std::string> mapping) {
  return CreateResourcesWithMapping(CreateDefaultResources(),
                                    std::move(mapping));
}

std::unique_ptr<Resources> CreateResourcesWithMapping(
    std::shared_ptr<const Resources> resources,
    absl::flat_hash_map<std::string, std::string> mapping) {
  return std::make_unique<MappedNames>(std::move(resources),
                                       std::move(mapping));
}

}  // namespace syncline
