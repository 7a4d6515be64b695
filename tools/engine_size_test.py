"""engine_size counts code and data members, and nothing that only looks like them."""
import unittest

import engine_size


class EngineSizeTest(unittest.TestCase):

    def only_class(self, text):
        found = engine_size.classes("a.h", text)
        self.assertEqual(len(found), 1, [str(c) for c in found])
        return found[0]

    def test_comments_and_blanks_are_no_code(self):
        self.assertEqual(1, engine_size.lines_of_code(
            '// A comment.\n\n/* another\n   one */\nint a;  // And this.\n'))

    def test_a_string_with_slashes_is_code(self):
        self.assertEqual(2, engine_size.lines_of_code('f("http://a");\ng();\n'))

    def test_data_members_count(self):
        text = """class ABSL_CAPABILITY("x") A : public B {
         public:
          int a() const { return a_; }
          static constexpr int kMany = 3;
          using C = int;
          friend class D;
          enum class E { kOne };
          void F(int b = 0);
         private:
          int a_ ABSL_GUARDED_BY(mutex_) = 0;
          std::function<void(int)> b_;
          alignas(64) mutable Mutex mutex_;
          const int c_{7};
          bool d_ : 1 = false;
          struct G* e_ = nullptr;
        };"""
        self.assertEqual(6, self.only_class(text).members)

    def test_lines_are_those_from_brace_to_brace(self):
        self.assertEqual(3, self.only_class("\nstruct A {\n  int a;\n};\n").lines)

    def test_a_class_inside_another_counts_for_itself(self):
        inner, outer = engine_size.classes(
            "a.h", "class A {\n  struct B { int c; int d; };\n  B b_;\n};\n")
        self.assertEqual(("B", 2), (inner.name, inner.members))
        self.assertEqual(("A", 1), (outer.name, outer.members))


if __name__ == "__main__":
    unittest.main()
