#include "calculators/video/container_size.h"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <ios>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace syncline {
namespace {

// The largest number of chunks or boxes that are read: a file of very many
// small ones is not read to its end.
constexpr int kMaxParts = 100000;

constexpr char kEbml[] = "\x1A\x45\xDF\xA3";
constexpr char kSegment[] = "\x18\x53\x80\x67";

// Up to `count` bytes at `position`.
std::string ReadAt(std::ifstream& file, std::uint64_t position,
                   std::size_t count) {
  std::string bytes(count, '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(position));
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

std::uint64_t BigEndian(absl::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}
std::uint64_t LittleEndian(absl::string_view bytes) {
  return BigEndian(std::string(bytes.rbegin(), bytes.rend()));
}

// AVI: chunks "RIFF" with their sizes, one after the other.
absl::optional<std::uint64_t> SizeOfRiff(std::ifstream& file) {
  std::uint64_t end = 0;
  for (int i = 0; i < kMaxParts; ++i) {
    const std::string head = ReadAt(file, end, 8);
    if (head.size() < 8 || !absl::StartsWith(head, "RIFF")) return end;
    const std::uint64_t size = LittleEndian(head.substr(4));
    // the size was never written
    if (size == 0 || size == 0xFFFFFFFF) return absl::nullopt;
    end += 8 + size + size % 2;
  }
  return absl::nullopt;
}

// MP4: boxes begin with a size of 4 bytes. 1 means that a size of 8 bytes
// follows the name; 0 means that the box goes up to the end of the file.
absl::optional<std::uint64_t> SizeOfBoxes(std::ifstream& file) {
  std::uint64_t end = 0;
  for (int i = 0; i < kMaxParts; ++i) {
    const std::string head = ReadAt(file, end, 16);
    if (head.size() < 8) return head.empty() ? end : end + 8;
    std::uint64_t size = BigEndian(head.substr(0, 4));
    if (size == 1 && head.size() == 16) size = BigEndian(head.substr(8));
    if (size < 8 || size > std::uint64_t{1} << 60) return absl::nullopt;
    end += size;
  }
  return absl::nullopt;
}

// Matroska: the number of a length at `position`. The zero bits at the
// beginning of its first byte say how many bytes follow. Moves `position` past
// it. If all bits are 1, the length is not known.
absl::optional<std::uint64_t> EbmlLength(std::ifstream& file,
                                         std::uint64_t& position) {
  const std::string bytes = ReadAt(file, position, 8);
  if (bytes.empty() || bytes[0] == '\0') return absl::nullopt;
  const auto first = static_cast<unsigned char>(bytes[0]);
  std::size_t length = 1;
  while ((first << (length - 1) & 0x80) == 0) ++length;
  if (bytes.size() < length) return absl::nullopt;
  const std::uint64_t mask = (std::uint64_t{1} << (7 * length)) - 1;
  const std::uint64_t value = BigEndian(bytes.substr(0, length)) & mask;
  position += length;
  if (value == mask || value > std::uint64_t{1} << 60) return absl::nullopt;
  return value;
}

absl::optional<std::uint64_t> SizeOfMatroska(std::ifstream& file) {
  std::uint64_t position = 4;
  const absl::optional<std::uint64_t> head = EbmlLength(file, position);
  if (!head.has_value()) return absl::nullopt;
  position += *head;
  if (ReadAt(file, position, 4) != kSegment) return absl::nullopt;
  position += 4;
  const absl::optional<std::uint64_t> segment = EbmlLength(file, position);
  if (!segment.has_value()) return absl::nullopt;
  return position + *segment;
}

}  // namespace

absl::optional<std::uint64_t> ClaimedSize(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string head = ReadAt(file, 0, 8);
  if (absl::StartsWith(head, "RIFF")) return SizeOfRiff(file);
  if (absl::StartsWith(head, kEbml)) return SizeOfMatroska(file);
  if (absl::EndsWith(head, "ftyp")) return SizeOfBoxes(file);
  return absl::nullopt;
}

}  // namespace syncline
