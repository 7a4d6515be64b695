"""Tests of an installation, each in a prefix of its own.

    installation_tests.py LIST RUNFILES PAGE PART

PART `files` looks at what install.py does; `documentation` builds and runs the
page docs/installing.md; `kernels` builds kernels for GPUs with CMake; `plugins`
gives run_graph plug-ins that cannot work.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

import install

LIST, RUNFILES, PAGE, PART = sys.argv[1:5]
# A folder that is not there yet.
TEMPORARY = os.path.join(os.environ.get("TEST_TMPDIR", "/tmp"),
                         f"installation_{PART}")
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent",
               "LC_ALL": "C.UTF-8"}


def run(command, cwd=None, env=None):
    """(exit status, both outputs together) of a shell's commands."""
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command], cwd=cwd or TEMPORARY,
        env=env or ENVIRONMENT, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False)
    return result.returncode, result.stdout


def installed(prefix, *options, env=None):
    """(exit status, output) of the program that users run."""
    return run(
        f"{sys.executable} -B {install.__file__} {LIST} {RUNFILES} "
        f"--prefix={prefix} {' '.join(options)}", env=env)


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(place, name), folder)
                  for place, _, names in os.walk(folder) for name in names)


class FilesTest(unittest.TestCase):

    def setUp(self):
        self.prefix = os.path.join(TEMPORARY, self.id().split(".")[-1])

    def install(self, *options, env=None):
        status, output = installed(self.prefix, *options, env=env)
        self.assertEqual(status, 0, output)
        return output

    def test_a_dry_run_changes_nothing(self):
        output = self.install("--dry_run")
        self.assertIn("would write", output)
        self.assertFalse(os.path.exists(self.prefix))

    def test_what_is_listed_is_installed_once_and_removed_again(self):
        listed = self.install("--list").split()
        output = self.install()
        self.assertEqual(files_below(self.prefix), sorted(listed))
        self.assertIn(f"of which {len(listed) - 1} were written", output)
        self.assertIn("of which 0 were written", self.install())
        os.makedirs(self.prefix + "/lib/of_another")
        self.install("--uninstall")
        self.assertEqual(files_below(self.prefix), [])
        self.assertEqual(os.listdir(self.prefix), ["lib"])
        status, output = installed(self.prefix, "--uninstall")
        self.assertNotEqual(status, 0)
        self.assertIn("nothing that this program installed", output)

    def test_what_an_older_installation_had_is_removed(self):
        self.install()
        old = os.path.join(self.prefix, "include/syncline/old/old.h")
        os.makedirs(os.path.dirname(old))
        open(old, "w", encoding="utf-8").close()
        with open(os.path.join(self.prefix, install._MANIFEST), "a",
                  encoding="utf-8") as manifest:
            manifest.write("include/syncline/old/old.h\n")
        self.assertIn("1 of an older", self.install())
        self.assertFalse(os.path.exists(os.path.dirname(old)))

    def test_a_damaged_manifest_removes_nothing_elsewhere(self):
        self.install()
        with open(os.path.join(self.prefix, install._MANIFEST), "a",
                  encoding="utf-8") as manifest:
            manifest.write("../../somewhere/else\n")
        status, output = installed(self.prefix, "--uninstall")
        self.assertNotEqual(status, 0)
        self.assertIn("../../somewhere/else", output)
        self.assertTrue(os.path.exists(self.prefix + "/bin/run_graph"))

    def test_destdir_is_put_before_the_prefix(self):
        status, output = installed(
            "/usr/local", env=dict(ENVIRONMENT, DESTDIR=self.prefix))
        self.assertEqual(status, 0, output)
        self.assertTrue(
            os.path.exists(self.prefix + "/usr/local/bin/run_graph"))

    def test_a_prefix_that_cannot_be_is_an_error(self):
        os.makedirs(TEMPORARY, exist_ok=True)
        open(self.prefix, "w", encoding="utf-8").close()
        status, output = installed(self.prefix)
        self.assertNotEqual(status, 0)
        self.assertIn("is a file", output)
        status, output = installed("/proc/1/syncline")
        self.assertNotEqual(status, 0)
        self.assertIn("--prefix", output)
        self.assertNotIn("Traceback", output)

    def test_headers_and_protos_have_the_paths_that_code_uses(self):
        self.install()
        for name in [
                "include/syncline/framework/calculator_framework.h",
                "include/syncline/framework/config/calculator.pb.h",
                "include/syncline/framework/c/syncline.h",
                "share/syncline/protos/framework/calculator.proto",
        ]:
            self.assertTrue(os.path.exists(f"{self.prefix}/{name}"), name)
        self.assertEqual(
            [name for name in files_below(self.prefix)
             if "_test." in name or "gtest" in name], [])

    def test_what_an_installed_header_includes_is_installed(self):
        self.install()
        include = self.prefix + "/include/syncline"
        missing = set()
        for name in files_below(include):
            with open(os.path.join(include, name), encoding="utf-8") as file:
                for used in re.findall(r'^#include "([^"]+)"', file.read(),
                                       re.MULTILINE):
                    if (used.split("/")[0] in ("framework", "calculators",
                                               "util", "gpu", "graphs") and
                            not os.path.exists(os.path.join(include, used))):
                        missing.add(f"{name} includes {used}")
        self.assertEqual(sorted(missing), [])

    def test_nothing_names_the_prefix(self):
        self.install()
        for name in files_below(self.prefix):
            with open(os.path.join(self.prefix, name), "rb") as file:
                self.assertNotIn(self.prefix.encode(), file.read(), name)

    def test_run_graph_runs_wherever_the_installation_is(self):
        self.install()
        moved = self.prefix + "_moved"
        os.rename(self.prefix, moved)
        graph = moved + "/graph.pbtxt"
        with open(graph, "w", encoding="utf-8") as file:
            file.write('input_stream: "in" node { '
                       'calculator: "PassThroughCalculator" '
                       'input_stream: "in" output_stream: "out" }')
        status, output = run(
            f"echo '3 x' > in.txt; {moved}/bin/run_graph --graph={graph} "
            "--input=in=in.txt --output=out=-", cwd=moved)
        self.assertEqual(status, 0, output)
        self.assertIn("3 x\n", output)
        status, output = run(f"{moved}/bin/run_graph --version")
        self.assertIn(f"Syncline {install.read_list(LIST, RUNFILES)[1]})",
                      output)


