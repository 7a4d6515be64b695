// What the codelets of testdata/*.yaml are as calculators: the graphs that the
// import makes of those files are compiled with them, and one of them is run.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/formats/tensor.h"
#include "framework/parameter.h"

namespace acme {

using namespace syncline;  // NOLINT(build/namespaces): as calculators of users
                           // do

// A codelet without parameters of its own.
struct NoParameters {
  void RegisterParameters(Registrar*) {}
};

// Takes whatever comes; sends a number on each output for each call.
template <typename P>
class Codelet : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.SetAny();
    for (PacketType& output : cc->Outputs()) output.Set<int>();
    return CheckParameters<P>(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    const bool is_source = cc->Inputs().NumEntries() == 0;
    const Timestamp time = is_source ? Timestamp(calls_) : cc->InputTimestamp();
    for (OutputStream& output : cc->Outputs()) {
      if (time >= output.NextTimestampBound()) {
        output.AddPacket(MakePacket<int>(calls_).At(time));
      }
    }
    return ++calls_ == kMaxCalls && is_source ? tool::StatusStop()
                                              : absl::OkStatus();
  }

 private:
  // Of a source that no condition ends.
  static constexpr int kMaxCalls = 1000;
  int calls_ = 0;
};

struct CameraParameters {
  Parameter<std::int64_t> device;
  Parameter<std::vector<double>> rates;
  Parameter<std::vector<std::int64_t>> crop;
  Parameter<std::string> name;
  Parameter<bool> hot;
  void RegisterParameters(Registrar* registrar) {
    registrar->Add(&device, {.key = "device"});
    registrar->Add(&rates,
                   {.key = "rates", .flags = ParameterFlags::kOptional});
    registrar->Add(&crop, {.key = "crop", .flags = ParameterFlags::kOptional});
    registrar->Add(&name, {.key = "name", .flags = ParameterFlags::kOptional});
    registrar->Add(&hot, {.key = "hot", .flags = ParameterFlags::kOptional});
  }
};

struct DriverParameters {
  Parameter<std::string> pool;
  Parameter<std::string> scratch;
  Parameter<std::string> async_scheduling_term;
  void RegisterParameters(Registrar* registrar) {
    registrar->Add(&pool, {.key = "pool"});
    registrar->Add(&scratch, {.key = "scratch"});
    registrar->Add(&async_scheduling_term, {.key = "async_scheduling_term"});
  }
};

struct TensorParameters {
  Parameter<std::int64_t> elements;
  void RegisterParameters(Registrar* registrar) {
    registrar->Add(&elements, {.key = "elements"});
  }
};

// What a number of the `call`-th tensor is.
float NumberOf(int call, int i) { return static_cast<float>(100 * call + i); }

// Sends a tensor of the host in each call, until the term of cuda.yaml ends it.
class TensorSource : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Tag("OUTPUT").Set<Tensor>();
    return CheckParameters<TensorParameters>(cc);
  }
  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(parameters_,
                              ReadParameters<TensorParameters>(cc));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const int elements = static_cast<int>(parameters_.elements.get());
    Tensor tensor(Tensor::ElementType::kFloat32, {elements});
    {
      const auto view = tensor.GetCpuWriteView();
      for (int i = 0; i < elements; ++i) {
        view.buffer<float>()[i] = NumberOf(calls_, i);
      }
    }
    cc->Outputs().Tag("OUTPUT").AddPacket(
        MakePacket<Tensor>(std::move(tensor)).At(Timestamp(calls_)));
    ++calls_;
    return absl::OkStatus();
  }

 private:
  TensorParameters parameters_;
  int calls_ = 0;
};

// Fails unless it has got the five tensors of cuda.yaml as they were sent.
class TensorCheck : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("INPUT").Set<Tensor>();
    return CheckParameters<TensorParameters>(cc);
  }
  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(parameters_,
                              ReadParameters<TensorParameters>(cc));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Tensor& tensor = cc->Inputs().Tag("INPUT").Get<Tensor>();
    const int elements = static_cast<int>(parameters_.elements.get());
    RET_CHECK_EQ(tensor.shape().num_elements(), elements);
    const auto view = tensor.GetCpuReadView();
    for (int i = 0; i < elements; ++i) {
      RET_CHECK_EQ(view.buffer<float>()[i], NumberOf(calls_, i));
    }
    ++calls_;
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext*) override {
    RET_CHECK_EQ(calls_, 5);
    return absl::OkStatus();
  }

 private:
  TensorParameters parameters_;
  int calls_ = 0;
};

