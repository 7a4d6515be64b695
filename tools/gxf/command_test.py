"""The command as users run it: what it prints, what it writes, its exit status."""
import os
import subprocess
import sys
import tempfile
import unittest

_SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "import_gxf")
_GOOD = "name: e\ncomponents: [{type: a::C}]\n"
_BAD = "name: e\ncomponents: [{type: a::C}, {type: 'nvidia::gxf::CudaStreamPool'}]\n"


class CommandTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.environment = dict(os.environ)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def run_import(self, *arguments):
        done = subprocess.run([sys.executable, _SCRIPT, *arguments], cwd=self.folder,
                              env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        self.out = done.stdout.decode(errors="replace")
        self.err = done.stderr.decode(errors="replace")
        self.assertNotIn("Traceback", self.err)
        return done.returncode

    def test_prints_the_graph_and_reports_on_standard_error(self):
        self.write("app.yaml", _GOOD)
        self.assertEqual(self.run_import("app.yaml"), 0)
        self.assertEqual(self.out, '# From app.yaml by import_gxf.\nnode {\n  name: "e"\n'
                         '  calculator: "a.C"\n}\n')
        self.assertEqual(self.err, 'app.yaml:2: note: a::C is the calculator "a.C"; --types names '
                         "another.\nimport_gxf: 1 nodes, 0 not mapped, 0 differ, 1 notes\n")

    def test_writes_files(self):
        self.write("app.yaml", _GOOD)
        self.assertEqual(self.run_import("app.yaml", "--output=g.pbtxt", "--report=r.txt"), 0)
        self.assertEqual((self.out, self.err), ("", ""))
        self.assertIn('calculator: "a.C"', self.read("g.pbtxt"))
        self.assertIn("import_gxf: 1 nodes", self.read("r.txt"))

    def test_what_is_not_mapped_is_status_1_and_the_graph_is_written(self):
        self.write("app.yaml", _BAD)
        self.assertEqual(self.run_import("app.yaml"), 1)
        self.assertIn("# Not mapped: app.yaml:2: the nvidia::gxf::CudaStreamPool", self.out)
        self.assertIn('calculator: "a.C"', self.out)
        self.assertIn("app.yaml:2: not mapped: the nvidia::gxf::CudaStreamPool", self.err)

    def test_types_come_from_a_table(self):
        self.write("app.yaml", _GOOD)
        self.write("types.yaml", "a::C: MyCalculator\n")
        self.assertEqual(self.run_import("app.yaml", "--types=types.yaml"), 0)
        self.assertIn('calculator: "MyCalculator"', self.out)
        for text in ("- a", "a::C: [b]", "a::C: ''"):
            self.write("types.yaml", text)
            self.assertEqual(self.run_import("app.yaml", "--types=types.yaml"), 2)
            self.assertIn("types.yaml:1: ", self.err)

    def test_a_type_that_nothing_has_is_told(self):
        self.write("app.yaml", _GOOD)
        self.write("types.yaml", "a::C: My\n\na::Camera: Mine\na::Gone:\n")
        self.assertEqual(self.run_import("app.yaml", "--types=types.yaml"), 0)
        self.assertIn('types.yaml:3: note: no component has the type "a::Camera"', self.err)
        self.assertIn('types.yaml:4: note: no component has the type "a::Gone"', self.err)
        self.assertNotIn('"a::C"', self.err)

    def test_what_cannot_be_read_or_written_is_status_2(self):
        self.write("app.yaml", _GOOD)
        self.write("bad.yaml", "name: e\ncomponents: [\n")
        for arguments, why in ((("none.yaml",), "none.yaml: No such file"),
                               (("bad.yaml",), "bad.yaml:3: "), ((".",), "Is a directory"),
                               ((), "usage"), (("app.yaml", "--color"), "--color"),
                               (("app.yaml", "--output=no/g"), '"no/g": No such file'),
                               (("app.yaml", "--types=none"), "none: No such file")):
            self.assertEqual(self.run_import(*arguments), 2, arguments)
            self.assertIn(why, self.err)
            self.assertEqual(self.out, "")

    def test_a_full_disk_is_told_with_the_name_of_the_file(self):
        self.write("app.yaml", _GOOD)
        for option in "--output", "--report":
            self.assertEqual(self.run_import("app.yaml", f"{option}=/dev/full"), 2)
            self.assertIn('"/dev/full": No space left on device', self.err)

    def run_shell(self, command):
        """import_gxf where `command` says {}."""
        done = subprocess.run(["bash", "-c", command.format(f"'{sys.executable}' '{_SCRIPT}'")],
                              cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.out, self.err = done.stdout.decode(), done.stderr.decode()
        self.assertNotIn("Traceback", self.err)
        return done.returncode

    def test_a_file_without_room_is_not_left_empty(self):
        self.write("app.yaml", _GOOD)
        self.assertEqual(self.run_shell("trap '' XFSZ; ulimit -f 0; {} app.yaml --output=g"), 2)
        self.assertIn('"g": File too large', self.err)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "g")))

    def test_standard_output_without_room_or_closed_is_told(self):
        self.write("app.yaml", _GOOD)
        self.assertEqual(self.run_shell("{} app.yaml >/dev/full"), 2)
        self.assertIn("<stdout>: No space left on device", self.err)
        self.assertEqual(self.run_shell("{} app.yaml >&-"), 2)
        self.assertIn("<stdout>: Bad file descriptor", self.err)
        self.assertEqual(self.run_shell("{} app.yaml 2>&-"), 2)
        self.assertEqual(self.run_shell("{} app.yaml --output=g --report=r >&- 2>&- <&-"), 0)
        self.assertIn('calculator: "a.C"', self.read("g"))
        self.assertIn("import_gxf: 1 nodes", self.read("r"))

    def test_graph_and_report_are_two_files(self):
        self.write("app.yaml", _GOOD)
        self.write("there", "as it was")
        os.symlink("there", os.path.join(self.folder, "link"))
        for output, report in (("new", "./new"), ("there", "link"), ("there", "there")):
            self.assertEqual(
                self.run_import("app.yaml", f"--output={output}", f"--report={report}"), 2)
            self.assertIn(f'"{output}" is where --report writes to', self.err)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "new")))
        self.assertEqual(self.read("there"), "as it was")
        self.assertEqual(
            self.run_import("app.yaml", "--output=/dev/null", "--report=/dev/null"), 0)

    def test_what_is_read_is_not_written_over(self):
        self.write("app.yaml", _GOOD)
        self.write("types.yaml", "b::D: E\n")
        os.symlink("app.yaml", os.path.join(self.folder, "link"))
        for output in ("--output=app.yaml", "--report=app.yaml", "--output=link",
                       "--report=types.yaml"):
            self.assertEqual(self.run_import("app.yaml", "--types=types.yaml", output), 2, output)
            self.assertIn("which was read; nothing is written", self.err)
            self.assertEqual(self.read("app.yaml"), _GOOD)
            self.assertEqual(self.read("types.yaml"), "b::D: E\n")

    def test_names_of_files_are_no_commands_to_the_terminal(self):
        self.write("\x1b[31m\nred.yaml", _BAD)
        self.assertEqual(self.run_import("\x1b[31m\nred.yaml"), 1)
        self.assertIn("\\x1b[31m\\nred.yaml:2: not mapped", self.err)
        self.assertNotIn("\x1b", self.err + self.out)

    def test_help_tells_the_exit_status(self):
        self.assertEqual(self.run_import("--help"), 0)
        self.assertIn("exit status", self.out)

    def test_without_pythons_yaml_it_says_what_to_install(self):
        self.write("yaml.py", "raise ImportError\n")
        self.write("app.yaml", _GOOD)
        self.environment["PYTHONPATH"] = self.folder
        self.assertEqual(self.run_import("app.yaml"), 2)
        self.assertIn("./setup --yaml", self.err)
        self.assertEqual(self.run_import("--help"), 0)

    def test_names_of_files_need_not_be_utf_8(self):
        self.write("\udce4.yaml", _BAD)
        self.assertEqual(self.run_import("\udce4.yaml"), 1)
        self.assertEqual(self.run_import("\udce4.yaml", "--output=o", "--report=r"), 1)


if __name__ == "__main__":
    unittest.main()
