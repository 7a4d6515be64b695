#include "framework/calculator/resources.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
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

absl::Status SystemError(absl::string_view action, absl::string_view path) {
  return absl::ErrnoToStatus(
      errno, absl::StrCat("cannot ", action, " the file \"", path, "\""));
}

// Only regular files: reading a pipe may take for ever, and a device may give
// bytes for ever.
absl::StatusOr<std::unique_ptr<Resource>> ReadFile(absl::string_view path) {
  const int fd =
      open(std::string(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return SystemError("open", path);
  const std::unique_ptr<FILE, int (*)(FILE*)> file(fdopen(fd, "rb"), &fclose);
  if (file == nullptr) {
    close(fd);
    return SystemError("read", path);
  }
  struct stat facts;
  if (fstat(fd, &facts) != 0) return SystemError("examine", path);
  if (!S_ISREG(facts.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot read \"", path, "\": it is not a regular file"));
  }
  std::string text;
  char block[64 * 1024];
  size_t count;
  while ((count = fread(block, 1, sizeof(block), file.get())) > 0) {
    text.append(block, count);
  }
  if (ferror(file.get())) return SystemError("read", path);
  return MakeStringResource(std::move(text));
}

class FileResources : public Resources {
 public:
  using Resources::Get;
  using Resources::ResolveId;

  absl::StatusOr<std::unique_ptr<Resource>> Get(
      absl::string_view resource_id, const Options& options) const override {
    if (!options.mmap_mode.has_value()) return ReadFile(resource_id);
    const bool lock = *options.mmap_mode == MMapMode::kMMapAndMLock;
    absl::StatusOr<std::unique_ptr<Resource>> mapped =
        MakeMMapResource(resource_id, lock);
    // Files of the kernel have no length until they are read.
    if (*options.mmap_mode == MMapMode::kMMapOrRead &&
        (!mapped.ok() || (*mapped)->length() == 0)) {
      return ReadFile(resource_id);
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
