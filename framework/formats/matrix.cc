#include "framework/formats/matrix.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/formats/matrix_data.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/type_map.h"
#include "google/protobuf/text_format.h"

namespace syncline {
namespace {

using RowMajorMatrix =
    Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Numbers of rows and columns, in four bytes each, and the values column by
// column.
absl::Status WriteBytes(const Packet& packet, std::string* bytes) {
  const auto& matrix = packet.Get<Matrix>();
  const std::int32_t size[] = {static_cast<std::int32_t>(matrix.rows()),
                               static_cast<std::int32_t>(matrix.cols())};
  bytes->append(reinterpret_cast<const char*>(size), sizeof(size));
  bytes->append(reinterpret_cast<const char*>(matrix.data()),
                matrix.size() * sizeof(float));
  return absl::OkStatus();
}

absl::Status ReadBytes(const std::string& bytes, Packet* packet) {
  std::int32_t size[2] = {0, 0};
  if (bytes.size() >= sizeof(size)) {
    std::memcpy(size, bytes.data(), sizeof(size));
  }
  const std::uint64_t values = (bytes.size() - sizeof(size)) / sizeof(float);
  if (bytes.size() < sizeof(size) || bytes.size() % sizeof(float) != 0 ||
      size[0] < 0 || size[1] < 0 ||
      static_cast<std::uint64_t>(size[0]) * size[1] != values) {
    return absl::InvalidArgumentError(absl::StrCat(
        "these ", bytes.size(), " bytes are not those of a matrix"));
  }
  Matrix matrix(size[0], size[1]);
  if (values > 0) {
    std::memcpy(matrix.data(), bytes.data() + sizeof(size),
                values * sizeof(float));
  }
  *packet = MakePacket<Matrix>(std::move(matrix));
  return absl::OkStatus();
}

SYNCLINE_REGISTER_TYPE(Matrix, "::syncline::Matrix", WriteBytes, ReadBytes);
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
