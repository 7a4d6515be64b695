// PageTrace: the traces that somebody starts, stops and saves from the page of
// a graph.
//
// The files lie in a folder that the program chose, under names of their own: a
// request never names a file. A page makes one trace at a time, and the next
// one takes the place of the last. The last one stays when the program ends,
// and the log says where it is.
//
// Thread rule: belongs to one thread.
// Tested by page_trace_test.

#ifndef SYNCLINE_PAGES_LIVE_PAGE_TRACE_H_
#define SYNCLINE_PAGES_LIVE_PAGE_TRACE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/formats/unique_fd.h"
#include "framework/graph/calculator_graph.h"

namespace syncline {

class PageTrace {
 public:
  // `folder`: empty for that of temporary files. The graph is borrowed.
  PageTrace(CalculatorGraph* graph, std::string folder);
  // Stops the trace. Its file stays: nobody knows here whether what a browser
  // began to read has become a file elsewhere.
  ~PageTrace();
  PageTrace(const PageTrace&) = delete;
  PageTrace& operator=(const PageTrace&) = delete;

  // FAILED_PRECONDITION: it is on already. ALREADY_EXISTS: the program itself
  // writes a trace. Else the error of the file.
  absl::Status Start();
  // FAILED_PRECONDITION: it is off. Else the first error of the file, of which
  // there is a part nevertheless.
  absl::Status Stop();

  bool is_on() const { return is_on_; }
  // One was stopped.
  bool has_file() const { return !is_on_ && !path_.empty(); }
  // That file, to read; FAILED_PRECONDITION: there is none.
  absl::StatusOr<UniqueFd> Open() const;
  // The last events of the flight recorder, as such a file.
  absl::StatusOr<UniqueFd> OpenRecent() const;

  // What became of the last thing that was asked for, for people.
  const std::string& text() const { return text_; }

 private:
  absl::StatusOr<std::string> MakeFile() const;

  CalculatorGraph* const graph_;
  const std::string folder_;
  bool is_on_ = false;
  std::string path_;
  std::string text_;
};

}  // namespace syncline

#endif  // SYNCLINE_PAGES_LIVE_PAGE_TRACE_H_
