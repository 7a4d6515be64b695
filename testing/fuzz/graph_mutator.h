// Changes a graph config at random so that it stays a config: fields are set,
// cleared, repeated, swapped and copied by reflection, strings and options are
// taken from what graphs are made of. Nearly everything that comes out parses,
// so the passes behind the parser get something to do; much of it is wrong in
// one place only, which is where errors have to be found.
//
// Changes depend on the seed and the config alone, so a finding can be
// repeated.
//
// Thread rule: for one thread.
// Tested by graph_mutator_test.

#ifndef SYNCLINE_TESTING_FUZZ_GRAPH_MUTATOR_H_
#define SYNCLINE_TESTING_FUZZ_GRAPH_MUTATOR_H_

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "framework/config/calculator.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace syncline {

class GraphMutator {
 public:
  // Larger configs are cut down again.
  static constexpr int kMaxNodes = 64;
  static constexpr size_t kMaxBytes = 32 << 10;

  explicit GraphMutator(unsigned seed) : random_(seed) {}

  // One to four changes.
  void Mutate(CalculatorGraphConfig* config);

  // Takes nodes and other parts of `other` into `config`.
  void CrossOver(const CalculatorGraphConfig& other,
                 CalculatorGraphConfig* config);

 private:
  using Message = google::protobuf::Message;
  using FieldDescriptor = google::protobuf::FieldDescriptor;

  // What strings and messages of the config there are to reuse.
  struct Parts {
    std::vector<Message*> messages;
    std::vector<std::string> strings;
  };

  void Collect(Message* message, Parts* parts);
  void MutateOnce(CalculatorGraphConfig* config);
  // Graph changes that random field changes hardly ever hit.
  void Connect(CalculatorGraphConfig* config);
  void AddNode(CalculatorGraphConfig* config);

  void MutateMessage(Message* message, const Parts& parts);
  void MutateAny(Message* any, const Parts& parts);
  void MutateRepeated(Message* message, const FieldDescriptor* field,
                      const Parts& parts);
  // Sets a singular field, or element `i` of a repeated one.
  void SetValue(Message* message, const FieldDescriptor* field, int i,
                const Parts& parts);
  const FieldDescriptor* PickField(const Message& message);

  // A name for a field of that name: of something registered, of something in
  // the config, or neither.
  std::string PickString(const std::string& field, const Parts& parts);
  std::string Edited(std::string text);
  int PickInt();

  // Below `n`, which is positive.
  size_t Below(size_t n) { return random_() % n; }
  bool OneIn(unsigned n) { return random_() % n == 0; }
  template <typename T>
  const T& Pick(const std::vector<T>& all) {
    return all[Below(all.size())];
  }

  std::mt19937 random_;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_FUZZ_GRAPH_MUTATOR_H_
