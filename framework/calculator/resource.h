// Resource: the bytes of a file, or bytes in memory that take its place.
//
// A model of several hundred megabytes should be mapped instead of read into
// memory, and should not be copied if it is in memory already. A Resource hides
// these cases: it owns its bytes, or the mapping, or nothing at all, and gives
// a view that lives as long as it does. A calculator gets resources by name
// from Resources; resources.h has the implementations.
//
// Thread rule: any thread may read, also through Resources. While a thread
// calls ReleaseOrCopyAsString, no other may use the resource. Tested by
// resource_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCE_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace syncline {

class Resource {
 public:
  virtual ~Resource() = default;
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;

  // The first byte; may be null when length() is 0.
  const void* data() const { return data_; }
  // The number of bytes.
  size_t length() const { return length_; }
  absl::string_view ToStringView() const {
    return absl::string_view(static_cast<const char*>(data_), length_);
  }

  // The bytes as a string: moved out where the resource holds one, copied
  // otherwise. The resource is spent afterwards.
  virtual std::string ReleaseOrCopyAsString() && {
    return std::string(ToStringView());
  }

  // An open file descriptor of the bytes, where there is one. It belongs to the
  // resource: do not close it, and do not use it after the resource is gone.
  virtual absl::optional<int> TryGetFd() const { return absl::nullopt; }

 protected:
  Resource(const void* data, size_t length) : data_(data), length_(length) {}

  const void* data_;
  size_t length_;
};

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

// Owns `text`.
std::unique_ptr<Resource> MakeStringResource(std::string text);

// Refers to memory, and perhaps an open file, that outlives the resource.
std::unique_ptr<Resource> MakeNoCleanupResource(
    const void* data, size_t length, absl::optional<int> fd = absl::nullopt);

// Reads a file into memory. Errors as of MakeMMapResource.
absl::StatusOr<std::unique_ptr<Resource>> MakeFileResource(
    absl::string_view path);

// Maps a file, read-only and private. With `mlock` its pages are kept in
// memory. Errors name the file and say what the system answered: NOT_FOUND,
// PERMISSION_DENIED, RESOURCE_EXHAUSTED (locking more than the process may), or
// UNAVAILABLE. If the file is truncated while it is mapped, touching the lost
// pages is a fault.
absl::StatusOr<std::unique_ptr<Resource>> MakeMMapResource(
    absl::string_view path, bool mlock);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCE_H_
