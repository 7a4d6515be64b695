// Names become bytes: from files, through mappings, mapped or read.
#include "framework/calculator/resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string WriteFile(const std::string& name, const std::string& bytes) {
  std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(ResourcesTest, ADefaultNameIsAPath) {
  const std::string path = WriteFile("resource", "content");
  const std::unique_ptr<Resources> resources = CreateDefaultResources();
  absl::StatusOr<std::unique_ptr<Resource>> resource = resources->Get(path);
  ASSERT_TRUE(resource.ok()) << resource.status();
  EXPECT_EQ((*resource)->ToStringView(), "content");
  EXPECT_EQ(resources->ResolveId(path).value(), path);
}

class ModeTest : public testing::TestWithParam<MMapMode> {};

TEST_P(ModeTest, EveryModeGivesTheSameBytes) {
  const std::string path = WriteFile("mode", std::string(100000, 'm'));
  Resources::Options options;
  options.mmap_mode = GetParam();
  absl::StatusOr<std::unique_ptr<Resource>> resource =
      CreateDefaultResources()->Get(path, options);
  if (absl::IsResourceExhausted(resource.status())) {
    GTEST_SKIP() << resource.status();
  }
  ASSERT_TRUE(resource.ok()) << resource.status();
  EXPECT_EQ((*resource)->ToStringView(), std::string(100000, 'm'));
  EXPECT_TRUE((*resource)->TryGetFd().has_value()) << "it was read, not mapped";
}

INSTANTIATE_TEST_SUITE_P(Modes, ModeTest,
                         testing::Values(MMapMode::kMMapOrRead, MMapMode::kMMap,
                                         MMapMode::kMMapAndMLock));

TEST(ResourcesTest, WhatHasNoLengthToMapIsReadIfThatIsAllowed) {
  Resources::Options options;
  options.mmap_mode = MMapMode::kMMapOrRead;
  absl::StatusOr<std::unique_ptr<Resource>> resource =
      CreateDefaultResources()->Get("/proc/self/status", options);
  ASSERT_TRUE(resource.ok()) << resource.status();
  EXPECT_THAT(std::string((*resource)->ToStringView()), HasSubstr("Name:"));
}

// Each of these would block, or never end.
TEST(ResourcesTest, PipesAndDevicesAreRefused) {
  const std::string pipe = testing::TempDir() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/zero")}) {
    for (const absl::optional<MMapMode> mode :
         {absl::optional<MMapMode>(), absl::make_optional(MMapMode::kMMap),
          absl::make_optional(MMapMode::kMMapOrRead)}) {
      Resources::Options options;
      options.mmap_mode = mode;
      const absl::Status status =
          CreateDefaultResources()->Get(path, options).status();
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
      EXPECT_THAT(std::string(status.message()), HasSubstr(path));
    }
  }
}

TEST(ResourcesTest, AMappingRenames) {
  const std::string path = WriteFile("model", "weights");
  const std::unique_ptr<Resources> resources =
      CreateDefaultResourcesWithMapping({{"$MODEL", path}});
  absl::StatusOr<std::unique_ptr<Resource>> resource = resources->Get("$MODEL");
  ASSERT_TRUE(resource.ok()) << resource.status();
  EXPECT_EQ((*resource)->ToStringView(), "weights");
  EXPECT_EQ(resources->ResolveId("$MODEL").value(), path);
  EXPECT_EQ(resources->ResolveId("other").value(), "other");
}

TEST(ResourcesTest, MappingsStackAndEachIsAppliedOnce) {
  const std::string path = WriteFile("stacked", "s");
  std::shared_ptr<const Resources> inner =
      CreateDefaultResourcesWithMapping({{"$B", path}, {"$A", "unused"}});
  const std::unique_ptr<Resources> outer =
      CreateResourcesWithMapping(std::move(inner), {{"$A", "$B"}});
  EXPECT_EQ(outer->ResolveId("$A").value(), path);
}

TEST(ResourcesTest, AnErrorNamesTheResourceAndTheFile) {
  const std::unique_ptr<Resources> resources =
      CreateDefaultResourcesWithMapping({{"$MODEL", "/no/such/file"}});
  const absl::Status status = resources->Get("$MODEL").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("\"$MODEL\""), HasSubstr("\"/no/such/file\"")));
}

class BlobResources : public Resources {
 public:
  using Resources::Get;
  absl::StatusOr<std::unique_ptr<Resource>> Get(
      absl::string_view resource_id, const Options& options) const override {
    return MakeStringResource(std::string(resource_id));
  }
};

TEST(ResourcesTest, ResourcesWithoutPathsSaySo) {
  const absl::Status status = BlobResources().ResolveId("x").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"x\""));
}

}  // namespace
}  // namespace syncline
