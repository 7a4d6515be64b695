#include "tools/build_description.h"

#include <memory>
#include <string>

#include "absl/base/config.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/version.h"
#include "google/protobuf/stubs/common.h"
#include "tools/run_device.h"

namespace syncline {
namespace {

std::string Compiler() {
#if defined(__clang__)
  return absl::StrCat("clang ", __clang_version__);
#else
  return absl::StrCat("g++ ", __VERSION__);
#endif
}

std::string Mode() {
  std::string mode =
#ifdef NDEBUG
      "optimised";
#else
      "with checks for developers";
#endif
#ifdef __SANITIZE_ADDRESS__
  mode += ", address sanitizer";
#endif
#ifdef __SANITIZE_THREAD__
  mode += ", thread sanitizer";
#endif
  return mode;
}

std::string Devices() {
  const absl::StatusOr<std::unique_ptr<DeviceSupport>> support =
      FindDeviceSupport();
  return support.ok() ? (*support)->DescribeDevices()
                      : "none, as no calculator among the deps uses one";
}

}  // namespace

std::string DescribeBuild(absl::string_view program) {
  return absl::StrCat(
      program, " (Syncline " SYNCLINE_VERSION_STRING ")\n",  //
      "compiler: ", Compiler(), ", ", Mode(), "\n",          //
      "libraries: Protobuf ",
      google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION),
      ", Abseil ", ABSL_LTS_RELEASE_VERSION, "\n",  //
      "devices: ", Devices(), "\n");
}

}  // namespace syncline
