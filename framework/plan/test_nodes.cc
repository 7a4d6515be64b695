// Calculators, subgraphs and other registered things for tests of the plan.
// They are never run: what counts is their contracts.

#include <stdexcept>
#include <string>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/fixed_size_input_stream_handler.pb.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/expansion/test_service.h"
#include "framework/packet/timestamp.h"

namespace syncline {
namespace {

class TestNode : public CalculatorBase {
 public:
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};

// Any number of ports of any tag; all of type T.
template <typename T>
void SetAll(PacketTypeSet& types) {
  for (auto id = types.BeginId(); id < types.EndId(); ++id) {
    types.Get(id).template Set<T>();
  }
}

void SetAllAny(PacketTypeSet& types) {
  for (auto id = types.BeginId(); id < types.EndId(); ++id) {
    types.Get(id).SetAny();
  }
}

// What the node's side packets carry: T.
template <typename T>
void SetSidePackets(CalculatorContract* cc) {
  SetAll<T>(cc->InputSidePackets());
  SetAll<T>(cc->OutputSidePackets());
}

template <typename In, typename Out>
class TypedNode : public TestNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SetAll<In>(cc->Inputs());
    SetAll<Out>(cc->Outputs());
    SetSidePackets<Out>(cc);
    return absl::OkStatus();
  }
};

}  // namespace

// Ports of int, of float, and from one to the other.
class IntNode : public TypedNode<int, int> {};
REGISTER_CALCULATOR(IntNode);
class FloatNode : public TypedNode<float, float> {};
REGISTER_CALCULATOR(FloatNode);
class IntToFloatNode : public TypedNode<int, float> {};
REGISTER_CALCULATOR(IntToFloatNode);

// Every output has the type of the input at the same place.
class PassNode : public TestNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SetAllAny(cc->Inputs());
    SetSidePackets<int>(cc);
    auto in = cc->Inputs().BeginId();
    for (auto out = cc->Outputs().BeginId(); out < cc->Outputs().EndId();
         ++out) {
      if (in < cc->Inputs().EndId()) {
        cc->Outputs().Get(out).SetSameAs(&cc->Inputs().Get(in));
        ++in;
      } else {
        cc->Outputs().Get(out).SetAny();
      }
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(PassNode);

// Ports that accept anything, independent of each other.
class AnyNode : public TestNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketTypeSet* types :
         {&cc->Inputs(), &cc->Outputs(), &cc->InputSidePackets(),
          &cc->OutputSidePackets()}) {
      SetAllAny(*types);
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(AnyNode);

// The same, and keeps the message times of IN.
class TimedNode : public AnyNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->KeepMessageTimes("IN");
    return AnyNode::GetContract(cc);
  }
};
REGISTER_CALCULATOR(TimedNode);

// Ports of int or string.
class IntOrStringNode : public TestNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketTypeSet* types : {&cc->Inputs(), &cc->Outputs()}) {
      for (auto id = types->BeginId(); id < types->EndId(); ++id) {
        types->Get(id).SetOneOf<int, std::string>();
      }
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(IntOrStringNode);

// IN required, EXTRA optional, one output OUT; side packet SIDE optional.
class OptionalNode : public TestNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("IN").Set<int>();
    cc->Inputs().Tag("EXTRA").Set<int>().Optional();
    cc->Outputs().Tag("OUT").Set<int>();
    cc->InputSidePackets().Tag("SIDE").Set<int>().Optional();
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(OptionalNode);

// Contracts that fail in one way or another.
class FailingNode : public TestNode {
 public:
  static absl::Status GetContract(CalculatorContract*) {
    return absl::FailedPreconditionError("no contract today");
  }
};
REGISTER_CALCULATOR(FailingNode);

class ThrowingNode : public TestNode {
 public:
  static absl::Status GetContract(CalculatorContract*) {
    throw std::runtime_error("thrown by GetContract");
  }
};
REGISTER_CALCULATOR(ThrowingNode);

class MisusingNode : public TestNode {
 public:
  static absl::Status GetContract(CalculatorContract*) {
    ReportMisuse(absl::InternalError("misused in GetContract"));
  }
};
REGISTER_CALCULATOR(MisusingNode);

// Asks for a handler with options, processes bounds, has an offset.
class ChoosyNode : public TestNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SetAll<int>(cc->Inputs());
    SetAll<int>(cc->Outputs());
    cc->SetInputStreamHandler("FixedSizeInputStreamHandler");
    SynclineOptions options;
    options.MutableExtension(FixedSizeInputStreamHandlerOptions::ext)
        ->set_trigger_queue_size(7);
    cc->SetInputStreamHandlerOptions(options);
    cc->SetProcessTimestampBounds(true);
    cc->SetTimestampOffset(TimestampDiff(5));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ChoosyNode);

class ServiceNode : public TestNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SetAll<int>(cc->Inputs());
    cc->UseService(kTestService);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ServiceNode);

class OptionalServiceNode : public TestNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SetAll<int>(cc->Inputs());
    cc->UseService(kTestService).Optional();
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(OptionalServiceNode);

class DefaultServiceNode : public TestNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->UseService(kDefaultTestService);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(DefaultServiceNode);

}  // namespace syncline

namespace test_space::inner {

class NamespacedNode : public syncline::CalculatorBase {
 public:
  static absl::Status GetContract(syncline::CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(syncline::CalculatorContext*) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(::test_space::inner::NamespacedNode);

}  // namespace test_space::inner
