#include "framework/formats/matrix.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/formats/matrix_data.pb.h"
#include "framework/packet/type_map.h"
#include "google/protobuf/text_format.h"

namespace syncline {
namespace {

using RowMajorMatrix =
    Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

SYNCLINE_REGISTER_TYPE(Matrix, "::syncline::Matrix", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<Matrix>, "::std::vector<::syncline::Matrix>",
                       nullptr, nullptr);

}  // namespace

void MatrixDataProtoFromMatrix(const Matrix& matrix, MatrixData* matrix_data) {
  matrix_data->Clear();
  matrix_data->set_rows(matrix.rows());
  matrix_data->set_cols(matrix.cols());
  matrix_data->mutable_packed_data()->Add(matrix.data(),
                                          matrix.data() + matrix.size());
}

void MatrixFromMatrixDataProto(const MatrixData& matrix_data, Matrix* matrix) {
  const std::int64_t rows = matrix_data.rows();
  const std::int64_t cols = matrix_data.cols();
  if (rows < 0 || cols < 0 || rows * cols != matrix_data.packed_data_size()) {
    ReportMisuse(absl::InvalidArgumentError(absl::StrCat(
        "MatrixData with ", rows, " rows and ", cols, " columns has ",
        matrix_data.packed_data_size(),
        " values: packed_data needs rows times columns of them.")));
  }
  const float* values = matrix_data.packed_data().data();
  if (matrix_data.layout() == MatrixData::ROW_MAJOR) {
    *matrix = Eigen::Map<const RowMajorMatrix>(values, rows, cols);
  } else {
    *matrix = Eigen::Map<const Matrix>(values, rows, cols);
  }
}

std::string MatrixAsTextProto(const Matrix& matrix) {
  MatrixData matrix_data;
  MatrixDataProtoFromMatrix(matrix, &matrix_data);
  std::string text;
  google::protobuf::TextFormat::PrintToString(matrix_data, &text);
  return text;
}

void MatrixFromTextProto(const std::string& text_proto, Matrix* matrix) {
  MatrixData matrix_data;
  if (!google::protobuf::TextFormat::ParseFromString(text_proto,
                                                     &matrix_data)) {
    ReportMisuse(absl::InvalidArgumentError(
        absl::StrCat("This is no MatrixData: \"", text_proto.substr(0, 200),
                     "\". It looks like: rows: 1 cols: 2 packed_data: 0.5 "
                     "packed_data: 1.5")));
  }
  MatrixFromMatrixDataProto(matrix_data, matrix);
}

}  // namespace syncline
