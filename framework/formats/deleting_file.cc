#include "framework/formats/deleting_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "glog/logging.h"

namespace syncline {

DeletingFile::DeletingFile(const std::string& path, bool delete_on_destruction)
    : path_(path), delete_on_destruction_(delete_on_destruction) {}

DeletingFile::~DeletingFile() {
  if (delete_on_destruction_ && unlink(path_.c_str()) != 0) {
    LOG(ERROR) << "Cannot delete the file \"" << path_
               << "\": " << std::strerror(errno);
  }
}

}  // namespace syncline
