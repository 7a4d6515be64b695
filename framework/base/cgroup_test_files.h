// CgroupFilesTest: a test with made-up files of the kernel.
//
// Thread rule: for one thread.

#ifndef SYNCLINE_FRAMEWORK_BASE_CGROUP_TEST_FILES_H_
#define SYNCLINE_FRAMEWORK_BASE_CGROUP_TEST_FILES_H_

#include <sys/stat.h>

#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace syncline {

class CgroupFilesTest : public ::testing::Test {
 protected:
  // A file below the test's own root, with its folders.
  void Write(const std::string& path, const std::string& text) {
    for (std::string::size_type at = path.find('/', 1); at != std::string::npos;
         at = path.find('/', at + 1)) {
      mkdir((root_ + path.substr(0, at)).c_str(), 0777);
    }
    std::ofstream(root_ + path) << text;
  }
  void SetUp() override { mkdir(root_.c_str(), 0777); }

  const std::string root_ =
      ::testing::TempDir() + "/" +
      ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_CGROUP_TEST_FILES_H_
