// FileUses: what files a program reads and writes, so that it writes over none
// that it reads, whatever name the file has: links are seen through.
//
//   FileUses uses;
//   uses.AddRead("--graph", "graph.pbtxt");
//   SYNCLINE_RETURN_IF_ERROR(uses.AddWritten("--output", "words.txt"));
//
// Only what can be overwritten counts: any number of uses may share a pipe, a
// terminal or /dev/null.
//
// Thread rule: for one thread.
// Tested by file_uses_test.

#ifndef SYNCLINE_TOOLS_FILE_USES_H_
#define SYNCLINE_TOOLS_FILE_USES_H_

#include <sys/stat.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace syncline {

class FileUses {
 public:
  // `what` reads the file, such as "--graph"; a file that is not there is no
  // file that could be lost.
  void AddRead(absl::string_view what, const std::string& path);
  void AddRead(absl::string_view what, const std::string& path, int fd);

  // INVALID_ARGUMENT: the file has another use already, which is named.
  absl::Status AddWritten(absl::string_view what, const std::string& path);
  absl::Status AddWritten(absl::string_view what, const std::string& path,
                          int fd);

  // Says on standard error where those written files are that the user of
  // `program` may look for elsewhere: bazel run starts programs in a folder of
  // its own.
  void TellPlaces(absl::string_view program) const;

 private:
  struct Use {
    dev_t device;
    ino_t file;
    bool is_written;
    std::string what;
    std::string path;
  };

  // A file that is to be made, which has no number so far: its folder has.
  struct New {
    dev_t device;
    ino_t folder;
    std::string name;
    std::string what;
  };

  absl::Status AddNew(absl::string_view what, const std::string& path);
  // Null: nobody uses it yet.
  const Use* Find(const struct stat& about) const;
  void Add(const struct stat& about, bool is_written, absl::string_view what,
           const std::string& path);
  absl::Status CheckIsFree(const struct stat& about, absl::string_view what,
                           const std::string& path) const;

  std::vector<Use> uses_;
  std::vector<New> new_;
  // The written ones, as they were given.
  std::vector<std::string> written_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_FILE_USES_H_
