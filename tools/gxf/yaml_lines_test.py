"""YAML is read with the place of everything; what cannot be read is said, and nothing hangs."""
import os
import random
import tempfile
import unittest

from gxf.yaml_lines import FileError, read_file, read_text


def read(text):
    return read_text("a.yaml", text)


class YamlLinesTest(unittest.TestCase):

    def test_everything_has_its_file_and_line(self):
        [first, second] = read("---\nname: tx\ncomponents:\n- name: a\n  list: [1,\n    2]\n"
                               "---\nx: y\n")
        self.assertEqual(str(first["name"].place), "a.yaml:2")
        self.assertEqual(str(first["components"][0].place), "a.yaml:4")
        self.assertEqual(str(first["components"][0]["list"][1].place), "a.yaml:6")
        self.assertEqual([str(key.place) for key in second], ["a.yaml:8"])

    def test_scalars_stay_texts_as_they_stand(self):
        [document] = read("a: 010\nb: on\nc: 1:30\nd: '3'\ne: ~\nf:\ng: ''\n")
        self.assertEqual(document, {"a": "010", "b": "on", "c": "1:30", "d": "3", "e": None,
                                    "f": None, "g": ""})
        self.assertTrue(document["d"].quoted)
        self.assertFalse(document["a"].quoted)

    def test_anchors_aliases_and_merges_are_followed(self):
        [document] = read("a: &a {x: 1, y: 2}\nb: *a\nc: {<<: *a, y: 3}\n")
        self.assertEqual(document["b"], {"x": "1", "y": "2"})
        self.assertEqual(document["c"], {"x": "1", "y": "3"})

    def test_of_a_key_that_stands_twice_the_last_counts(self):
        self.assertEqual(read("a: 1\na: 2\n"), [{"a": "2"}])

    def test_empty_documents_are_left_out(self):
        self.assertEqual(read("---\n---\na: 1\n---\n...\n"), [{"a": "1"}])
        self.assertEqual(read(""), [])

    def test_what_is_no_yaml_is_an_error_with_its_place(self):
        for text in ("a: [1", "a: b: c", "a: *nothing", "\tb: 1", "a: 'x", "a: 1\n b: 2"):
            with self.subTest(text), self.assertRaisesRegex(FileError, "^a.yaml(:[0-9]+)?: "):
                read(text)
        with self.assertRaisesRegex(FileError, "^a.yaml:2: a key has to be a text"):
            read("a: 1\n[b]: 2\n")

    def test_bombs_are_errors(self):
        laughs = "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 20))
        for text in ("a0: &a0 x\n" + laughs, "[" * 5000, "a: &a [*a]", "[" * 300 + "]" * 300):
            with self.assertRaises(FileError):
                read(text)

    def test_tags_make_nothing(self):
        self.assertEqual(read("a: !!python/object/apply:os.system ['true']\n"), [{"a": ["true"]}])

    def test_any_text_is_read_or_an_error(self):
        chance = random.Random(3)
        for _ in range(3000):
            text = "".join(chance.choice("ab:- \n\n[]{},'\"#\\&*!<1~|>%@\t")
                           for _ in range(chance.randrange(25)))
            try:
                read(text)
            except FileError:
                pass

    def test_files_that_cannot_be_read_are_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.yaml")
            with self.assertRaisesRegex(FileError, "No such file"):
                read_file(path)
            with self.assertRaises(FileError):
                read_file(folder)
            for content in (b"a: \xff", b"a: \x00", b"\x80"):
                with open(path, "wb") as file:
                    file.write(content)
                with self.assertRaisesRegex(FileError, "x.yaml"):
                    read_file(path)
            with open(path, "wb") as file:
                file.write(b"\xef\xbb\xbfa: \xc3\xa4\r\n")
            self.assertEqual(read_file(path), [{"a": "\u00e4"}])


if __name__ == "__main__":
    unittest.main()
