#include "framework/formats/matrix.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

MatrixData Data(const std::string& text) {
  MatrixData data;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &data));
  return data;
}

absl::Status StatusOfReading(const std::string& text) {
  return CallUserCode([&] {
    Matrix matrix;
    MatrixFromMatrixDataProto(Data(text), &matrix);
    return absl::OkStatus();
  });
}

TEST(MatrixTest, IsStoredColumnByColumn) {
  Matrix matrix(2, 3);
  matrix << 1, 2, 3, 4, 5, 6;
  MatrixData data = Data("rows: 9 packed_data: 9 layout: ROW_MAJOR");
  MatrixDataProtoFromMatrix(matrix, &data);
  EXPECT_EQ(data.rows(), 2);
  EXPECT_EQ(data.cols(), 3);
  EXPECT_THAT(data.packed_data(), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_EQ(data.layout(), MatrixData::COLUMN_MAJOR);
  Matrix again;
  MatrixFromMatrixDataProto(data, &again);
  EXPECT_EQ(again, matrix);
}

TEST(MatrixTest, IsReadRowByRowToo) {
  Matrix matrix;
  MatrixFromMatrixDataProto(
      Data("rows: 2 cols: 3 layout: ROW_MAJOR packed_data: [1, 2, 3, 4, 5, 6]"),
      &matrix);
  Matrix expected(2, 3);
  expected << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(matrix, expected);
}

TEST(MatrixTest, BecomesTextAndBack) {
  Matrix matrix(1, 2);
  matrix << 0.1f, -3e20f;
  Matrix again;
  MatrixFromTextProto(MatrixAsTextProto(matrix), &again);
  EXPECT_EQ(again, matrix);
}

TEST(MatrixTest, MayHaveNoValues) {
  Matrix matrix(3, 3);
  MatrixFromMatrixDataProto(MatrixData(), &matrix);
  EXPECT_EQ(matrix.size(), 0);
  MatrixFromMatrixDataProto(Data("rows: 5"), &matrix);
  EXPECT_EQ(matrix.rows(), 5);
  EXPECT_EQ(matrix.cols(), 0);
  EXPECT_EQ(MatrixAsTextProto(Matrix()), "rows: 0\ncols: 0\n");
}

TEST(MatrixTest, ValuesThatDoNotFitAreAMisuse) {
  EXPECT_THAT(StatusOfReading("rows: 2 cols: 2 packed_data: [1, 2, 3]"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("2 rows and 2 columns has 3 values")));
  EXPECT_THAT(StatusOfReading("packed_data: 1"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(StatusOfReading("rows: -1 cols: -1 packed_data: 1"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  // In 32 bits, 65536 * 65536 would overflow to 0.
  EXPECT_THAT(StatusOfReading("rows: 65536 cols: 65536"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(MatrixTest, TextThatIsNoMatrixIsAMisuse) {
  Matrix matrix = Matrix::Zero(1, 1);
  EXPECT_THAT(
      CallUserCode([&] {
        MatrixFromTextProto("rows: one", &matrix);
        return absl::OkStatus();
      }),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"rows: one\"")));
  EXPECT_EQ(matrix.size(), 1);
}

TEST(MatrixTest, PacketsOfMatricesHaveANameAndASize) {
  EXPECT_EQ(MakePacket<Matrix>(2, 2).RegisteredTypeName(),
            "::syncline::Matrix");
  EXPECT_EQ(MakePacket<std::vector<Matrix>>().RegisteredTypeName(),
            "::std::vector<::syncline::Matrix>");
  EXPECT_GE(PayloadSize<Matrix>::Bytes(Matrix::Zero(10, 10)), 400u);
}

}  // namespace
}  // namespace syncline
