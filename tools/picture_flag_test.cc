// The file of a picture is whole or as it was before, whatever Graphviz does.

#include "tools/picture_flag.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/model/graph_picture.h"
#include "tools/file_uses.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class PictureFlagTest : public ::testing::Test {
 protected:
  PictureFlagTest()
      : folder_(absl::StrCat(testing::TempDir(), "/picture_", getpid())) {
    std::filesystem::create_directories(folder_);
    const char* const path = std::getenv("PATH");
    path_ = path == nullptr ? "" : path;
  }
  ~PictureFlagTest() override {
    setenv("PATH", path_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }

  // A program in place of Graphviz's.
  void SetDot(absl::string_view text) {
    const std::string program = absl::StrCat(folder_, "/dot");
    std::ofstream(program) << "#!/bin/sh\n" << text << "\n";
    chmod(program.c_str(), 0755);
    setenv("PATH", absl::StrCat(folder_, ":", path_).c_str(), 1);
  }
  std::string Path(absl::string_view name) const {
    return absl::StrCat(folder_, "/", name);
  }
  PictureRequest Request(absl::string_view name) const {
    return PictureRequestFor(Path(name)).value();
  }
  static std::string Read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  // Files of the folder whose names begin so.
  int Count(absl::string_view prefix) const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      count += name.substr(0, prefix.size()) == prefix ? 1 : 0;
    }
    return count;
  }

  const std::string folder_;
  std::string path_;
};

GraphPicture OneNode() {
  GraphPicture picture;
  picture.nodes.push_back({.name = "alone", .type = "T"});
  return picture;
}

TEST_F(PictureFlagTest, TheEndOfTheNameSaysTheForm) {
  EXPECT_TRUE(PictureRequestFor("a.svg")->is_svg);
  EXPECT_TRUE(PictureRequestFor("a.SVG")->is_svg);
  EXPECT_FALSE(PictureRequestFor("a.dot")->is_svg);
  EXPECT_FALSE(PictureRequestFor("a.gv")->is_svg);
  EXPECT_EQ(PictureRequestFor("")->path, "");
  const absl::Status status = PictureRequestFor("a.\x1bpng").status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(status.message(), AllOf(HasSubstr(".svg"), HasSubstr(".dot"),
                                      HasSubstr("a.\\x1bpng")));
}

TEST_F(PictureFlagTest, DotNeedsNoGraphviz) {
  setenv("PATH", "", 1);
  EXPECT_EQ(WritePicture(Request("a.dot"), OneNode()), absl::OkStatus());
  EXPECT_THAT(Read(Path("a.dot")), HasSubstr("<B>alone</B>"));
  EXPECT_EQ(Count("a."), 1);
}

TEST_F(PictureFlagTest, SvgIsWhatGraphvizWrites) {
  SetDot("echo svg; grep -o 'B>alone'");
  EXPECT_EQ(WritePicture(Request("a.svg"), OneNode()), absl::OkStatus());
  EXPECT_EQ(Read(Path("a.svg")), "svg\nB>alone\n");
  EXPECT_EQ(Count("a."), 1);
}

TEST_F(PictureFlagTest, WithoutGraphvizTheTextForItLiesBeside) {
  setenv("PATH", "/nowhere", 1);
  std::ofstream(Path("a.svg")) << "before";
  const absl::Status status = WritePicture(Request("a.svg"), OneNode());
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("--picture: there is no program \"dot\""),
                    HasSubstr("such a file is \""), HasSubstr("a.svg.dot")));
  EXPECT_EQ(Read(Path("a.svg")), "before");
  EXPECT_THAT(Read(Path("a.svg.dot")), HasSubstr("digraph"));
}

TEST_F(PictureFlagTest, AFileOfThatNameStaysAsItIs) {
  setenv("PATH", "/nowhere", 1);
  std::ofstream(Path("b.svg.dot")) << "mine";
  const absl::Status status = WritePicture(Request("b.svg"), OneNode());
  EXPECT_THAT(status.message(), Not(HasSubstr("b.svg.dot")));
  EXPECT_EQ(Read(Path("b.svg.dot")), "mine");
}

TEST_F(PictureFlagTest, AGraphvizThatFailsLeavesTheFileAsItWas) {
  SetDot("echo half; echo 'no memory' >&2; exit 1");
  std::ofstream(Path("a.svg")) << "before";
  const absl::Status status = WritePicture(Request("a.svg"), OneNode());
  EXPECT_THAT(status.message(), HasSubstr("status 1: no memory"));
  EXPECT_EQ(Read(Path("a.svg")), "before");
}

TEST_F(PictureFlagTest, AFolderThatIsNotThereIsNamed) {
  const absl::Status status = WritePicture(Request("no/a.dot"), OneNode());
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), HasSubstr("no/a.dot"));
}

TEST_F(PictureFlagTest, NothingThatIsReadIsWritten) {
  std::ofstream(Path("graph.dot")) << "before";
  FileUses uses;
  uses.AddRead("--graph", Path("graph.dot"));
  const absl::Status status = AddPictureUse(Request("graph.dot"), &uses);
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(status.message(), HasSubstr("--picture cannot write"));
  EXPECT_EQ(AddPictureUse(Request("other.dot"), &uses), absl::OkStatus());
  EXPECT_EQ(AddPictureUse(PictureRequest(), &uses), absl::OkStatus());
}

}  // namespace
}  // namespace syncline