class Project:
    """A folder with the files that the page shows, beside an installation."""

    def __init__(self, name):
        self.folder = os.path.join(TEMPORARY, name)
        self.prefix = os.path.join(TEMPORARY, name + "_prefix")
        self.env = dict(
            ENVIRONMENT, PREFIX=self.prefix,
            PKG_CONFIG_PATH=self.prefix + "/lib/pkgconfig")
        os.makedirs(self.folder)
        status, output = installed(self.prefix)
        assert status == 0, output

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w",
                  encoding="utf-8") as file:
            file.write(text)

    def run(self, command):
        return run(command, cwd=self.folder, env=self.env)


def fences():
    """(language, word, text) of each fence of the page."""
    with open(PAGE, encoding="utf-8") as page:
        return re.findall(r"^```(\S+) ?(\S*)\n(.*?)^```$", page.read(),
                          re.MULTILINE | re.DOTALL)


class DocumentationTest(unittest.TestCase):

    def test_the_code_on_the_page_does_what_it_says(self):
        project = Project("shout")
        output = None
        runs = 0
        for language, word, text in fences():
            if word == "run":
                uses = {name for name in ("cmake", "pkg-config", "python3")
                        if name in text and shutil.which(name) is None}
                self.assertFalse(uses, "not installed")
                status, output = project.run(text)
                self.assertEqual(status, 0, f"{text}\n{output}")
                runs += 1
            elif word == "output":
                self.assertIn(f"\n{text}", f"\n{output}")
            elif word:
                project.write(word, text)
        self.assertEqual(runs, 5)


