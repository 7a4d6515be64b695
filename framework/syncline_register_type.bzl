"""syncline_register_type: names for types of packets, without writing a .cc file.

    load("//framework:syncline_register_type.bzl", "syncline_register_type")

    syncline_register_type(
        base_name = "pose",
        include_headers = ["my_project/pose.pb.h"],
        types = ["::my_project::Pose", "::std::vector<::my_project::Pose>"],
        deps = [":pose_cc_proto"],
    )

gives :pose_registration, a library that gives each type its own spelling as its
name (framework/type_map.h): error texts and other languages then know it.
"""

_TEXT = """// Names of packet types; written by syncline_register_type.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "framework/type_map.h"
{includes}

namespace syncline {{
namespace {{
{registrations}
}}  // namespace
}}  // namespace syncline
"""

_REGISTRATION = """
using RegisteredType{i} = {type};
SYNCLINE_REGISTER_TYPE_WITH_PROXY(RegisteredType{i}, "{type}", nullptr, nullptr);
"""

def syncline_register_type(base_name, types, deps = [], include_headers = [], visibility = None):
    """Makes the library :BASE_NAME_registration.

    Args:
      base_name: what the library is called, before "_registration".
      types: C++ types as they are spelled from the global namespace.
      deps: the libraries of their headers.
      include_headers: the headers, by their paths from the root.
      visibility: of the library.
    """
    text = _TEXT.format(
        includes = "\n".join(["#include \"%s\"" % h for h in include_headers]),
        registrations = "".join([
            _REGISTRATION.format(i = i, type = types[i])
            for i in range(len(types))
        ]),
    )
    source = base_name + "_registration.cc"
    native.genrule(
        name = base_name + "_registration_source",
        outs = [source],
        cmd = "cat > $@ <<'END_OF_SOURCE'\n" + text + "END_OF_SOURCE\n",
        visibility = ["//visibility:private"],
    )
    native.cc_library(
        name = base_name + "_registration",
        srcs = [source],
        deps = deps + ["//framework:type_map"],
        visibility = visibility,
        alwayslink = True,
    )
