// The formats that are little more than their fields: AffineTransform,
// UniqueFd, DeletingFile, YUVImage.

#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "framework/formats/affine_transform.h"
#include "framework/formats/deleting_file.h"
#include "framework/formats/unique_fd.h"
#include "framework/formats/yuv_image.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

bool IsOpen(int fd) { return fcntl(fd, F_GETFD) != -1; }

// --- AffineTransform

TEST(AffineTransformTest, ChangesNothingAtFirst) {
  EXPECT_EQ(AffineTransform().Transform(Point2_f(3, 4)), Point2_f(3, 4));
  EXPECT_EQ(AffineTransform(AffineTransformData()).Transform(Point2_f(3, 4)),
            Point2_f(3, 4));
}

TEST(AffineTransformTest, ScalesShearsTurnsAndMovesInThisOrder) {
  const float quarter = std::acos(0.0f);
  const AffineTransform transform = AffineTransform::Create(
      Point2_f(100, 200), Point2_f(2, 3), quarter, Point2_f(1, 0));
  // (1, 1) is scaled to (2, 3), sheared to (5, 3), turned to (-3, 5).
  const Point2_f moved = transform.Transform(Point2_f(1, 1));
  EXPECT_NEAR(moved.x(), 97, 1e-4);
  EXPECT_NEAR(moved.y(), 205, 1e-4);
}

TEST(AffineTransformTest, PartsAreSetAndAddedTo) {
  AffineTransform transform;
  transform.SetTranslation(Point2_f(1, 2));
  transform.AddTranslation(Point2_f(1, 1));
  transform.SetScale(Point2_f(2, 2));
  transform.AddScale(Point2_f(1, 0));
  transform.SetRotation(0.5f);
  transform.AddRotation(0.25f);
  transform.SetShear(Point2_f(0.5f, 0));
  transform.AddShear(Point2_f(0, 0.5f));
  const AffineTransform expected = AffineTransform::Create(
      Point2_f(2, 3), Point2_f(3, 2), 0.75f, Point2_f(0.5f, 0.5f));
  EXPECT_TRUE(AffineTransform::Equal(transform, expected));
  transform.AddRotation(0.1f);
  EXPECT_FALSE(AffineTransform::Equal(transform, expected));
  EXPECT_TRUE(AffineTransform::Equal(transform, expected, 0.2f));
}

TEST(AffineTransformTest, BecomesAMessageAndBack) {
  const AffineTransform transform = AffineTransform::Create(
      Point2_f(1, 2), Point2_f(3, 4), 0.5f, Point2_f(5, 6));
  EXPECT_TRUE(AffineTransform::Equal(
      transform, AffineTransform(transform.ConvertToProto())));
}

// --- UniqueFd

TEST(UniqueFdTest, ClosesWithItsOwner) {
  int fd = -1;
  {
    UniqueFd owner(open("/dev/null", O_RDONLY));
    ASSERT_TRUE(owner.IsValid());
    fd = owner.Get();
    UniqueFd moved = std::move(owner);
    EXPECT_FALSE(owner.IsValid());  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(moved.Get(), fd);
    moved = std::move(*&moved);
    EXPECT_TRUE(IsOpen(fd));
  }
  EXPECT_FALSE(IsOpen(fd));
}

TEST(UniqueFdTest, WhatIsGivenAwayStaysOpen) {
  UniqueFd owner(open("/dev/null", O_RDONLY));
  const int fd = owner.Release();
  EXPECT_FALSE(owner.IsValid());
  EXPECT_TRUE(IsOpen(fd));
  owner.Reset(fd);
  owner.Reset();
  EXPECT_FALSE(IsOpen(fd));
}

TEST(UniqueFdTest, DuplicatesAnOpenFile) {
  UniqueFd owner(open("/dev/null", O_RDONLY));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(UniqueFd copy, owner.Dup());
  EXPECT_NE(copy.Get(), owner.Get());
  owner.Reset();
  EXPECT_TRUE(IsOpen(copy.Get()));
  EXPECT_THAT(owner.Dup(), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_FALSE(UniqueFd(-7).IsValid());
}

// --- DeletingFile

TEST(DeletingFileTest, DeletesTheFileIfItIsToldTo) {
  const std::string path =
      std::string(std::getenv("TEST_TMPDIR")) + "/deleting_file";
  std::ofstream(path) << "text";
  { const DeletingFile kept(path, false); }
  EXPECT_TRUE(std::ifstream(path).good());
  {
    const DeletingFile file(path, true);
    EXPECT_EQ(file.Path(), path);
  }
  EXPECT_FALSE(std::ifstream(path).good());
  // Only logged.
  { const DeletingFile missing(path, true); }
}

// --- YUVImage

TEST(YuvImageTest, HasPlanesInMemoryThatItOwns) {
  auto memory = std::make_unique<std::uint8_t[]>(6);
  std::uint8_t* begin = memory.get();
  YUVImage image(libyuv::FOURCC_I420, std::move(memory), begin, 2, begin + 4, 1,
                 begin + 5, 1, 2, 2);
  EXPECT_EQ(image.fourcc(), libyuv::FOURCC_I420);
  EXPECT_EQ(image.width() + image.height(), 4);
  EXPECT_EQ(image.bit_depth(), 8);
  EXPECT_EQ(image.data(1), begin + 4);
  EXPECT_EQ(image.mutable_data(0), begin);
  EXPECT_EQ(image.stride(0), 2);
  EXPECT_EQ(image.data(3), nullptr);
  EXPECT_EQ(image.stride(-1), 0);
  image.set_full_range(true);
  image.set_matrix_coefficients(YUVImage::COLOR_MATRIX_COEFFICIENTS_BT709);
  EXPECT_TRUE(image.full_range());
  image.Clear();
  EXPECT_EQ(image.data(0), nullptr);
  EXPECT_EQ(image.fourcc(), libyuv::FOURCC_ANY);
  EXPECT_FALSE(image.full_range());
}

TEST(YuvImageTest, LetsGoOfTheMemoryOfOthersOnce) {
  int calls = 0;
  std::uint8_t pixel = 0;
  {
    YUVImage image(
        libyuv::FOURCC_I400, [&calls] { ++calls; }, &pixel, 1, nullptr, 0,
        nullptr, 0, 1, 1);
    image.Initialize(
        libyuv::FOURCC_I400, [&calls] { calls += 10; }, &pixel, 1, nullptr, 0,
        nullptr, 0, 1, 1);
    EXPECT_EQ(calls, 1);
  }
  EXPECT_EQ(calls, 11);
}

}  // namespace
}  // namespace syncline
