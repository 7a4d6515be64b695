// For tests: what graphs rely on in the calculators of a folder, from the file
// contracts.txt of that folder.  The head of calculators/core/contracts.txt
// describes the form.
//
// Thread rule: any thread.
// Tested by calculator_contracts_test.

#ifndef SYNCLINE_CALCULATORS_CONTRACT_TABLE_H_
#define SYNCLINE_CALCULATORS_CONTRACT_TABLE_H_

#include <set>
#include <string>
#include <vector>

namespace syncline {

struct Port {
  std::string name;  // "TAG:1" or ":0"
  std::string type;
  bool may_be_left_out = false;
};

// The fields of a node that have ports, and its ports: a list for each field.
inline constexpr const char* kPortFields[] = {
    "input_stream", "output_stream", "input_side_packet", "output_side_packet"};
using Ports = std::vector<std::vector<Port>>;

struct Contract {
  std::string place;  // "calculators/core/contracts.txt:21"
  std::string calculator;
  Ports ports;
  std::string options;  // in braces, or nothing
  std::set<std::string> more;
};

struct OptionsRow {
  std::string place;
  std::string message;
  std::vector<std::string> fields;  // "1 period = 10"
};

struct ContractTable {
  std::vector<Contract> contracts;
  std::vector<OptionsRow> options;
};

// The table of calculators/FOLDER. A line that is malformed fails the test.
ContractTable ReadContracts(const std::string& folder);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CONTRACT_TABLE_H_
