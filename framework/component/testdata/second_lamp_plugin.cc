// An extension with an id that component_factory_test has. It cannot be loaded.

#include "framework/component/component_factory.h"
#include "framework/component/testdata/lamp.h"

namespace component_test {
namespace {

struct Desk : Lamp {};

}  // namespace

SYNCLINE_EXTENSION(second) {
  extension->SetInfo({8, 1}, "second", "", "", "", "");
  extension->Add<Desk, Lamp>({1, 2}, "Desk");
}

}  // namespace component_test
