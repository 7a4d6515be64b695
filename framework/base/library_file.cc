#include "framework/base/library_file.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace syncline {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
#else
#error "name this machine's EM_ constant"
#endif

// A file in memory.
class MappedFile {
 public:
  static absl::StatusOr<MappedFile> Open(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return absl::ErrnoToStatus(errno, "cannot open the file");
    struct stat status;
    const int failed = fstat(fd, &status);
    if (failed != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) {
      close(fd);
      return absl::InvalidArgumentError(failed == 0 && S_ISREG(status.st_mode)
                                            ? "the file is empty"
                                            : "it is no ordinary file");
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    const int error = errno;
    close(fd);
    if (data == MAP_FAILED) {
      return absl::ErrnoToStatus(error, "cannot read the file");
    }
    return MappedFile(static_cast<const char*>(data), size);
  }
  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile() {
    if (data_ != nullptr) munmap(const_cast<char*>(data_), size_);
  }

  bool Has(std::uint64_t offset, std::uint64_t size) const {
    return offset <= size_ && size <= size_ - offset;
  }
  // Nothing outside of the file.
  template <typename T>
  absl::optional<T> Read(std::uint64_t offset) const {
    if (!Has(offset, sizeof(T))) return absl::nullopt;
    T value;
    std::memcpy(&value, data_ + offset, sizeof(T));
    return value;
  }
  // Up to the next zero byte, within the table of that offset and size.
  absl::string_view Text(std::uint64_t table, std::uint64_t table_size,
                         std::uint64_t offset) const {
    if (!Has(table, table_size) || offset >= table_size) return "";
    const char* const begin = data_ + table + offset;
    return {begin, strnlen(begin, table_size - offset)};
  }

 private:
  MappedFile(const char* data, std::size_t size) : data_(data), size_(size) {}

  const char* data_;
  std::size_t size_;
};

absl::Status NotALibrary(absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("it ", why));
}

absl::Status CutOff() {
  return NotALibrary("is cut off: the file is shorter than it says");
}

absl::Status CheckHeader(const MappedFile& file) {
  const absl::optional<Elf64_Ehdr> header = file.Read<Elf64_Ehdr>(0);
  if (!header.has_value() ||
      std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
    return NotALibrary("is no shared library");
  }
  if (header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_machine != kMachine) {
    return NotALibrary("is a library for another kind of machine");
  }
  if (header->e_type != ET_DYN) {
    return NotALibrary(
        "is an object file or a program, not a shared library: link it with "
        "-shared");
  }
  if (header->e_phentsize != sizeof(Elf64_Phdr) ||
      header->e_shentsize != sizeof(Elf64_Shdr)) {
    return NotALibrary("is damaged");
  }
  // A part that is not there would be found out by a signal.
  for (int i = 0; i < header->e_phnum; ++i) {
    const auto part = file.Read<Elf64_Phdr>(
        header->e_phoff + static_cast<std::uint64_t>(i) * sizeof(Elf64_Phdr));
    if (!part.has_value() || (part->p_type == PT_LOAD &&
                              !file.Has(part->p_offset, part->p_filesz))) {
      return CutOff();
    }
  }
  // Opening it works without; but what it is could not be seen.
  if (header->e_shnum == 0 ||
      !file.Has(header->e_shoff, static_cast<std::uint64_t>(header->e_shnum) *
                                     sizeof(Elf64_Shdr))) {
    return NotALibrary("has no table of sections: it is cut off or stripped");
  }
  // Some linkers put compressed sections behind that table.
  for (int i = 0; i < header->e_shnum; ++i) {
    const auto section = file.Read<Elf64_Shdr>(
        header->e_shoff + static_cast<std::uint64_t>(i) * sizeof(Elf64_Shdr));
    if (section->sh_type != SHT_NOBITS &&
        !file.Has(section->sh_offset, section->sh_size)) {
      return CutOff();
    }
  }
  return absl::OkStatus();
}

// Sections that other sections refer to by number.
class Sections {
 public:
  explicit Sections(const MappedFile& file)
      : file_(file), header_(*file.Read<Elf64_Ehdr>(0)) {}

  int size() const { return header_.e_shnum; }
  // Without contents when there is no such section.
  Elf64_Shdr Get(std::uint64_t i) const {
    if (i >= header_.e_shnum) return {};
    return file_.Read<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr))
        .value_or(Elf64_Shdr{});
  }

 private:
  const MappedFile& file_;
  const Elf64_Ehdr header_;
};

// Calls `entry` with each T of the section.
template <typename T, typename F>
void ForEach(const MappedFile& file, const Elf64_Shdr& section, F entry) {
  if (!file.Has(section.sh_offset, section.sh_size)) return;
  for (std::uint64_t at = 0; at + sizeof(T) <= section.sh_size;
       at += sizeof(T)) {
    entry(*file.Read<T>(section.sh_offset + at));
  }
}

}  // namespace

absl::StatusOr<LibraryFile> ReadLibraryFile(
    const std::string& path, const std::vector<absl::string_view>& prefixes) {
  const absl::StatusOr<MappedFile> file = MappedFile::Open(path);
  if (!file.ok()) return file.status();
  if (absl::Status status = CheckHeader(*file); !status.ok()) return status;
  LibraryFile library;
  const Sections sections(*file);
  for (int i = 0; i < sections.size(); ++i) {
    const Elf64_Shdr section = sections.Get(i);
    const Elf64_Shdr texts = sections.Get(section.sh_link);
    const auto text = [&](std::uint64_t offset) {
      return file->Text(texts.sh_offset, texts.sh_size, offset);
    };
    if (section.sh_type == SHT_DYNAMIC) {
      ForEach<Elf64_Dyn>(*file, section, [&](const Elf64_Dyn& entry) {
        if (entry.d_tag != DT_NEEDED) return;
        library.needed.emplace_back(text(entry.d_un.d_val));
      });
    } else if (section.sh_type == SHT_DYNSYM) {
      ForEach<Elf64_Sym>(*file, section, [&](const Elf64_Sym& symbol) {
        const absl::string_view name = text(symbol.st_name);
        if (absl::c_none_of(prefixes, [name](absl::string_view prefix) {
              return absl::StartsWith(name, prefix);
            })) {
          return;
        }
        library.symbols.push_back(
            {std::string(name), symbol.st_shndx != SHN_UNDEF});
      });
    }
  }
  return library;
}

std::string LibraryOfAddress(const void* address) {
  Dl_info info;
  if (address == nullptr || dladdr(address, &info) == 0 ||
      info.dli_fname == nullptr) {
    return "";
  }
  return info.dli_fname;
}

std::string TwoPlacesText(const CodePlace& first, const CodePlace& second) {
  const std::string libraries[] = {LibraryOfAddress(first.code),
                                   LibraryOfAddress(second.code)};
  const bool differ = libraries[0] != libraries[1];
  const auto text = [differ](const CodePlace& place,
                             const std::string& library) {
    return absl::StrCat(place.text.empty() ? "an unknown place" : place.text,
                        differ && !library.empty()
                            ? absl::StrCat(" in \"", library, "\"")
                            : "");
  };
  return absl::StrCat(text(first, libraries[0]), " and from ",
                      text(second, libraries[1]));
}

}  // namespace syncline
