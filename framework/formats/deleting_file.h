// DeletingFile: the path of a file that can be deleted with this object.
//
// Thread rule: a value, as a string is.
// Tested by small_formats_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_DELETING_FILE_H_
#define SYNCLINE_FRAMEWORK_FORMATS_DELETING_FILE_H_

#include <string>

namespace syncline {

class DeletingFile {
 public:
  // With `delete_on_destruction`, the destructor deletes the file. A file that
  // cannot be deleted is logged.
  DeletingFile(const std::string& path, bool delete_on_destruction);
  ~DeletingFile();
  DeletingFile(const DeletingFile&) = delete;
  DeletingFile& operator=(const DeletingFile&) = delete;

  const std::string& Path() const { return path_; }

 private:
  const std::string path_;
  const bool delete_on_destruction_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_DELETING_FILE_H_