_KERNEL_HEADER = """
#include "gpu/kernel.h"
struct HalveParameters { float addend; };
extern const syncline::gpu::Kernel kHalve;
"""

_KERNEL = """
#include "halve_kernel.h"
#include <cstdint>
#include "gpu/element_kernel.h"
using syncline::gpu::Elements;
SYNCLINE_DEVICE_FUNCTION void Halve(std::int64_t i,
                                    const HalveParameters& parameters,
                                    Elements<const float> in,
                                    Elements<float> out) {
  out[i] = in[i] / FACTOR + parameters.addend;
}
SYNCLINE_ELEMENT_KERNEL(kHalve, Halve);
"""

_KERNEL_MAIN = """
#include <cstdio>
#include "halve_kernel.h"
int main() {
  float in[] = {1, 2, 3}, out[3];
  HalveParameters parameters = {10};
  syncline::gpu::KernelBuffer buffers[] = {{in, sizeof(in), false},
                                           {out, sizeof(out), true}};
  kHalve.stand_in({.count = 3, .buffers = buffers, .num_buffers = 2,
                   .parameters = &parameters,
                   .parameters_size = sizeof(parameters)});
  std::printf("%s %g %g %g %s CUDA\\n", kHalve.name, out[0], out[1], out[2],
              kHalve.cuda ? "with" : "without");
}
"""

_KERNEL_PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(halve CXX)
find_package(Syncline 0.1 REQUIRED)
add_executable(halve main.cc)
target_link_libraries(halve PRIVATE Syncline::framework)
target_compile_definitions(halve PRIVATE FACTOR=2)
syncline_add_kernel(halve kernels/halve_kernel.cu)
target_include_directories(halve PRIVATE kernels)
"""


class KernelsTest(unittest.TestCase):
    """A project's own .cu file, with and without nvcc."""

    @classmethod
    def setUpClass(cls):
        cls.project = Project("kernels")
        os.makedirs(os.path.join(cls.project.folder, "kernels"))
        cls.project.write("CMakeLists.txt", _KERNEL_PROJECT)
        cls.project.write("main.cc", _KERNEL_MAIN)
        cls.project.write("kernels/halve_kernel.h", _KERNEL_HEADER)
        cls.project.write("kernels/halve_kernel.cu", _KERNEL)

    def build(self, folder, options=""):
        # One architecture is enough here.
        status, output = self.project.run(
            f"cmake -S . -B {folder} -DCMAKE_PREFIX_PATH=$PREFIX "
            f"-DSYNCLINE_CUDA_ARCHITECTURES=75 {options}\n"
            f"cmake --build {folder}\n{folder}/halve")
        self.assertEqual(status, 0, output)
        return output

    def test_a_kernel_has_both_forms_where_the_toolkit_is(self):
        has_cuda = os.path.exists("/usr/local/cuda/bin/nvcc")
        self.assertIn("Halve 10.5 11 11.5 "
                      f"{'with' if has_cuda else 'without'} CUDA\n",
                      self.build("build"))
        # A header that changes is a reason to compile again.
        header = os.path.join(self.project.folder, "kernels/halve_kernel.h")
        with open(header, "a", encoding="utf-8") as file:
            file.write("// It changed.\n")
        os.utime(header, (time.time() + 5, time.time() + 5))
        output = self.build("build")
        self.assertEqual("Compiling" in output, has_cuda, output)

    def test_without_the_toolkit_there_is_the_form_for_the_host(self):
        self.assertIn("Halve 10.5 11 11.5 without CUDA\n",
                      self.build("build_host", "-DSYNCLINE_NO_CUDA=ON"))

    def test_a_missing_file_or_target_is_named(self):
        for call, reason in [
                ("syncline_add_kernel(halve none.cu)", "none.cu"),
                ("syncline_add_kernel(other none.cu)", "no such target"),
                ("syncline_add_kernel(halve)", "names no .cu file")]:
            folder = os.path.join(self.project.folder, "wrong")
            os.makedirs(folder, exist_ok=True)
            self.project.write("wrong/main.cc", "int main() {}\n")
            self.project.write("wrong/CMakeLists.txt", _KERNEL_PROJECT.replace(
                "syncline_add_kernel(halve kernels/halve_kernel.cu)", call))
            status, output = self.project.run(
                "rm -rf build_wrong; cmake -S wrong -B build_wrong "
                "-DCMAKE_PREFIX_PATH=$PREFIX")
            self.assertNotEqual(status, 0)
            self.assertIn(reason, " ".join(output.split()))


