"""Tests of Debian packages, unpacked into a folder.

    package_tests.py LIST RUNFILES PACKAGES.SH

They look at the packages, run the programs in them, complete their command
lines and compile a calculator against them.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import unittest

import package
import packages as table

LIST, RUNFILES, PACKAGES_FILE = sys.argv[1:4]
TEMPORARY = os.path.join(os.environ.get("TEST_TMPDIR", "/tmp"), "packages")
EPOCH = 1700000000
# The name of an error of CUDA's runtime: who has it linked in.
CUDA_MARK = b"cudaErrorMemoryAllocation"
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8",
    "PYTHONPATH": os.environ["PYTHONPATH"], "SOURCE_DATE_EPOCH": str(EPOCH),
    "DEBFULLNAME": "A Packager", "DEBEMAIL": "packager@syncline.example",
}


def run(command, cwd=None, env=None):
    """(exit status, both outputs together) of a shell's commands."""
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command], cwd=cwd or TEMPORARY,
        env=env or ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False)
    return result.returncode, result.stdout


def made(out, prelude="", **environment):
    """(exit status, output) of the program that users run."""
    return run(
        f"{prelude}{sys.executable} -B {package.__file__} {LIST} {RUNFILES} {PACKAGES_FILE} "
        f"--out={out} --compression=0", env=dict(ENVIRONMENT, **environment))


class Unpacked:
    """All packages in a folder `debs`, and unpacked into `tree`."""

    def __init__(self):
        self.debs = os.path.join(TEMPORARY, "debs")
        self.tree = os.path.join(TEMPORARY, "tree")
        status, self.output = made(self.debs)
        assert status == 0, self.output
        os.makedirs(self.tree)
        for path in self.paths():
            status, output = run(f"dpkg-deb -x {path} {self.tree}")
            assert status == 0, output
        self.libraries = glob.glob(self.tree + "/usr/lib/*-linux-gnu*")[0]
        # In / the system finds them by itself.
        self.env = dict(ENVIRONMENT, PATH=f"{self.tree}/usr/bin:/usr/bin:/bin",
                        LD_LIBRARY_PATH=self.libraries)

    def paths(self):
        return sorted(glob.glob(self.debs + "/**/*.deb", recursive=True))

    def path(self, name):
        return glob.glob(f"{self.debs}/**/{name}_*.deb", recursive=True)[0]

    def field(self, name, field):
        return run(f"dpkg-deb -f {self.path(name)} {field}")[1].strip()

    def run(self, command):
        return run(command, env=self.env)


def write(name, text):
    with open(os.path.join(TEMPORARY, name), "w", encoding="utf-8") as file:
        file.write(text)


class _PackageTest(unittest.TestCase):
    """What all of them share: made and unpacked once."""

    unpacked = None

    @classmethod
    def setUpClass(cls):
        if _PackageTest.unpacked is None:
            _PackageTest.unpacked = Unpacked()


