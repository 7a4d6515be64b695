// Messages whose description comes from anybody become JSON or are refused.
#include "tools/recording/message_json.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/struct.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::google::protobuf::Any;
using ::google::protobuf::DescriptorProto;
using ::google::protobuf::FieldDescriptorProto;
using ::google::protobuf::FileDescriptorProto;
using ::google::protobuf::FileDescriptorSet;
using ::google::protobuf::Struct;
using ::testing::HasSubstr;

RecordingHeader HeaderOf(const std::string& name,
                         const FileDescriptorSet& files) {
  RecordingHeader header;
  header.messages[name] = files.SerializeAsString();
  return header;
}

template <typename Message>
FileDescriptorSet FilesOf() {
  FileDescriptorSet files;
  Message::descriptor()->file()->CopyTo(files.add_file());
  return files;
}

void AddField(DescriptorProto* message, const std::string& name,
              const std::string& type) {
  FieldDescriptorProto* const field = message->add_field();
  field->set_name(name);
  field->set_number(message->field_size());
  field->set_label(FieldDescriptorProto::LABEL_OPTIONAL);
  field->set_type(type.empty() ? FieldDescriptorProto::TYPE_FIXED64
                               : FieldDescriptorProto::TYPE_MESSAGE);
  if (!type.empty()) field->set_type_name(type);
}

bool HasJson(const RecordingHeader& header, const std::string& name,
             const std::string& bytes) {
  MessageJson json(&header);
  const auto text = json.Of(name, bytes);
  const auto array = json.ArrayOf(name, "");
  if (text.ok()) {
    SYNCLINE_EXPECT_OK(array);
  } else {
    EXPECT_TRUE(absl::IsUnimplemented(text.status())) << text.status();
  }
  return text.ok();
}

// Anys in Anys: what stands in front of the value of each.
std::string AnysOfDepth(int depth) {
  Any any;
  any.set_type_url("type.googleapis.com/google.protobuf.Any");
  std::vector<std::string> fronts;
  std::size_t size = 0;
  for (int i = 0; i < depth; ++i) {
    fronts.push_back(any.SerializeAsString());
    if (size > 0) {
      fronts.back() += '\x12';
      std::size_t rest = size;
      for (; rest > 0x7f; rest >>= 7) {
        fronts.back() += static_cast<char>(0x80 | (rest & 0x7f));
      }
      fronts.back() += static_cast<char>(rest);
    }
    size += fronts.back().size();
  }
  std::string bytes;
  for (; !fronts.empty(); fronts.pop_back()) bytes += fronts.back();
  return bytes;
}

