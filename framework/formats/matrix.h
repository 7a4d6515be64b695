// Matrix: a matrix of floats, column by column. In streams of samples, a row is
// a channel and a column is a moment.
//
// Thread rule: a value.
// Tested by matrix_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_MATRIX_H_
#define SYNCLINE_FRAMEWORK_FORMATS_MATRIX_H_

#include <cstddef>
#include <string>

#include "Eigen/Core"
#include "framework/formats/matrix_data.pb.h"
#include "framework/packet/payload_size.h"

namespace syncline {

using Matrix = Eigen::MatrixXf;

// Replaces the contents of the message. The values are stored column by column.
void MatrixDataProtoFromMatrix(const Matrix& matrix, MatrixData* matrix_data);

// Replaces the contents of the matrix. A message whose number of values is not
// rows times columns is a misuse that gives all three; `matrix` is then
// unchanged.
void MatrixFromMatrixDataProto(const MatrixData& matrix_data, Matrix* matrix);

// The same with the message as Protobuf text. Text that cannot be read is a
// misuse.
std::string MatrixAsTextProto(const Matrix& matrix);
void MatrixFromTextProto(const std::string& text_proto, Matrix* matrix);

template <>
struct PayloadSize<Matrix> {
  static std::size_t Bytes(const Matrix& matrix) {
    return sizeof(matrix) + matrix.size() * sizeof(float);
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_MATRIX_H_
