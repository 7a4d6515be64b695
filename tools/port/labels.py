"""Bazel labels: MediaPipe's as ours.

Nearly all go by the rule: //mediapipe/X:Y is //X:Y.  The table holds the rest;
port_test checks that whatever it promises is in the tree.
"""
import difflib
import os
import re

from port import abseil, findings
from port.names import strip_root, translate

_GTEST = "@com_google_googletest//:"
_PROTOBUF = "@com_google_protobuf//:"
_EIGEN = "@eigen//:eigen3"

# Label -> label, or None: nothing is needed in its place.
TABLE = {
    "//third_party:glog": abseil.GLOG_LABEL,
    "@com_github_glog_glog//:glog": abseil.GLOG_LABEL,
    "@glog//:glog": abseil.GLOG_LABEL,
    "@glog": abseil.GLOG_LABEL,
    "@com_github_gflags_gflags//:gflags": "@com_github_gflags_gflags//:gflags",
    "//third_party:eigen3": _EIGEN,
    "@eigen_archive//:eigen": _EIGEN,
    "@eigen_archive//:eigen3": _EIGEN,
    "@eigen//:eigen": _EIGEN,
    "@eigen//:eigen3": _EIGEN,
    "@googletest//:gtest": _GTEST + "gtest",
    "@googletest//:gtest_main": _GTEST + "gtest_main",
    "@com_google_googletest//:gtest": _GTEST + "gtest",
    "@com_google_googletest//:gtest_main": _GTEST + "gtest_main",
    "@google_benchmark//:benchmark": "@com_github_google_benchmark//:benchmark",
    "@com_googlesource_code_re2//:re2": "@re2//:re2",
    "@com_google_benchmark//:benchmark": "@com_github_google_benchmark//:benchmark",
    "@protobuf//:protobuf": _PROTOBUF + "protobuf",
    "@com_google_protobuf//:protobuf": _PROTOBUF + "protobuf",
    "@com_google_protobuf//:protobuf_lite": _PROTOBUF + "protobuf",
    "@com_google_protobuf//:any_proto": _PROTOBUF + "any_proto",
    "@com_google_protobuf//:any_cc_proto": None,
    "@com_google_protobuf//:descriptor_proto": _PROTOBUF + "descriptor_proto",
    "@com_google_protobuf//:protobuf_headers": _PROTOBUF + "protobuf",
    # For the whole workspace.  "//visibility:public" could not stand beside other labels.
    "//mediapipe/framework:mediapipe_internal": "//:__subpackages__",
    "//mediapipe:__subpackages__": "//:__subpackages__",
}

# select() conditions whose answer is known: Syncline builds for Linux, with the
# CPU (CUDA is separate), with OpenCV where it is installed.
CONDITIONS = {
    "//mediapipe/gpu:disable_gpu": True,
    "//mediapipe/framework/port:disable_opencv": False,
    "//mediapipe:linux": True, "@platforms//os:linux": True,
    **dict.fromkeys([
        "//mediapipe:android", "//mediapipe:ios", "//mediapipe:apple", "//mediapipe:macos",
        "//mediapipe:windows", "//mediapipe:emscripten", "//mediapipe:macos_i386",
        "//mediapipe:macos_x86_64", "//mediapipe:macos_arm64", "//mediapipe:ios_sim_arm64",
        "//mediapipe:android_x86", "//mediapipe:android_x86_64", "//mediapipe:android_arm",
        "//mediapipe:android_arm64", "//mediapipe:android_armeabi", "//mediapipe:xcode",
        "//mediapipe/gpu:metal", "//mediapipe/framework:android_no_jni",
        "//mediapipe/gpu:two_pass_gl", "@platforms//os:android", "@platforms//os:ios",
        "@platforms//os:macos", "@platforms//os:osx", "@platforms//os:windows",
        "@platforms//os:emscripten"], False),
}

# What some rules are called: native in this Bazel, so their load goes.
NATIVE_RULES = {
    "cc_binary", "cc_import", "cc_library", "cc_proto_library", "cc_test", "proto_library",
    "java_binary", "java_library", "java_proto_library", "java_lite_proto_library",
    "py_binary", "py_library", "py_test", "sh_binary", "sh_library", "sh_test", "package",
}

_OPTIONS = "_options_lib"
_LABEL = re.compile(r"(?:@{1,2}(?P<repo>[\w.+~-]*))?(?://(?P<package>[^:]*))?(?::(?P<name>.+))?$")


def is_label(text):
    return text.startswith(("//", "@")) and _LABEL.match(text) is not None


def split(label):
    """(repository or None, package, target) of a label, or of what is none."""
    found = _LABEL.match(label)
    if found is None:
        return None, "", label
    package = found["package"] or ""
    name = found["name"] or (package.rpartition("/")[2] if found["package"] is not None
                             else found["repo"])
    return found["repo"], package, name


def join(package, name):
    short = package.rpartition("/")[2] == name
    return f"//{package}" if short else f"//{package}:{name}"


def short(label):
    """A label of the workspace, in its shortest form."""
    repo, package, name = split(label)
    return label if repo else join(package, name)