class PackageTest(_PackageTest):

    def test_two_runs_give_the_same_bytes(self):
        again = os.path.join(TEMPORARY, "again")
        status, output = made(again, prelude="umask 077; ", TZ="Asia/Tokyo", LC_ALL="C",
                              HOME="/root")
        self.assertEqual(status, 0, output)
        names = [os.path.relpath(path, self.unpacked.debs) for path in self.unpacked.paths()]
        self.assertGreaterEqual(len(names), 4)
        self.assertEqual(sorted(os.path.relpath(path, again) for path in glob.glob(
            again + "/**/*.deb", recursive=True)), names)
        for name in names:
            status, output = run(f"cmp {self.unpacked.debs}/{name} {again}/{name}")
            self.assertEqual(status, 0, output)
        shutil.rmtree(again)

    def test_files_are_roots_and_as_old_as_the_commit(self):
        for path in self.unpacked.paths():
            for line in run(f"TZ=UTC dpkg-deb -c {path}")[1].splitlines():
                self.assertRegex(line, r"^\S+ root/root +\d+ 2023-11-14 22:13 ")
                # Neither writable by all, nor readable by one.
                self.assertRegex(line, r"^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x|lrwxrwxrwx) ")

    def test_each_file_of_the_installation_is_in_one_package(self):
        items, _ = package.install.read_list(LIST, RUNFILES, package._Layout.VALUES)
        layout = package._Layout()
        listed = "".join(run(f"dpkg-deb -c {path}")[1] for path in self.unpacked.paths())
        for item in items:
            if item.kind != "document":
                self.assertEqual(len(re.findall(
                    rf" \./{re.escape(layout.path(item))}(?: -> .*)?$", listed, re.MULTILINE)), 1,
                    item.path)

    def test_what_each_depends_on(self):
        version = self.unpacked.field("syncline", "Version")
        self.assertRegex(version, r"^\d+\.\d+\.\d+$")
        depends = self.unpacked.field("libsyncline0", "Depends")
        for name in ("libprotobuf", "libabsl", "libgoogle-glog", "libstdc++6", "libc6"):
            self.assertIn(name, depends)
        self.assertNotIn("opencv", depends)
        for name in ("syncline", "libsyncline-dev"):
            self.assertIn(f"libsyncline0 (= {version})", self.unpacked.field(name, "Depends"))
        self.assertNotIn("opencv", self.unpacked.field("syncline", "Depends"))
        self.assertIn("libabsl-dev", self.unpacked.field("libsyncline-dev", "Depends"))
        self.assertEqual(self.unpacked.field("syncline-gxf", "Depends"), "python3, python3-yaml")
        self.assertEqual(self.unpacked.field("syncline-gxf", "Architecture"), "all")
        shlibs = run(f"dpkg-deb -I {self.unpacked.path('libsyncline0')} shlibs")[1]
        self.assertEqual(
            shlibs.splitlines(),
            [f"libsyncline_{name} 0.1 libsyncline0 (>= 0.1), libsyncline0 (<< 0.2~)"
             for name in ("calculators", "framework")])

    def test_documents_are_where_debian_has_them(self):
        for path in self.unpacked.paths():
            name = os.path.basename(path).split("_")[0]
            doc = f"{self.unpacked.tree}/usr/share/doc/{name}"
            status, output = run(f"zcat {doc}/changelog.gz")
            self.assertEqual(status, 0, output)
            self.assertTrue(output.startswith("syncline (0."), output)
            self.assertIn(" -- A Packager <packager@syncline.example>  Tue, 14 Nov 2023 22:13:20 "
                          "+0000", output)
            with open(doc + "/copyright", encoding="utf-8") as file:
                self.assertIn("License: Apache-2.0", file.read())

    def test_the_pages_that_programs_name_are_there(self):
        docs = self.unpacked.tree + "/usr/share/doc/syncline/docs"
        named = set()
        for program in glob.glob(self.unpacked.tree + "/usr/bin/*"):
            help_text = self.unpacked.run(f"{program} --help=all || {program} --help")[1]
            named.update(re.findall(r"\bdocs/([a-z_/]+\.md)", help_text))
        self.assertIn("installing.md", named)
        for name in named:
            self.assertTrue(os.path.exists(f"{docs}/{name}"), name)
        # With the pictures that the pages show.
        self.assertTrue(glob.glob(docs + "/live_page/*.png"))

    def test_nothing_in_a_library_differs_between_builds(self):
        # A checksum of the library as it was linked, with names of nvcc's files; and
        # names that nvcc makes of the folder that it works in.
        names = glob.glob(self.unpacked.libraries + "/*.so.*")
        names += glob.glob(self.unpacked.libraries + "/syncline/plugins/*.so")
        self.assertGreaterEqual(len(names), 2)
        for name in names:
            self.assertNotIn("Build ID", run(f"readelf -n {name}")[1])
            self.assertEqual(
                run(f"strings {name} | grep -E 'tmpxft|GLOBAL__N__[0-9a-f]{{8}}_' || true")[1], "",
                name)

    def test_nothing_names_where_it_was_made(self):
        checkout = os.path.dirname(os.path.dirname(os.path.dirname(
            os.path.realpath(package.__file__))))
        for place, _, names in os.walk(self.unpacked.tree):
            for name in names:
                path = os.path.join(place, name)
                if os.path.islink(path):
                    continue
                with open(path, "rb") as file:
                    contents = file.read()
                for word in (checkout, "/execroot/", TEMPORARY):
                    self.assertNotIn(word.encode(), contents, path)

    def test_a_graph_runs_and_is_looked_into(self):
        write("graph.pbtxt", 'input_stream: "in" node { calculator: '
                   '"PassThroughCalculator" input_stream: "in" output_stream: "out" }')
        write("in.txt", "3 x\n")
        status, output = self.unpacked.run(
            "run_graph --graph=graph.pbtxt --input=in=in.txt --output=out=- "
            "--record=run.syncline --trace=run.trace\n"
            "recording info run.syncline\ntrace stats run.trace")
        self.assertEqual(status, 0, output)
        for text in ("3 x\n", "1 packets of 1 streams", "made by Syncline",
                     "3 calls of 1 node", "PassThroughCalculator"):
            self.assertIn(text, output)

    def test_programs_say_their_version_and_more_in_one_screen(self):
        version = self.unpacked.field("syncline", "Version")
        for program in ("run_graph", "recording", "trace", "view_graph", "import_gxf"):
            status, output = self.unpacked.run(program + " --version")
            self.assertEqual(status, 0, output)
            self.assertTrue(output.startswith(f"{program} (Syncline {version})\n"), output)
            status, output = self.unpacked.run(program + " --help")
            self.assertEqual(status, 0, output)
            self.assertLessEqual(len(output.splitlines()), 40, program)
            self.assertRegex(output.lower(), r"\nexamples:\n")
            self.assertRegex(output.lower(), r"\nexit status: 0 ")

    @unittest.skipUnless(shutil.which("man"), "man-db is not installed")
    def test_each_program_has_a_manual_page(self):
        pages = self.unpacked.tree + "/usr/share/man/man1"
        programs = sorted(os.listdir(self.unpacked.tree + "/usr/bin"))
        self.assertEqual(sorted(os.listdir(pages)), [name + ".1.gz" for name in programs])
        for name in programs:
            status, output = run(f"man --warnings=w -l {pages}/{name}.1.gz 2>&1 >{name}.txt",
                                 env=dict(ENVIRONMENT, MANWIDTH="80"))
            self.assertEqual((status, output), (0, ""), name)
            with open(os.path.join(TEMPORARY, name + ".txt"), encoding="utf-8") as file:
                text = file.read()
            for heading in ("NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "EXAMPLES"):
                self.assertRegex(text, rf"(?m)^{heading}$", name)

    def test_the_import_of_gxf_stands_by_itself(self):
        write("app.yaml", "name: a\ncomponents:\n- name: t\n  type: b::C\n")
        status, output = self.unpacked.run(
            "import_gxf app.yaml --output=app.pbtxt || [[ $? == 1 ]]")
        self.assertEqual(status, 0, output)
        self.assertIn("import_gxf: ", output)
        self.assertNotIn("Traceback", output)
        # A program of Python's that leaves nothing when it is removed.
        self.assertEqual(run(f"find {self.unpacked.tree} -name __pycache__")[1], "")

    def test_a_plugin_is_found_by_its_name(self):
        names = [os.path.basename(path)[:-3]
                 for path in glob.glob(self.unpacked.libraries + "/syncline/plugins/*.so")]
        for name in names:
            status, output = self.unpacked.run(f"run_graph --list_types --plugin={name}")
            self.assertEqual(status, 0, output)
        if "opencv" in names:
            self.assertIn("/optional/", self.unpacked.path("syncline-plugin-opencv"))
            self.assertIn("libopencv-core",
                          self.unpacked.field("syncline-plugin-opencv", "Depends"))
            node = "--describe=ScaleImageCalculator"
            self.assertEqual(self.unpacked.run(f"run_graph {node} --plugin=opencv")[0], 0)
            self.assertEqual(self.unpacked.run(f"run_graph {node}")[0], 1)
            write("scale.pbtxt", 'input_stream: "in" node { calculator: '
                       '"ScaleImageCalculator" input_stream: "in" output_stream: "out" }')
            status, output = self.unpacked.run("run_graph --graph=scale.pbtxt --check")
            self.assertEqual(status, 1)
            self.assertIn("add --plugin=opencv", output)
        else:
            self.assertIn("no syncline-plugin-opencv: the library", self.unpacked.output)
        status, output = self.unpacked.run("run_graph --list_types --plugin=openvc")
        self.assertEqual(status, 1)
        self.assertIn('there is no plug-in "openvc"', output)

    def test_the_page_is_a_package_of_its_own(self):
        for name in ("libsyncline0", "syncline"):
            self.assertNotIn("libmicrohttpd", self.unpacked.field(name, "Depends"))
        plugin = self.unpacked.libraries + "/syncline/plugins/page.so"
        write("page.pbtxt", 'input_stream: "in" node { calculator: '
              '"PassThroughCalculator" input_stream: "in" output_stream: "out" }')
        write("page.txt", "3 x\n")
        command = "run_graph --graph=page.pbtxt --input=in=page.txt --page"
        if not os.path.exists(plugin):
            self.assertIn("no syncline-plugin-page: the library", self.unpacked.output)
        else:
            self.assertIn("libmicrohttpd", self.unpacked.field("syncline-plugin-page", "Depends"))
            self.assertIn("syncline-plugin-page", self.unpacked.field("syncline", "Recommends"))
            status, output = self.unpacked.run(
                f"{command} --page_stay 2>page.log & until grep -q Ctrl-C page.log; do\n"
                "kill -0 $! && sleep 0.05; done\n"
                "python3 - $(sed -n 's/.* is at //p' page.log) <<'END'\n"
                "import sys, urllib.request\n"
                "print(urllib.request.urlopen(sys.argv[1] + 'metrics').read().decode())\n"
                "END\n"
                "kill $!; wait $!")
            self.assertEqual(status, 0, output)
            self.assertIn('syncline_graph_input_packets_total{stream="in"} 1\n', output)
            os.rename(plugin, plugin + ".away")
        try:
            status, output = self.unpacked.run(command)
        finally:
            if os.path.exists(plugin + ".away"):
                os.rename(plugin + ".away", plugin)
        self.assertEqual(status, 1, output)
        self.assertIn("--page: the page is a part of its own, which is not installed", output)
        self.assertIn("Install the package syncline-plugin-page", output)
        # Everything else is as ever.
        self.assertEqual(self.unpacked.run(command.removesuffix(" --page"))[0], 0)

    def test_cuda_is_a_package_of_its_own(self):
        with open(self.unpacked.libraries + "/libsyncline_framework.so", "rb") as file:
            self.assertNotIn(CUDA_MARK, file.read())
        with open(self.unpacked.libraries + "/libsyncline_calculators.so", "rb") as file:
            self.assertNotIn(CUDA_MARK, file.read())
        plugin = self.unpacked.libraries + "/syncline/plugins/cuda.so"
        if not os.path.exists(plugin):
            self.assertIn("no syncline-plugin-cuda: the library", self.unpacked.output)
        else:
            self.assertIn("/optional/", self.unpacked.path("syncline-plugin-cuda"))
            with open(plugin, "rb") as file:
                self.assertIn(CUDA_MARK, file.read())
            copyright_file = "/usr/share/doc/syncline-plugin-cuda/copyright"
            with open(self.unpacked.tree + copyright_file, encoding="utf-8") as file:
                self.assertIn("NVIDIA's", file.read())
            status, output = self.unpacked.run("run_graph --version")
            self.assertEqual(status, 0, output)
            self.assertNotIn("built without CUDA", output)
            os.rename(plugin, plugin + ".away")
        try:
            status, output = self.unpacked.run("run_graph --version; run_graph --device=help")
        finally:
            if os.path.exists(plugin + ".away"):
                os.rename(plugin + ".away", plugin)
        self.assertEqual(status, 0, output)
        self.assertIn("no CUDA device: built without CUDA; to have it, install the package "
                      "syncline-plugin-cuda", output)
        self.assertIn("stand_in:0", output)

    @unittest.skipUnless(shutil.which("lintian"), "lintian is not installed")
    def test_lintian_finds_no_error_and_warns_of_nothing(self):
        # Only here they are not compressed.
        status, output = run(
            "lintian --no-cfg --allow-root --fail-on error,warning --suppress-tags "
            "uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball " +
            " ".join(self.unpacked.paths()))
        self.assertEqual(status, 0, output)
        self.assertNotRegex(output, r"(?m)^[EW]: ")

    def test_what_cannot_be_is_an_error_without_a_trace_of_python(self):
        write("file", "")
        for out, environment, reason in [
                (os.path.join(TEMPORARY, "file"), {}, "--out takes a folder"),
                ("/proc/1/packages", {}, "--out that you may write to"),
                (os.path.join(TEMPORARY, "x"), {"SOURCE_DATE_EPOCH": "now"}, "number of seconds"),
                (os.path.join(TEMPORARY, "x"), {"DEBEMAIL": ""}, "set DEBFULLNAME and DEBEMAIL"),
                (os.path.join(TEMPORARY, "x"), {"PATH": "/nonexistent"}, "apt install dpkg-dev"),
        ]:
            status, output = made(out, **environment) if "PATH" not in environment else made(
                out, prelude="export PATH=/nonexistent; ")
            self.assertEqual(status, 1, output)
            self.assertIn(reason, output)
            self.assertNotIn("Traceback", output)

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_the_version_is_that_of_the_commit(self):
        root = os.path.join(TEMPORARY, "checkout")
        status, output = run(
            f"mkdir {root}; cd {root}; git init -q .; echo a >file; git add file\n"
            "git -c user.name=Author -c user.email=a@syncline.example commit -q -m 'It is new' "
            "--date='2026-01-02 03:04:05 +0200'\n"
            "git log -1 --format=%H",
            env=dict(ENVIRONMENT, GIT_COMMITTER_DATE="2026-01-02 03:04:05 +0200"))
        self.assertEqual(status, 0, output)
        kept = dict(os.environ)
        for name in ("SOURCE_DATE_EPOCH", "DEBFULLNAME", "DEBEMAIL"):
            os.environ.pop(name, None)
        try:
            release = package.read_release("1.2.3", root)
            write("checkout/file", "b")
            changed = package.read_release("1.2.3", root)
        finally:
            os.environ.update(kept)
        commit = output.strip()
        self.assertEqual(release.version, f"1.2.3+git20260102010405.{commit[:8]}")
        self.assertEqual(release.epoch, 1767315845)
        self.assertEqual(release.maintainer, "Author <a@syncline.example>")
        self.assertIn("It is new", release.changes)
        self.assertIn(commit, release.changes[0])
        self.assertEqual(changed.version, release.version + "+changed")

    def test_without_an_optional_library_the_others_are_made(self):
        items = [item for item in package.install.read_list(LIST, RUNFILES)[0]
                 if item.kind != "plugin"]
        found, missing = table.packages(items)
        self.assertEqual([one.name for one in found],
                         ["libsyncline0", "libsyncline-dev", "syncline", "syncline-gxf"])
        self.assertEqual([line.split(":")[0] for line in missing],
                         ["no syncline-plugin-" + name for name in ("cuda", "opencv", "page")])

    def test_a_file_that_no_package_has_is_an_error_with_its_name(self):
        stray = package.install.Item("plugin", "stray.so", text="")
        items = package.install.read_list(LIST, RUNFILES)[0] + [stray]
        with self.assertRaisesRegex(ValueError, "stray.so"):
            table.packages(items)


@unittest.skipUnless(shutil.which("cmake") and shutil.which("pkg-config"),
                     "CMake or pkg-config is not installed")
class DevelopmentTest(_PackageTest):
    """The sample of this folder, which bare_install_test.sh builds, too."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        shutil.copytree(os.path.join(RUNFILES, "syncline/tools/package/sample"),
                        os.path.join(TEMPORARY, "sample"))

    def test_cmake_finds_it(self):
        status, output = self.unpacked.run(
            f"cmake -S sample -B build -DCMAKE_PREFIX_PATH={self.unpacked.tree}/usr\n"
            "cmake --build build\nbuild/hello cmake")
        self.assertEqual(status, 0, output)
        self.assertIn("hello cmake\n", output)

    def test_pkg_config_finds_it(self):
        search = f"export PKG_CONFIG_PATH={self.unpacked.libraries}/pkgconfig\n"
        status, output = self.unpacked.run(
            search + "g++ sample/hello.cc $(pkg-config --cflags --libs syncline_calculators) -o hello\n"
            "./hello pkg-config")
        self.assertEqual(status, 0, output)
        self.assertIn("hello pkg-config\n", output)
        # The system's loader finds what lies in the system's folders.
        status, output = self.unpacked.run(search + "pkg-config --libs syncline_calculators")
        self.assertEqual(status, 0, output)
        self.assertNotIn("rpath", output)


    def output_of(self, name, program):
        """What a C++ program prints that is built against the packages."""
        write(name + ".cc", program)
        status, output = self.unpacked.run(
            f"export PKG_CONFIG_PATH={self.unpacked.libraries}/pkgconfig\n"
            f"g++ {name}.cc $(pkg-config --cflags --libs syncline_calculators) -o {name}; ./{name}")
        self.assertEqual(status, 0, output)
        return output

    def has_plugin(self, name):
        return os.path.exists(f"{self.unpacked.libraries}/syncline/plugins/{name}.so")

    def test_a_program_finds_cuda_and_its_kernels_in_the_plugin(self):
        output = self.output_of("forms", '''
#include <cstdio>
#include "gpu/devices.h"
#include "gpu/kernel_forms.h"
#include "gpu/kernels/image_kernels.h"
int main() {
  using namespace syncline::gpu;
  const bool before = internal::CudaForm::Of(kThreshold) != nullptr;
  const bool has_cuda = BuiltWithCuda();
  const bool after = internal::CudaForm::Of(kThreshold) != nullptr;
  std::printf("%d %d %d\\n", before, has_cuda, after);
}
''')
        self.assertIn("0 1 1\n" if self.has_plugin("cuda") else "0 0 0\n", output)

    def test_a_program_serves_the_page_of_its_graph(self):
        output = self.output_of("paged", '''
#include <iostream>
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/tool/graph_page.h"
int main() {
  syncline::CalculatorGraph graph(
      syncline::ParseTextProtoOrDie<syncline::CalculatorGraphConfig>(
          "input_stream: 'in'"));
  const auto page = syncline::ServeGraphPage(&graph);
  std::cout << (page.ok() ? (*page)->Url() : page.status().ToString()) << "\\n";
}
''')
        self.assertIn("http://127.0.0.1:" if self.has_plugin("page") else
                      "Install the package syncline-plugin-page", output)


class CompletionTest(_PackageTest):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        os.makedirs(os.path.join(TEMPORARY, "here/graphs"))
        for name in ("graph.pbtxt", "graph two.pbtxt", "words.txt"):
            write("here/" + name, "")

    def complete(self, line):
        """What is offered for a command line with the cursor at its end."""
        words = re.findall(r"[^\s=:]+|[=:]", line)
        if line.endswith((" ", "=")):
            words.append("")
        program = words[0]
        source = f"{self.unpacked.tree}/usr/share/bash-completion/completions/{program}"
        quoted = " ".join(f"'{word}'" for word in words)
        status, output = run(
            f"source {source}\ncomplete -p {program} >/dev/null\n"
            f"COMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1}\n"
            f"COMP_LINE='{line}' COMP_POINT={len(line)}\n"
            "_syncline; printf '%s\\n' \"${COMPREPLY[@]}\"",
            cwd=os.path.join(TEMPORARY, "here"), env=self.unpacked.env)
        self.assertEqual(status, 0, output)
        return [offer for offer in output.split("\n") if offer]

    def test_each_program_has_its_completion(self):
        folder = self.unpacked.tree + "/usr/share/bash-completion/completions/"
        for program in os.listdir(self.unpacked.tree + "/usr/bin"):
            # In completion.bash, at its end.
            status, output = run(f"source {folder}{program}; complete -p {program}")
            self.assertEqual((status, output), (0, f"complete -F _syncline {program}\n"))

    def test_flags(self):
        flags = self.complete("run_graph --")
        for flag in ("--graph=", "--input=", "--check", "--page", "--record_when_full=", "--help",
                     "--from=", "--to="):
            self.assertIn(flag, flags)
        self.assertEqual(self.complete("run_graph --graph=g.pbtxt --exp"),
                         ["--explain_after=", "--explore="])
        self.assertIn("--latency_threshold_ms=", self.complete("trace latency --l"))
        self.assertEqual(self.complete("import_gxf --out"), ["--output="])
        for program in ("run_graph", "recording", "trace", "view_graph", "import_gxf"):
            for flag in self.complete(program + " --"):
                self.assertRegex(flag, r"^--[a-z_]+=?$")

    def test_files_where_a_flag_takes_one(self):
        self.assertEqual(self.complete("run_graph --graph=w"), ["words.txt"])
        self.assertEqual(sorted(self.complete("run_graph --graph=gra")),
                         ["graph two.pbtxt", "graph.pbtxt", "graphs"])
        self.assertEqual(self.complete("run_graph --input=in=w"), ["words.txt"])
        self.assertEqual(self.complete("trace stats w"), ["words.txt"])
        self.assertEqual(self.complete("recording cut words.txt --out=w"), ["words.txt"])

    def test_values_that_the_help_names(self):
        self.assertEqual(self.complete("run_graph --record_when_full="), ["block", "drop"])
        self.assertEqual(self.complete("run_graph --check_device_access=t"), ["true"])
        self.assertEqual(self.complete("trace convert x --to=p"), ["perfetto"])
        self.assertEqual(self.complete("recording export x --format=i"), ["images"])
        # A number is the user's.
        self.assertEqual(self.complete("run_graph --explore="), [])

    def test_types(self):
        self.assertEqual(self.complete("run_graph --describe=PassThroughCal"),
                         ["PassThroughCalculator"])

    def test_commands(self):
        self.assertEqual(self.complete("trace "),
                         ["convert", "critical", "diff", "jobs", "latency", "stats"])
        self.assertEqual(self.complete("recording e"), ["export"])

    def test_a_program_with_the_same_main_completes_as_well(self):
        link = os.path.join(TEMPORARY, "here", "my_graph")
        os.symlink(self.unpacked.tree + "/usr/bin/run_graph", link)
        source = self.unpacked.tree + "/usr/share/bash-completion/completions/run_graph"
        status, output = run(
            f"source {source}; complete -F _syncline my_graph; COMP_WORDS=(./my_graph --des) "
            "COMP_CWORD=1 COMP_LINE='./my_graph --des' COMP_POINT=16; _syncline; "
            "printf '%s\\n' \"${COMPREPLY[@]}\"", cwd=os.path.join(TEMPORARY, "here"),
            env=self.unpacked.env)
        os.remove(link)
        self.assertEqual((status, output), (0, "--describe=\n"))


def is_instrumented():
    """A sanitizer's library needs programs of its own."""
    with open(os.path.join(RUNFILES, "syncline/tools/install/libsyncline_framework.so"),
              "rb") as file:
        contents = file.read()
    return any(word in contents for word in (b"__asan_init", b"__tsan_init", b"__ubsan_handle"))


if __name__ == "__main__":
    if is_instrumented():
        print("skipped: a sanitizer's library needs programs of its own")
        sys.exit(0)
    shutil.rmtree(TEMPORARY, ignore_errors=True)
    os.makedirs(TEMPORARY)
    unittest.main(argv=sys.argv[:1], verbosity=2)
