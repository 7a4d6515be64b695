// Each header that only includes another one offers what its name says.

#include <vector>

#include "framework/port/aligned_malloc_and_free.h"
#include "framework/port/commandlineflags.h"
#include "framework/port/gtest-spi.h"
#include "framework/port/rectangle.h"
#include "framework/port/threadpool.h"
#include "gtest/gtest.h"

ABSL_FLAG(int, port_headers_test_number, 3, "a number");
DEFINE_int32(port_headers_test_old, 4, "a number of older code");

namespace syncline {
namespace {

TEST(PortHeadersTest, GiveWhatTheirNamesSay) {
  EXPECT_EQ(absl::GetFlag(FLAGS_port_headers_test_number), 3);
  EXPECT_EQ(FLAGS_port_headers_test_old, 4);
  EXPECT_EQ(Rectangle_i(1, 2, 3, 4).xmax(), 4);
  EXPECT_EQ(ThreadPool(2).num_threads(), 2);
  aligned_free(aligned_malloc(1, 8));
  EXPECT_NONFATAL_FAILURE(ADD_FAILURE() << "expected", "expected");
}

}  // namespace
}  // namespace syncline