def port_label(label, port):
    """(the label here, or None to drop it; what is wrong with it, or None)."""
    label = local(label, port)
    if label in TABLE:
        return TABLE[label], None
    repo, package, name = split(label)
    if repo in (None, "") and (package == "..." or package.endswith("/...")):
        return pattern(label, port), None
    if repo in abseil.REPOSITORIES:
        return _abseil(package, name, port)
    if repo in ("mediapipe", "org_mediapipe") or (repo in (None, "") and (
            package == "mediapipe" or package.startswith("mediapipe/"))):
        return _mediapipe(package, name, label, port)
    if repo:
        return label, _repository(label, repo, port)
    if package.startswith("visibility") or package.startswith("conditions"):
        return label, None
    return _other(label, package, name, port)


def local(label, port):
    """A label that names its own workspace, or MediaPipe's, without that name."""
    return in_workspace(label, port.tree.workspaces)


def in_workspace(label, names):
    """The same, by the names of the workspace."""
    found = re.match(r"@{1,2}([\w.+~-]*)(?=//)", label)
    if found and (found[1] in ("", "mediapipe", "org_mediapipe") or found[1] in names):
        return label[found.end():]
    return label


def pattern(text, port):
    """What a group of packages names: "//X", "//X/..." or one of them behind a "-"."""
    sign, path = ("-", text[1:]) if text.startswith("-") else ("", text)
    path = local(path, port)
    if path == "public":
        return sign + "//..."  # this Bazel (4.2) has no name for it
    if not path.startswith("//"):
        return text
    path, dots = (path[2:-len("...")].rstrip("/"), "...") if path.endswith("...") else (
        path[2:], "")
    if path == "mediapipe" or path.startswith("mediapipe/") or (
            port.options.at is not None and path and port.tree.own_package(path)):
        path = port.tree.moved_path(path)
    return sign + "//" + os.path.join(path, dots).rstrip("/")


def _abseil(package, name, port):
    key = package if package.rpartition("/")[2] == name else f"{package}:{name}"
    if f"{package}:{name}" in abseil.LABELS or key in abseil.LABELS:
        return abseil.LABELS.get(key, abseil.LABELS.get(f"{package}:{name}")), None
    if not port.checkout.has_abseil(package[len("absl/"):], name):
        return None, (f'Debian\'s Abseil (20220623) has no "{join(package, name)}": the dep is '
                      "left out; do without it")
    return "@com_google_absl" + join(package, name), None


def _mediapipe(package, name, label, port):
    if name.startswith("__"):
        return f"//{port.tree.moved_path(package)}:{name}", None
    own = port.tree.own_package(package)
    if own is not None and own[1].has(name) or port.tree.own_file(f"{package}/{name}"):
        final = own[0] if own is not None else port.tree.moved_path(package)
        return join(final, name), None
    new = "" if package == "mediapipe" else strip_root(package)
    for candidate in _candidates(name):
        if port.checkout.has_label(new, candidate):
            return join(new, candidate), None
    if own is not None and own[1].maker(name):
        return join(own[0], name), None
    first = join(new, translate(name))
    return (first, f'Syncline has no "{first}"' +
            _advice(new, translate(name), own is not None, port))


def offers(label, port):
    """Whether Syncline itself has what a label of MediaPipe's names."""
    _, package, name = split(label)
    new = "" if package == "mediapipe" else strip_root(package)
    return any(port.checkout.has_label(new, candidate) for candidate in _candidates(name))


def _candidates(name):
    """What a target may be called here."""
    found = [translate(name), name]
    if name.endswith(_OPTIONS):
        # It links the messages of a .proto; so does the library of their code here.
        found += [translate(name[:-len(_OPTIONS)]) + "_cc_proto"]
    return found


def _advice(package, name, own, port):
    advice = findings.include_advice(f"{package}/{name}.h")
    if advice:
        return ": " + advice
    if own:
        return ", and what this tree has of it is not enough to build it"
    targets = port.checkout.targets(package)
    if targets is None:
        return f': there is no package "//{package}"; port that folder too, or do without it'
    near = difflib.get_close_matches(name, targets, 1, 0.7)
    return f': the nearest is ":{near[0]}"' if near else ": port it too, or do without it"


def _repository(label, repo, port):
    if repo in port.checkout.repositories or repo in ("bazel_tools", "platforms", "local_config"):
        return None
    advice = findings.REPOSITORY_ADVICE.get(
        repo, "bring the repository along, or do without it")
    return f'"{label}": Syncline\'s WORKSPACE has no @{repo}: {advice}'


def _other(label, package, name, port):
    own = port.tree.own_package(package)
    if own is not None and own[1].has(name) or port.tree.own_file(package + "/" + name):
        if own is not None and port.options.at is not None:
            return join(own[0], name), None
        return label, None
    if port.checkout.has_label(package, name) or name.startswith("__"):
        return label, None
    if own is not None and own[1].maker(name):
        return (join(own[0], name) if port.options.at is not None else label), None
    if package == "third_party" or package.startswith("third_party/"):
        return label, (f'"{label}" is MediaPipe\'s third_party: take the library from the '
                       "machine, as //third_party/repositories.bzl does")
    return label, f'neither this tree nor Syncline has "{label}"'
