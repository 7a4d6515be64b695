#include "framework/port.h"

#include <string>

#include "absl/types/variant.h"
#include "framework/port/overload.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

#if !SYNCLINE_DISABLE_GPU || defined(SYNCLINE_ANDROID) || \
    SYNCLINE_OPENGL_ES_VERSION >= SYNCLINE_OPENGL_ES_31
#error "a branch for another kind of build"
#endif

TEST(PortTest, HasRtti) { EXPECT_EQ(SYNCLINE_HAS_RTTI, 1); }

TEST(OverloadTest, CallsTheFunctionOfTheType) {
  const Overload name_of = {
      [](int) { return std::string("int"); },
      [](double) { return std::string("double"); },
  };
  EXPECT_EQ(name_of(1), "int");
  EXPECT_EQ(name_of(1.5), "double");
  EXPECT_EQ(absl::visit(name_of, absl::variant<int, double>(2)), "int");
}

}  // namespace
}  // namespace syncline
