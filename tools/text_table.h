// Rows of text in columns that are as wide as they need to be, for terminals.
//
// Thread rule: a free function.
// Tested by describe_type_test.

#ifndef SYNCLINE_TOOLS_TEXT_TABLE_H_
#define SYNCLINE_TOOLS_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace syncline {

// Each row as a line, two spaces between columns. The last column is not padded
// and breaks between words at the width of a page; its further lines begin
// below its first.
std::string TextTable(const std::vector<std::vector<std::string>>& rows);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TEXT_TABLE_H_
