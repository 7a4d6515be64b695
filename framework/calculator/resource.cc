#include "framework/calculator/resource.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"

namespace syncline {
namespace {

class StringResource : public Resource {
 public:
  explicit StringResource(std::string text)
      : Resource(nullptr, 0), text_(std::move(text)) {
    data_ = text_.data();
    length_ = text_.size();
  }
  std::string ReleaseOrCopyAsString() && override {
    data_ = nullptr;
    length_ = 0;
    return std::move(text_);
  }

 private:
  std::string text_;
};

class BorrowedResource : public Resource {
 public:
  BorrowedResource(const void* data, size_t length, absl::optional<int> fd)
      : Resource(data, length), fd_(fd) {}
  absl::optional<int> TryGetFd() const override { return fd_; }

 private:
  const absl::optional<int> fd_;
};

// Closes a file descriptor unless it was taken.
class OpenFile {
 public:
  explicit OpenFile(int fd) : fd_(fd) {}
  OpenFile(OpenFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

class MappedResource : public Resource {
 public:
  MappedResource(void* data, size_t length, bool locked, OpenFile file)
      : Resource(data, length), locked_(locked), file_(std::move(file)) {}
  ~MappedResource() override {
    if (length_ == 0) return;
    void* const data = const_cast<void*>(data_);
    if (locked_) munlock(data, length_);
    munmap(data, length_);
  }
  absl::optional<int> TryGetFd() const override { return file_.get(); }

 private:
  const bool locked_;
  const OpenFile file_;
};

absl::Status SystemError(absl::string_view action, absl::string_view path) {
  const int error = errno;
  return absl::ErrnoToStatus(
      error, absl::StrCat("cannot ", action, " the file \"",
                          absl::Utf8SafeCHexEscape(path), "\""));
}

// Opens `path` to `action` it. Only regular files: reading a pipe may take for
// ever, and a device may give bytes for ever.
absl::StatusOr<OpenFile> OpenRegularFile(absl::string_view action,
                                         absl::string_view path,
                                         size_t* length) {
  // A pipe that nobody writes to would block an ordinary open for ever.
  OpenFile file(
      open(std::string(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return SystemError("open", path);
  struct stat status;
  if (fstat(file.get(), &status) != 0) return SystemError("examine", path);
  if (!S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot ", action, " \"", absl::Utf8SafeCHexEscape(path),
                     "\": it is not a regular file"));
  }
  *length = static_cast<size_t>(status.st_size);
  return file;
}

}  // namespace

std::unique_ptr<Resource> MakeStringResource(std::string text) {
  return std::make_unique<StringResource>(std::move(text));
}

std::unique_ptr<Resource> MakeNoCleanupResource(const void* data, size_t length,
                                                absl::optional<int> fd) {
  return std::make_unique<BorrowedResource>(data, length, fd);
}

absl::StatusOr<std::unique_ptr<Resource>> MakeFileResource(
    absl::string_view path) {
  size_t length = 0;
  SYNCLINE_ASSIGN_OR_RETURN(const OpenFile file,
                            OpenRegularFile("read", path, &length));
  // Files of the kernel have no length until they are read.
  std::string text;
  char block[64 * 1024];
  ssize_t count;
  while ((count = read(file.get(), block, sizeof(block))) > 0) {
    text.append(block, static_cast<size_t>(count));
  }
  if (count < 0) return SystemError("read", path);
  return MakeStringResource(std::move(text));
}

absl::StatusOr<std::unique_ptr<Resource>> MakeMMapResource(
    absl::string_view path, bool mlock) {
  size_t length = 0;
  SYNCLINE_ASSIGN_OR_RETURN(OpenFile file,
                            OpenRegularFile("map", path, &length));
  void* data = nullptr;
  if (length > 0) {  // The system refuses to map nothing.
    data = mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data == MAP_FAILED) return SystemError("map", path);
    if (mlock && ::mlock(data, length) != 0) {
      const absl::Status error = SystemError("lock in memory", path);
      munmap(data, length);
      return absl::ResourceExhaustedError(
          absl::StrCat(std::string(error.message()),
                       "; the process may not lock that much (see ulimit -l)"));
    }
  }
  return std::make_unique<MappedResource>(data, length, mlock && length > 0,
                                          std::move(file));
}

}  // namespace syncline
