"""What the tables of the port promise is in this very tree."""
import os
import re
import unittest

from port import abseil, findings, implied, known_labels, labels
from port.checkout import Checkout, read_text
from port.names import translate

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
_CHECKOUT = Checkout(_ROOT)


def _exists(label):
    """Whether a label on the right side of a table is there."""
    repository, package, name = labels.split(label)
    if repository is None:
        return package == "visibility" or name.startswith("__") or \
            _CHECKOUT.has_label(package, name)
    if repository == "com_google_absl":
        return _CHECKOUT.has_abseil(package[len("absl/"):], name)
    system = "".join(
        read_text(os.path.join(_ROOT, "third_party/system", file)) or ""
        for file in os.listdir(os.path.join(_ROOT, "third_party/system")))
    # What optional_library makes has the name of its repository.
    return repository in _CHECKOUT.repositories and (
        name == repository or f'"{name}' in system) or \
        name in ("any_proto", "descriptor_proto")


class TreeTest(unittest.TestCase):

    def assert_there(self, label):
        if not _exists(label):
            self.fail(f"{label} is not in the tree")

    def test_labels_of_the_tables(self):
        for table in (labels.TABLE, abseil.LABELS, implied.LABELS):
            for label in filter(None, table.values()):
                self.assert_there(label)

    def test_labels_that_users_name(self):
        for package, names in known_labels.PRESENT.items():
            for name in names.split():
                self.assert_there(f"//{package}:{translate(name)}")

    def test_headers_that_rules_write(self):
        headers = {*implied.NEEDS.values(), *implied.ABSEIL.values(),
                   *implied.REPLACEMENTS.values()} | {
            header for header in abseil.HEADERS.values() if header}
        for header in headers:
            self.assertTrue(_CHECKOUT.has_include(header) or
                            _CHECKOUT.has_system_include(header), header)

    def test_libraries_of_headers_that_rules_write(self):
        for header in [*implied.ABSEIL.values(), *implied.REPLACEMENTS.values()]:
            if header.startswith(("absl/", "glog/")):
                self.assert_there(implied.label(header, _CHECKOUT) or header)

    def test_macros_that_rules_write(self):
        defined = set()
        for folder in ("framework", "framework/base", "framework/port", "framework/calculator",
                       "framework/calculator/legacy",
                       "framework/expansion", "framework/api2", "framework/packet"):
            for name in os.listdir(os.path.join(_ROOT, folder)):
                text = read_text(os.path.join(_ROOT, folder, name)) or ""
                defined.update(re.findall(r"#define (\w+)", text))
        macros = set(abseil.STATUS_MACROS.values()) | {"SYNCLINE_CHECK_OK"} | {
            name for name in implied.NEEDS if name.isupper() and name != "SYNCLINE_DISABLE_OPENCV"}
        macros |= {translate(name) for name in (
            "MEDIAPIPE_LOC", "MEDIAPIPE_REGISTER_NODE", "MEDIAPIPE_NODE_CONTRACT",
            "MEDIAPIPE_NODE_INTERFACE", "MEDIAPIPE_REGISTER_TYPE", "REGISTER_MEDIAPIPE_GRAPH")}
        self.assertEqual(macros - defined, set())

    def test_bazel_macros_that_rules_write(self):
        for path, name in (("framework/port/build_config.bzl", "syncline_proto_library"),
                           ("framework/port/build_config.bzl", "syncline_cc_proto_library"),
                           ("framework/tool/syncline_graph.bzl", "syncline_simple_subgraph"),
                           ("framework/tool/syncline_graph.bzl", "syncline_binary_graph"),
                           ("framework/syncline_register_type.bzl", "syncline_register_type"),
                           ("framework/syncline_cc_test.bzl", "syncline_cc_test")):
            self.assertIn(name, _CHECKOUT.macros(path))

    def test_places_that_advice_names(self):
        advice = " ".join([text for _, text in findings.NAME_ADVICE.values()] +
                          [text for _, text in findings.INCLUDE_ADVICE] +
                          list(findings.REPOSITORY_ADVICE.values()))
        paths = set(re.findall(r"\b(?:framework|docs|tools)/[\w/.]+\w", advice))
        self.assertIn("framework/plan/compile.h", paths)
        for path in paths:
            self.assertTrue(os.path.exists(os.path.join(_ROOT, path)), path)
        self.assertIn("Add an input stream handler",
                      read_text(os.path.join(_ROOT, "CONTRIBUTING.md")))


if __name__ == "__main__":
    unittest.main()
