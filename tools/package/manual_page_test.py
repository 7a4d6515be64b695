"""What a manual page has of the help that it is made of."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from manual_page import manual_page  # noqa: E402 (the path comes first)

_HELP = """\
Does this. And it does that.

usage: tool look FILE
       tool keep FILE --out=FILE

  look     says what is there:
             a  one
  keep     keeps it

More of it, with a \\ and a
.dot in front.

  --from=T, --to=T   of these times, both
                     included
  --out=FILE where it goes
  --list
  --count=N          how many; -1 is all
  The last two may be repeated.
  --kind=a|b         which. There are
    a  the first
    b  the second

Examples:
  tool look file
  tool keep file --out=-

Exit status: 0 done; 1 not.
"""

_ARGPARSE = """\
usage: tool [-h] [--output FILE]
            FILE

Makes one of the other.

positional arguments:
  FILE           what is read, or
                 not

options:
  -h, --help     show this help message and exit
  --output FILE  where it goes

examples:
  tool file

exit status: 0 made, 1 not
"""


def page(text, short=""):
    return manual_page("tool", text, short, "1.2+git20260102", "2026-01-02", ["other"])


def section(text, name):
    return re.search(rf"^\.SH {name}\n(.*?)(?=^\.SH |\Z)", text, re.MULTILINE | re.DOTALL).group(1)


class ManualPageTest(unittest.TestCase):

    def test_sections_come_from_the_help(self):
        text = page(_HELP)
        # The footer of a page has no room for more of the version.
        self.assertTrue(text.startswith('.TH TOOL 1 "2026-01-02" "Syncline 1.2" "Syncline"\n'))
        self.assertEqual(section(text, "NAME"), "tool \\- does this\n")
        self.assertIn("tool look FILE\ntool keep FILE \\-\\-out=FILE\n", section(text, "SYNOPSIS"))
        self.assertIn("  look     says", section(text, "DESCRIPTION"))
        self.assertEqual(section(text, "EXIT STATUS"), "0 done; 1 not.\n")
        self.assertIn("tool look file\n", section(text, "EXAMPLES"))
        self.assertIn("\\fBother\\fR(1)", section(text, "SEE ALSO"))
        self.assertIn("/usr/share/doc/syncline/docs", section(text, "FILES"))

    def test_each_flag_has_its_text(self):
        options = section(page(_HELP), "OPTIONS")
        self.assertIn(".B \\-\\-from=T, \\-\\-to=T\nof these times, both included\n", options)
        # One blank is enough, and a flag may go without a text.
        self.assertIn(".B \\-\\-out=FILE\nwhere it goes\n", options)
        self.assertIn(".B \\-\\-list\n\\&\n", options)
        self.assertIn(".B \\-\\-kind=a|b\nwhich. There are\n.br\na: the first\n.br\n"
                      "b: the second\n", options)
        self.assertIn("\\-1 is all", options)
        self.assertIn("\n.PP\nThe last two may be repeated.\n.TP\n", options)

    def test_what_commands_roff_is_text(self):
        description = section(page(_HELP), "DESCRIPTION")
        self.assertIn("with a \\e and a\n\\&.dot", description)

    def test_examples_may_be_those_of_the_short_help(self):
        long_help = _HELP.replace("Examples:\n  tool look file\n  tool keep file --out=-\n\n", "")
        self.assertIn("tool look file\n", section(page(long_help, _HELP), "EXAMPLES"))

    def test_the_help_of_argparse_has_the_same_sections(self):
        text = page(_ARGPARSE)
        self.assertEqual(section(text, "NAME"), "tool \\- makes one of the other\n")
        self.assertIn(".I FILE\nwhat is read, or\nnot\n", section(text, "OPTIONS"))
        self.assertIn(".B \\-\\-output FILE\nwhere it goes\n", section(text, "OPTIONS"))
        self.assertEqual(section(text, "EXIT STATUS"), "0 made, 1 not\n")

    def test_help_without_a_section_is_an_error_that_names_it(self):
        for heading, name in (("usage:", "synopsis"), ("Examples:", "examples"),
                              ("Exit status:", "exit status")):
            with self.assertRaisesRegex(ValueError, f'"tool --help" has no {name}'):
                page(_HELP.replace(heading, "Other:"))

    @unittest.skipUnless(shutil.which("man"), "man-db is not installed")
    def test_man_renders_it_without_a_warning(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("help", _HELP), ("argparse", _ARGPARSE)):
                path = f"{folder}/{name}.1"
                with open(path, "w", encoding="utf-8") as file:
                    file.write(page(text))
                result = subprocess.run(
                    ["man", "--warnings=w", "-l", path], text=True, capture_output=True,
                    check=False, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                                      "MANWIDTH": "80"})
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn("EXIT STATUS", result.stdout)


if __name__ == "__main__":
    unittest.main()
