// Every kind of resource gives its bytes and lets go of what it holds.
#include "framework/calculator/resource.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

std::string WriteFile(const std::string& name, const std::string& bytes) {
  std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(ResourceTest, AStringResourceOwnsItsBytes) {
  std::unique_ptr<Resource> resource = MakeStringResource("bytes");
  EXPECT_EQ(resource->ToStringView(), "bytes");
  EXPECT_EQ(resource->length(), 5);
  EXPECT_FALSE(resource->TryGetFd().has_value());
}

TEST(ResourceTest, AStringIsReleasedWithoutACopy) {
  std::string text(1000, 'x');
  const char* const bytes = text.data();
  std::unique_ptr<Resource> resource = MakeStringResource(std::move(text));
  const std::string released = std::move(*resource).ReleaseOrCopyAsString();
  EXPECT_EQ(released.data(), bytes);
  EXPECT_EQ(resource->length(), 0);
}

TEST(ResourceTest, AResourceWithoutCleanupRefersToMemoryOfOthers) {
  static const char kBytes[] = "static";
  std::unique_ptr<Resource> resource = MakeNoCleanupResource(kBytes, 6, 7);
  EXPECT_EQ(resource->data(), kBytes);
  EXPECT_EQ(resource->TryGetFd().value(), 7);
  EXPECT_EQ(std::move(*resource).ReleaseOrCopyAsString(), "static");
}

TEST(ResourceTest, AMappedFileGivesItsBytesAndItsDescriptor) {
  const std::string path = WriteFile("mapped", std::string("a\0b", 3));
  absl::StatusOr<std::unique_ptr<Resource>> resource =
      MakeMMapResource(path, /*mlock=*/false);
  ASSERT_TRUE(resource.ok()) << resource.status();
  EXPECT_EQ((*resource)->ToStringView(), absl::string_view("a\0b", 3));
  char first = 0;
  ASSERT_EQ(pread((*resource)->TryGetFd().value(), &first, 1, 0), 1);
  EXPECT_EQ(first, 'a');
}

TEST(ResourceTest, TheDescriptorIsClosedWithTheResource) {
  const std::string path = WriteFile("closed", "x");
  absl::StatusOr<std::unique_ptr<Resource>> resource =
      MakeMMapResource(path, /*mlock=*/false);
  ASSERT_TRUE(resource.ok());
  const int fd = (*resource)->TryGetFd().value();
  resource->reset();
  EXPECT_EQ(fcntl(fd, F_GETFD), -1);
}

TEST(ResourceTest, AnEmptyFileCanBeMapped) {
  const std::string path = WriteFile("empty", "");
  absl::StatusOr<std::unique_ptr<Resource>> resource =
      MakeMMapResource(path, /*mlock=*/true);
  ASSERT_TRUE(resource.ok()) << resource.status();
  EXPECT_EQ((*resource)->length(), 0);
}

TEST(ResourceTest, AMissingFileIsNotFoundByName) {
  const absl::Status status =
      MakeMMapResource("/no/such/file", /*mlock=*/false).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"/no/such/file\""));
}

TEST(ResourceTest, AFolderCannotBeMapped) {
  const absl::Status status =
      MakeMMapResource(testing::TempDir(), /*mlock=*/false).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace syncline