TEST(MessageJsonTest, AnysInsideEachOtherThousandsOfTimesHaveNoJson) {
  const RecordingHeader header =
      HeaderOf("google.protobuf.Any", FilesOf<Any>());
  for (const int depth : {1, 31}) {
    EXPECT_TRUE(HasJson(header, "google.protobuf.Any", AnysOfDepth(depth)));
  }
  for (const int depth : {32, 20'000}) {
    EXPECT_FALSE(HasJson(header, "google.protobuf.Any", AnysOfDepth(depth)));
  }
}

// Protobuf makes a prototype of the one inside that of the other.
TEST(MessageJsonTest, VeryManyMessagesThatReferToEachOtherHaveNoJson) {
  for (const int count : {900, 50'000}) {
    FileDescriptorSet files;
    FileDescriptorProto* const file = files.add_file();
    file->set_name("chain.proto");
    for (int i = 0; i < count; ++i) {
      DescriptorProto* const message = file->add_message_type();
      message->set_name(absl::StrCat("M", i));
      if (i + 1 < count) AddField(message, "next", absl::StrCat(".M", i + 1));
    }
    EXPECT_EQ(HasJson(HeaderOf("M0", files), "M0", ""), count < 1'000);
    // Also where an Any says so.
    *files.add_file() = FilesOf<Any>().file(0);
    Any any;
    any.set_type_url("type.googleapis.com/M0");
    EXPECT_EQ(HasJson(HeaderOf("google.protobuf.Any", files),
                      "google.protobuf.Any", any.SerializeAsString()),
              count < 1'000);
  }
}

// Protobuf waits for ever for the end of a map that is none.
TEST(MessageJsonTest, AWellKnownMessageWithOtherFieldsHasNoJson) {
  FileDescriptorSet files;
  FileDescriptorProto* const file = files.add_file();
  file->set_name("struct.proto");
  file->set_package("google.protobuf");
  DescriptorProto* const message = file->add_message_type();
  message->set_name("Struct");
  AddField(message, "fields", "");
  DescriptorProto* const holder = file->add_message_type();
  holder->set_name("Holder");
  AddField(holder, "held", ".google.protobuf.Struct");
  const std::string bytes =
      "\x09"
      "12345678";
  EXPECT_FALSE(HasJson(HeaderOf("google.protobuf.Struct", files),
                       "google.protobuf.Struct", bytes));
  EXPECT_FALSE(HasJson(HeaderOf("google.protobuf.Holder", files),
                       "google.protobuf.Holder", "\x0a\x09" + bytes));
  // As it has to be.
  Struct value;
  (*value.mutable_fields())["a"].mutable_list_value()->add_values();
  (*value.mutable_fields())["a"]
      .mutable_list_value()
      ->add_values()
      ->set_number_value(5);
  const RecordingHeader header =
      HeaderOf("google.protobuf.Struct", FilesOf<Struct>());
  EXPECT_THAT(MessageJson(&header)
                  .Of("google.protobuf.Struct", value.SerializeAsString())
                  .value(),
              HasSubstr("{\"a\":["));
}

// Of a message in it nobody knows the fields.
TEST(MessageJsonTest, AnAnyOfAnUnknownMessageHasNoJson) {
  const RecordingHeader header =
      HeaderOf("google.protobuf.Any", FilesOf<Any>());
  Any any;
  any.set_type_url("type.googleapis.com/elsewhere.Unknown");
  any.set_value("\x08\x01");
  EXPECT_FALSE(HasJson(header, "google.protobuf.Any", any.SerializeAsString()));
}

TEST(MessageJsonTest, TextThatIsNoUtf8HasNoJson) {
  FileDescriptorSet files;
  FileDescriptorProto* const file = files.add_file();
  file->set_name("text.proto");
  DescriptorProto* const message = file->add_message_type();
  message->set_name("Text");
  AddField(message, "text", "");
  message->mutable_field(0)->set_type(FieldDescriptorProto::TYPE_STRING);
  const RecordingHeader header = HeaderOf("Text", files);
  EXPECT_TRUE(HasJson(header, "Text", "\x0a\x02\xc3\xa4"));
  EXPECT_FALSE(HasJson(header, "Text", "\x0a\x02\xc3\xc3"));
  EXPECT_FALSE(HasJson(header, "Text", "\x0a\x03\xed\xa0\x80"));
}

TEST(MessageJsonTest, WhatIsNoDescriptionIsNoError) {
  RecordingHeader header;
  header.messages["A"] = "\xff";
  header.messages["B"] = "";
  EXPECT_FALSE(HasJson(header, "A", ""));
  EXPECT_FALSE(HasJson(header, "B", ""));
  EXPECT_FALSE(HasJson(header, "C", ""));
}

TEST(MessageJsonTest, BytesOfAnotherMessageAreDataLoss) {
  const RecordingHeader header =
      HeaderOf("google.protobuf.Any", FilesOf<Any>());
  MessageJson json(&header);
  EXPECT_TRUE(
      absl::IsDataLoss(json.Of("google.protobuf.Any", "\x0a").status()));
  EXPECT_TRUE(absl::IsDataLoss(
      json.ArrayOf("google.protobuf.Any", "\x05\x0a").status()));
}

}  // namespace
}  // namespace syncline
