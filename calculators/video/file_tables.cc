#include "calculators/video/file_tables.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ios>
#include <system_error>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace syncline {

absl::StatusOr<std::string> ReadBytes(const std::string& path,
                                      std::uint64_t position,
                                      std::uint64_t count) {
  // Reads only as far as the file goes: a damaged table may claim more bytes
  // than the file or even the memory has.
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error || position >= size) count = 0;
  if (count > 0) count = std::min(count, size - position);
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(position));
  std::string bytes(static_cast<std::size_t>(count), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  if (!file.is_open() || file.bad()) {
    return absl::UnavailableError(
        absl::StrCat("cannot read \"", absl::Utf8SafeCHexEscape(path), "\""));
  }
  return bytes;
}

absl::Status WriteBytes(const std::string& path, std::uint64_t position,
                        absl::string_view bytes, bool is_end) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(position));
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (is_end) {
    std::filesystem::resize_file(path, position + bytes.size(), error);
  }
  if (file && !error) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("cannot write the times of \"",
                                          absl::Utf8SafeCHexEscape(path),
                                          "\". Is the disk full?"));
}

std::uint32_t LowFirst(absl::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) {
    value =
        value << 8 |
        (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0);
  }
  return value;
}
std::string LowFirst(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

std::uint32_t HighFirst(absl::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value =
        value << 8 |
        (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0);
  }
  return value;
}
std::string HighFirst(std::uint32_t value) {
  const std::string low = LowFirst(value);
  return {low.rbegin(), low.rend()};
}

}  // namespace syncline
