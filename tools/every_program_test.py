"""What all programs for users have in common, checked on each of them.

    every_program_test.py PROGRAM...

--help fits one screen and has examples and the exit statuses; --version gives
that of Syncline; a flag that nobody knows is exit status 2; what is not written
to a terminal has no colours; and help that cannot be written is no success.
The programs are the scripts of this folder, all that are installed, and those of
the examples: a new one that is not among the arguments is an error.
"""
import os
import pty
import re
import subprocess
import sys
import unittest

ROOT = os.environ["SYNCLINE_ROOT"]
SCRIPTS = ("import_gxf", "port_from_mediapipe")
PROGRAMS = {os.path.basename(path): os.path.abspath(path) for path in sys.argv[1:]}
PROGRAMS.update({name: os.path.join(ROOT, "tools", name) for name in SCRIPTS})

# At most so much of a terminal: see tools/about_program.h.
LINES, COLUMNS = 40, 80

# Without these, they say first what is missing.
NEEDED = {"import_gxf": ["app.yaml"], "port_from_mediapipe": ["."]}

# They are no programs for users: a measurement, and the main program of
# run_graph with other calculators, which are built for tests.
NOT_FOR_USERS = {"live_graph_ratio", "batch_graph"}


def run(program, *arguments, stdout=subprocess.PIPE, **environment):
    env = dict(os.environ, TERM="xterm-256color", COLUMNS=str(COLUMNS), **environment)
    return subprocess.run(
        [PROGRAMS[program], *arguments], env=env, stdin=subprocess.DEVNULL, stdout=stdout,
        stderr=subprocess.PIPE, text=True, check=False, timeout=60)


def on_a_terminal(program, *arguments, **environment):
    """What a terminal shows."""
    master, slave = pty.openpty()
    with subprocess.Popen(
            [PROGRAMS[program], *arguments], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
            env=dict(os.environ, TERM="xterm-256color", **environment)) as process:
        os.close(slave)
        shown = b""
        try:
            while chunk := os.read(master, 4096):
                shown += chunk
        except OSError:  # Nobody has the other end any more.
            pass
        process.wait()
    os.close(master)
    return shown.decode()


def targets(folder, pattern):
    with open(os.path.join(ROOT, folder, "BUILD"), encoding="utf-8") as file:
        return re.findall(pattern, file.read())


class EveryProgramTest(unittest.TestCase):

    def test_none_is_left_out(self):
        # The rows of _PROGRAMS there.
        names = set(targets("tools/install", r'(?m)^    "(\w+)": \['))
        for folder in sorted(os.listdir(os.path.join(ROOT, "examples"))):
            if os.path.exists(os.path.join(ROOT, "examples", folder, "BUILD")):
                names |= set(targets(f"examples/{folder}", r'cc_binary\(\s+name = "(\w+)"'))
        names -= NOT_FOR_USERS
        self.assertLessEqual({"trace", "view_graph", "batch", "pedestrians"}, names)
        # What needs an optional library may be absent.
        self.assertEqual(sorted(names - set(PROGRAMS) - {"pedestrians"}), [])

    def test_help_fits_one_screen(self):
        for program in sorted(PROGRAMS):
            with self.subTest(program):
                result = run(program, "--help")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                lines = result.stdout.splitlines()
                self.assertLessEqual(len(lines), LINES)
                for line in lines:
                    self.assertLessEqual(len(line), COLUMNS, line)
                self.assertRegex(result.stdout, r"(?m)^usage: " + program)
                self.assertRegex(result.stdout, r"(?mi)^examples:\n(?:  .*\n)*?  " + program)
                self.assertRegex(result.stdout, r"(?is)\nexit status: 0\s.*\b1\s.*\b2\s")
                self.assertEqual(run(program, "-h").stdout, result.stdout)

    def test_the_version_is_that_of_syncline(self):
        with open(os.path.join(ROOT, "tools/install/version.bzl"), encoding="utf-8") as file:
            number = re.search(r'(?m)^VERSION = "([\d.]+)"', file.read()).group(1)
        for program in sorted(PROGRAMS):
            with self.subTest(program):
                result = run(program, "--version")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertEqual(result.stdout.splitlines()[0], f"{program} (Syncline {number})")

    def test_an_unknown_flag_is_a_mistake_of_usage(self):
        for program in sorted(PROGRAMS):
            with self.subTest(program):
                result = run(program, *NEEDED.get(program, []), "--no_such_flag")
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn("no_such_flag", result.stderr)
                self.assertNotIn("Traceback", result.stderr)
                self.assertNotIn("    @ ", result.stderr)

    def test_colours_are_for_terminals(self):
        for program in sorted(PROGRAMS):
            with self.subTest(program):
                for flag in ("--help", "--version", "--no_such_flag"):
                    result = run(program, flag)
                    self.assertNotIn("\x1b", result.stdout + result.stderr)
                    self.assertNotIn("\x1b", on_a_terminal(program, flag, NO_COLOR="1"))
        self.assertIn("\x1b[", on_a_terminal("run_graph", "--no_such_flag"))

    def test_help_that_cannot_be_written_is_no_success(self):
        for program in sorted(PROGRAMS):
            with self.subTest(program):
                for flag in ("--help", "--version"):
                    with open("/dev/full", "wb") as full:
                        result = run(program, flag, stdout=full)
                    self.assertNotEqual(result.returncode, 0, flag)
                    self.assertNotIn("Traceback", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