_PLUGIN = """
#include "framework/calculator_framework.h"
#include "framework/subgraph.h"
#include MESSAGES

class NAME : public syncline::CalculatorBase {
 public:
  static absl::Status GetContract(syncline::CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<MESSAGE>();
    return absl::OkStatus();
  }
  absl::Status Process(syncline::CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        syncline::MakePacket<MESSAGE>().At(syncline::Timestamp(0)));
    return syncline::tool::StatusStop();
  }
};
REGISTER_CALCULATOR(NAME);

// In each plug-in that has a place of its own for it.
#ifdef GRAPH_NAME
class GRAPH_NAME : public syncline::Subgraph {
 public:
  absl::StatusOr<syncline::CalculatorGraphConfig> GetConfig(
      const SubgraphOptions& options) override {
    syncline::CalculatorGraphConfig config;
    config.add_output_stream("out");
    auto* node = config.add_node();
    node->set_calculator(CALCULATOR);
    node->add_output_stream("out");
    return config;
  }
};
REGISTER_SYNCLINE_GRAPH(GRAPH_NAME);
#endif
"""

_MESSAGES = """
syntax = "proto2";
package plugin_messages;
message Note { optional string text = 1; }
"""


class PluginsTest(unittest.TestCase):
    """Plug-ins are built with g++ and pkg-config."""

    @classmethod
    def setUpClass(cls):
        cls.project = Project("plugins")
        cls.project.write("messages.proto", _MESSAGES)
        cls.project.write("one.cc", _PLUGIN)
        cls.run_all(
            "protoc --cpp_out=. messages.proto",
            cls.compiling("messages.pb.cc", "messages.o"),
            cls.compiling(
                "one.cc", "one.o", "-DMESSAGE=std::string "
                "-DMESSAGES='<string>' -DNAME=PlugThroughCalculator "
                "-DGRAPH_NAME=OneGraph -DCALCULATOR='\"NoteCalculator\"'"),
            cls.compiling(
                "one.cc", "note.o", "-DMESSAGE=plugin_messages::Note "
                "-DMESSAGES='\"messages.pb.h\"' -DNAME=NoteCalculator"))
        # Those of two.cc differ from these in a name, so nothing is compiled
        # for them.
        cls.rename("one.o", "same_name.o")
        cls.rename("one.o", "taken_name.o", "PlugThrough", "PassThrough")
        cls.rename("note.o", "second_note.o", "NoteCalc", "BookCalc")
        cls.run_all(
            cls.linking("one"), cls.linking("same_name"),
            cls.linking("taken_name"), cls.linking("note", "messages.o"),
            cls.linking("second_note", "messages.o"))

    @classmethod
    def run_all(cls, *commands):
        status, output = cls.project.run("\n".join(commands))
        assert status == 0, output

    @staticmethod
    def compiling(source, out, defines=""):
        return (f"g++ -c -fPIC {defines} {source} -o {out} "
                "$(pkg-config --cflags syncline)")

    @staticmethod
    def linking(name, more=""):
        return (f"g++ -shared {name}.o {more} -o {name}.so "
                "$(pkg-config --libs syncline)")

    @classmethod
    def rename(cls, source, out, old_name="", new_name=""):
        """An object file as if two.cc had the new name in place of the old."""
        folder = cls.project.folder
        with open(os.path.join(folder, source), "rb") as file:
            code = file.read()
        for old, new in (("one.cc", "two.cc"), (old_name, new_name)):
            assert len(old) == len(new) and old.encode() in code, old
            code = code.replace(old.encode(), new.encode())
        with open(os.path.join(folder, out), "wb") as file:
            file.write(code)

    def run_graph(self, node, *plugins):
        self.project.write(
            "graph.pbtxt",
            f'node {{ calculator: "{node}" output_stream: "out" }}')
        return self.project.run(
            "$PREFIX/bin/run_graph --graph=graph.pbtxt --output=out=- " +
            " ".join("--plugin=" + plugin for plugin in plugins))

    def expect_error(self, status, output, *parts):
        # Neither a crash, which is 128 and more, nor a success.
        self.assertEqual(status, 1, output)
        for part in parts:
            self.assertIn(part, output)

    def test_a_subgraph_of_one_uses_a_calculator_of_another(self):
        status, output = self.run_graph("OneGraph", "one.so", "note.so")
        self.assertEqual(status, 0, output)

    def test_a_plugin_given_twice_is_opened_once(self):
        status, output = self.run_graph("PlugThroughCalculator", "one.so",
                                        "one.so")
        self.assertEqual(status, 0, output)

    def test_a_taken_name_is_an_error_with_both_origins(self):
        self.expect_error(
            *self.run_graph("PlugThroughCalculator", "one.so", "same_name.so"),
            '"PlugThroughCalculator" is registered twice', 'one.so"', "one.cc:",
            'same_name.so"', "two.cc:")
        self.expect_error(
            *self.run_graph("PassThroughCalculator", "taken_name.so"),
            '"PassThroughCalculator" is registered twice',
            "pass_through_calculator.cc:", "libsyncline_calculators.so",
            "two.cc:", 'taken_name.so"')

    def test_a_proto_that_is_there_is_an_error_with_its_name(self):
        self.expect_error(
            *self.run_graph("NoteCalculator", "note.so", "second_note.so"),
            '"messages.proto"', "second_note.so")

    def test_another_version_is_an_error_with_both(self):
        with open(os.path.join(self.project.folder, "one.so"), "rb") as file:
            library = file.read()
        other = library.replace(b"syncline_abi_0.1", b"syncline_abi_0.7")
        self.assertNotEqual(library, other)
        with open(os.path.join(self.project.folder, "other.so"), "wb") as file:
            file.write(other)
        self.expect_error(
            *self.run_graph("PlugThroughCalculator", "other.so"),
            "built against Syncline 0.7", "Syncline 0.1", "other.so")

    def test_what_is_no_plugin_is_an_error_with_its_name(self):
        for plugin, reason in [
            ("none.so", "cannot open the file"),
            ("one.cc", "no shared library"),
            (".", "no ordinary file"),
            ("$PREFIX/bin/run_graph", ""),
            ("$PREFIX/lib/libsyncline_framework.so", ""),
        ]:
            status, output = self.run_graph("PlugThroughCalculator", plugin)
            self.assertEqual(status, 1, f"{plugin}: {output}")
            self.assertIn(reason, output)


def is_instrumented():
    """Whether the libraries are a sanitizer's, which plain programs cannot
    open: the sanitizer has to be in the program from its start."""
    for library in glob.glob(os.path.join(
            RUNFILES, "syncline/tools/install/libsyncline_framework.so")):
        with open(library, "rb") as file:
            contents = file.read()
        return any(word in contents for word in (
            b"__asan_init", b"__tsan_init", b"__ubsan_handle"))
    return False


if __name__ == "__main__":
    if is_instrumented():
        print("skipped: a sanitizer's library needs programs of its own")
        sys.exit(0)
    shutil.rmtree(TEMPORARY, ignore_errors=True)
    os.makedirs(TEMPORARY)
    unittest.main(argv=sys.argv[:1], verbosity=2, defaultTest={
        "files": "FilesTest", "documentation": "DocumentationTest",
        "kernels": "KernelsTest",
        "plugins": "PluginsTest"}[PART])
