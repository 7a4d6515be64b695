"""Which faults plant_faults.py makes of a line, and what it says of them."""
import os
import subprocess
import sys
import tempfile
import unittest

import plant_faults


def faults_of(line):
    return [fault.strip() for _, fault in plant_faults.faults_of(line)]


class FaultsTest(unittest.TestCase):
    def test_conditions_are_negated_and_left_out(self):
        self.assertEqual(faults_of("  if (is_full()) return;"),
                         ["if (!(is_full())) return;"])
        self.assertEqual(faults_of("  while (is_a(b) && c) {"),
                         ["while (!(is_a(b) && c)) {",
                          "while (is_a(b) || c) {"])
        self.assertIn(";", faults_of("  if (a) return b;"))

    def test_comparisons_move_and_turn(self):
        self.assertIn("if (a <= b) {", faults_of("  if (a < b) {"))
        self.assertIn("return a != b;", faults_of("  return a == b;"))

    def test_statements_are_left_out(self):
        self.assertEqual(faults_of("  Signal();"), [";"])
        self.assertEqual(faults_of("  ++count_;"), ["--count_;", ";"])

    def test_the_sides_of_a_choice_change_places(self):
        self.assertIn("count_.fetch_add(counts ? -1 : 1);",
                      faults_of("  count_.fetch_add(counts ? 1 : -1);"))

    def test_comments_and_declarations_are_left_alone(self):
        for line in ("  // if (a) return;", "#include <vector>", "",
                     "  std::vector<int> started;", "namespace {",
                     "  Part(const Part&) = delete;"):
            self.assertEqual(faults_of(line), [])


class PartTest(unittest.TestCase):
    def run_in_tree(self, *arguments):
        with tempfile.TemporaryDirectory() as root:
            for folder in ("node", "report", "run", "run/preparation"):
                os.makedirs(os.path.join(root, "framework", folder), exist_ok=True)
            for name in ("a.h", "a.cc", "a_test.cc", "no_test.h"):
                with open(os.path.join(root, "framework/node", name), "w",
                          encoding="utf-8") as file:
                    file.write("  Go();\n" if name == "a.cc" else "")
            return subprocess.run(
                [sys.executable, plant_faults.__file__, *arguments], cwd=root,
                text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_a_part_has_its_files_and_its_own_tests(self):
        done = self.run_in_tree("--part=framework/node/a", "--bazel=echo >>told")
        self.assertIn("survived framework/node/a.cc:1: removed: ;", done.stdout)
        self.assertEqual(done.returncode, 1)
        done = self.run_in_tree("--part=framework/node/a", "--bazel=false")
        self.assertIn('"false build //framework/node:a_test" fails without any fault',
                      done.stdout)

    def test_what_is_no_part_or_has_no_test(self):
        for name in ("framework/node/no_test", "framework/node/gone"):
            done = self.run_in_tree("--part=" + name)
            self.assertIn(f'"{name}" is no part with a test of its own', done.stdout)
            self.assertEqual(done.returncode, 1)


class RunTest(unittest.TestCase):
    def run_on(self, text, *command):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "a.cc")
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
            done = subprocess.run(
                [sys.executable, plant_faults.__file__, name,
                 f"--build=! grep -q '>=' {name}", "--", *command, name],
                text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            with open(name, encoding="utf-8") as file:
                self.assertEqual(file.read(), text, "the file is restored")
        return done

    def test_names_what_survives(self):
        done = self.run_on("  if (a == 1) {\n  Go();\n", "grep", "-q", "Go")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a.cc:1: negated: if (!(a == 1)) {", done.stdout)
        self.assertIn("3 faults planted, 2 survived", done.stdout)

    def test_what_does_not_build_is_no_fault(self):
        done = self.run_on("  return a > 1;\n", "grep", "-q", "return a")
        self.assertIn("0 faults planted, 0 survived", done.stdout)
        self.assertEqual(done.returncode, 0)

    def test_a_command_that_fails_by_itself_is_refused(self):
        done = self.run_on("  Go();\n", "false")
        self.assertEqual(done.returncode, 1)
        self.assertIn("fails without any fault", done.stdout)


if __name__ == "__main__":
    unittest.main()
