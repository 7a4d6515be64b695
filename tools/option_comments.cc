#include "tools/option_comments.h"

#include <cstddef>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/ascii.h"
#include "framework/base/mutex.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/descriptor_database.h"

namespace syncline {
namespace {

struct Comments {
  Mutex mutex;
  google::protobuf::SimpleDescriptorDatabase files ABSL_GUARDED_BY(mutex);
  // Builds what is asked for.
  google::protobuf::DescriptorPool pool ABSL_GUARDED_BY(mutex){&files};
};

Comments& TheComments() {
  static Comments& comments = *new Comments;
  return comments;
}

}  // namespace

bool AddOptionComments(const char* data, std::size_t size) {
  google::protobuf::FileDescriptorSet set;
  if (!set.ParseFromArray(data, static_cast<int>(size))) return false;
  Comments& comments = TheComments();
  MutexLock lock(&comments.mutex);
  for (const google::protobuf::FileDescriptorProto& file : set.file()) {
    google::protobuf::FileDescriptorProto known;
    if (comments.files.FindFileByName(file.name(), &known)) continue;
    comments.files.Add(file);
  }
  return true;
}

std::string FieldComment(const std::string& full_name) {
  Comments& comments = TheComments();
  MutexLock lock(&comments.mutex);
  const google::protobuf::FieldDescriptor* const field =
      comments.pool.FindFieldByName(full_name);
  google::protobuf::SourceLocation location;
  if (field == nullptr || !field->GetSourceLocation(&location)) return "";
  std::string comment = location.leading_comments.empty()
                            ? location.trailing_comments
                            : location.leading_comments;
  absl::RemoveExtraAsciiWhitespace(&comment);
  return comment;
}

}  // namespace syncline
