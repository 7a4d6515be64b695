// Every message, field and enum of the config says what it is for: each has a
// comment in front of it, as protoc's source info tells.

#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::DescriptorPool;
using ::google::protobuf::EnumDescriptor;
using ::google::protobuf::FileDescriptor;
using ::google::protobuf::FileDescriptorProto;
using ::google::protobuf::FileDescriptorSet;
using ::google::protobuf::SourceLocation;

// Names of what has no comment, or only a blank one.
template <typename T>
void CheckComment(const T& item, std::vector<std::string>* bare) {
  SourceLocation location;
  if (!item.GetSourceLocation(&location) ||
      absl::StripAsciiWhitespace(location.leading_comments).empty()) {
    bare->push_back(item.full_name());
  }
}

void CheckEnum(const EnumDescriptor& type, std::vector<std::string>* bare) {
  CheckComment(type, bare);
  // Names of wire types say all there is to say.
  if (type.full_name() == "syncline.FieldDescriptorProto.Type") return;
  for (int i = 0; i < type.value_count(); ++i)
    CheckComment(*type.value(i), bare);
}

void CheckMembers(const Descriptor& type, std::vector<std::string>* bare) {
  for (int i = 0; i < type.field_count(); ++i)
    CheckComment(*type.field(i), bare);
  for (int i = 0; i < type.extension_count(); ++i) {
    CheckComment(*type.extension(i), bare);
  }
  // Those that protoc makes for optional fields are nowhere in a file.
  for (int i = 0; i < type.real_oneof_decl_count(); ++i) {
    CheckComment(*type.oneof_decl(i), bare);
  }
  for (int i = 0; i < type.enum_type_count(); ++i) {
    CheckEnum(*type.enum_type(i), bare);
  }
  for (int i = 0; i < type.nested_type_count(); ++i) {
    CheckComment(*type.nested_type(i), bare);
    CheckMembers(*type.nested_type(i), bare);
  }
}

// A file about one message explains it at the top, in the comment that belongs
// to the syntax line.
bool HasTopComment(const FileDescriptor& file) {
  SourceLocation location;
  return file.GetSourceLocation({12 /* syntax */}, &location) &&
         !absl::StripAsciiWhitespace(location.leading_comments).empty();
}

TEST(ConfigCommentsTest, EveryFileMessageFieldAndEnumValueHasAComment) {
  FileDescriptorSet set;
  std::ifstream input("framework/config/descriptors.binarypb",
                      std::ios::binary);
  ASSERT_TRUE(set.ParseFromIstream(&input));

  DescriptorPool pool;
  int checked = 0;
  std::vector<std::string> bare;
  for (const FileDescriptorProto& proto : set.file()) {
    const FileDescriptor* file = pool.BuildFile(proto);
    ASSERT_NE(file, nullptr) << proto.name();
    if (file->package() != "syncline") continue;
    if (!HasTopComment(*file)) bare.push_back(file->name());
    for (int i = 0; i < file->message_type_count(); ++i) {
      // The only message of a file may be explained by the file's comment.
      if (file->message_type_count() > 1) {
        CheckComment(*file->message_type(i), &bare);
      }
      CheckMembers(*file->message_type(i), &bare);
    }
    ++checked;
  }
  EXPECT_GE(checked, 20);
  EXPECT_THAT(bare, testing::IsEmpty());
}

}  // namespace
}  // namespace syncline
