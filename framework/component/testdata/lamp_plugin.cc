// An extension in a library of its own. Loaded by component_factory_test.

#include "framework/component/component_factory.h"
#include "framework/component/parameter.h"
#include "framework/component/testdata/lamp.h"

namespace component_test {
namespace {

struct Street : Lamp {
  struct Parameters {
    syncline::Parameter<double> height;

    void RegisterParameters(syncline::Registrar* registrar) {
      registrar->Add(&height, {.key = "height", .headline = "Height in m"});
    }
  };
};

}  // namespace

SYNCLINE_EXTENSION(street_lamps) {
  extension->SetInfo({7, 1}, "street lamps", "From a plug-in", "A. Smith",
                     "2.1", "Apache-2.0");
  extension->Add<Street, Lamp>({7, 2}, "Street", "Lights a street.");
}

}  // namespace component_test
