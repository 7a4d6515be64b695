#include "framework/formats/matrix.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/formats/matrix_data.pb.h"
#include "framework/packet/type_map.h"
#include "framework/packet/value_bytes.h"
#include "google/protobuf/text_format.h"

namespace syncline {

// The bytes of a matrix: the number of rows and the number of columns in four
// bytes each, then the values column by column.
template <typename Scalar>
struct ValueBytes<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>> {
  using Values = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

  static void Append(const Values& matrix, std::string* bytes) {
    packet_internal::AppendNumber(static_cast<std::int32_t>(matrix.rows()),
                                  bytes);
    packet_internal::AppendNumber(static_cast<std::int32_t>(matrix.cols()),
                                  bytes);
    bytes->append(reinterpret_cast<const char*>(matrix.data()),
                  matrix.size() * sizeof(Scalar));
  }
  static absl::StatusOr<Values> Read(absl::string_view bytes) {
    absl::string_view left = bytes;
    std::int32_t rows = 0;
    std::int32_t cols = 0;
    if (!packet_internal::TakeNumber(&left, &rows) ||
        !packet_internal::TakeNumber(&left, &cols) || rows < 0 || cols < 0 ||
        left.size() % sizeof(Scalar) != 0 ||
        static_cast<std::uint64_t>(rows) * cols !=
            left.size() / sizeof(Scalar)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "these ", bytes.size(), " bytes are not those of a matrix"));
    }
    Values matrix(rows, cols);
    if (!left.empty()) std::memcpy(matrix.data(), left.data(), left.size());
    return matrix;
  }
};

namespace {

using Eigen::MatrixXcf;
using Matrices = std::vector<Matrix>;

SYNCLINE_REGISTER_TYPE(Matrix, "::syncline::Matrix", WriteValueBytes<Matrix>,
                       ReadValueBytes<Matrix>);
SYNCLINE_REGISTER_TYPE(Matrices, "::std::vector<::syncline::Matrix>",
                       WriteValueBytes<Matrices>, ReadValueBytes<Matrices>);
SYNCLINE_REGISTER_TYPE(std::vector<Matrices>,
                       "::std::vector<::std::vector<::syncline::Matrix>>",
                       WriteValueBytes<std::vector<Matrices>>,
                       ReadValueBytes<std::vector<Matrices>>);
SYNCLINE_REGISTER_TYPE(MatrixXcf, "::Eigen::MatrixXcf",
                       WriteValueBytes<MatrixXcf>, ReadValueBytes<MatrixXcf>);
SYNCLINE_REGISTER_TYPE(std::vector<MatrixXcf>,
                       "::std::vector<::Eigen::MatrixXcf>",
                       WriteValueBytes<std::vector<MatrixXcf>>,
                       ReadValueBytes<std::vector<MatrixXcf>>);

using RowMajorMatrix =
    Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

void MatrixDataProtoFromMatrix(const Matrix& matrix, MatrixData* matrix_data) {
  matrix_data->Clear();
  matrix_data->set_rows(static_cast<int>(matrix.rows()));
  matrix_data->set_cols(static_cast<int>(matrix.cols()));
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