struct ReplayParameters {
  Parameter<std::string> target_term;
  Parameter<std::string> driver;
  void RegisterParameters(Registrar* registrar) {
    registrar->Add(&target_term, {.key = "target_term"});
    registrar->Add(&driver, {.key = "driver"});
  }
};

struct ScaleParameters {
  Parameter<double> factor;
  void RegisterParameters(Registrar* registrar) {
    registrar->Add(&factor, {.key = "factor"});
  }
};

class Average : public Codelet<NoParameters> {};
class Camera : public Codelet<CameraParameters> {};
class Control : public Codelet<NoParameters> {};
class Driver : public Codelet<DriverParameters> {};
class Logger : public Codelet<NoParameters> {};
class Motors : public Codelet<NoParameters> {};
class Recorder : public Codelet<NoParameters> {};
class Replay : public Codelet<ReplayParameters> {};
class Scale : public Codelet<ScaleParameters> {};
class Source : public Codelet<NoParameters> {};
class View : public Codelet<NoParameters> {};
class Watch : public Codelet<NoParameters> {};
REGISTER_CALCULATOR(::acme::Average);
REGISTER_CALCULATOR(::acme::Camera);
REGISTER_CALCULATOR(::acme::Control);
REGISTER_CALCULATOR(::acme::Driver);
REGISTER_CALCULATOR(::acme::Logger);
REGISTER_CALCULATOR(::acme::Motors);
REGISTER_CALCULATOR(::acme::Recorder);
REGISTER_CALCULATOR(::acme::Replay);
REGISTER_CALCULATOR(::acme::Scale);
REGISTER_CALCULATOR(::acme::Source);
REGISTER_CALCULATOR(::acme::TensorCheck);
REGISTER_CALCULATOR(::acme::TensorSource);
REGISTER_CALCULATOR(::acme::View);
REGISTER_CALCULATOR(::acme::Watch);

namespace stereo {
class Match : public Codelet<NoParameters> {};
REGISTER_CALCULATOR(::acme::stereo::Match);
}  // namespace stereo
}  // namespace acme

namespace test {

class PingTx : public acme::Codelet<acme::NoParameters> {};
REGISTER_CALCULATOR(::test::PingTx);

// Fails unless it has got what the CountSchedulingTerm of ping.yaml lets pass.
class PingRx : public acme::Codelet<acme::NoParameters> {
 public:
  absl::Status Process(syncline::CalculatorContext*) override {
    ++received_;
    return absl::OkStatus();
  }
  absl::Status Close(syncline::CalculatorContext*) override {
    RET_CHECK_EQ(received_, 10);
    return absl::OkStatus();
  }

 private:
  int received_ = 0;
};
REGISTER_CALCULATOR(::test::PingRx);

// Fails unless it has got the five pairs of ticks.yaml.
class Pairs : public acme::Codelet<acme::NoParameters> {
 public:
  absl::Status Process(syncline::CalculatorContext* cc) override {
    for (const syncline::InputStream& input : cc->Inputs()) {
      RET_CHECK(!input.IsEmpty());
    }
    ++received_;
    return absl::OkStatus();
  }
  absl::Status Close(syncline::CalculatorContext*) override {
    RET_CHECK_EQ(received_, 5);
    return absl::OkStatus();
  }

 private:
  int received_ = 0;
};
REGISTER_CALCULATOR(::test::Pairs);

// Fails unless it has been called between the messages of ticks.yaml, too.
class Clocked : public acme::Codelet<acme::NoParameters> {
 public:
  absl::Status Process(syncline::CalculatorContext* cc) override {
    (cc->Inputs().Tag("INPUT").IsEmpty() ? without_ : with_) += 1;
    return absl::OkStatus();
  }
  absl::Status Close(syncline::CalculatorContext*) override {
    RET_CHECK_EQ(with_, 5);
    RET_CHECK_GE(without_, 1);
    return absl::OkStatus();
  }

 private:
  int with_ = 0;
  int without_ = 0;
};
REGISTER_CALCULATOR(::test::Clocked);

}  // namespace test
