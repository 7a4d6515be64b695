// Compiles the graphs of documentation pages; see the header.
#include "docs/snippet_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/compile.h"

namespace syncline {
namespace docs {
namespace {

absl::Status CompileText(absl::string_view graph, absl::string_view page) {
  absl::StatusOr<GraphSource> source = ReadGraphText(graph, page);
  if (!source.ok()) return source.status();
  return Compile(*source).status();
}

}  // namespace

void ExpectGraphCompiles(absl::string_view graph, absl::string_view page) {
  EXPECT_EQ(CompileText(graph, page), absl::OkStatus());
}

void ExpectGraphFails(absl::string_view graph, absl::string_view page,
                      absl::string_view expected) {
  const absl::Status status = CompileText(graph, page);
  ASSERT_FALSE(status.ok()) << "the page says that this graph is refused";
  for (absl::string_view line : absl::StrSplit(expected, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    EXPECT_THAT(std::string(status.message()),
                testing::HasSubstr(std::string(line)));
  }
}

}  // namespace docs
}  // namespace syncline
