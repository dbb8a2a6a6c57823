"""Runs the VEX of the assets: turns it into C++ (its arrays are declared in another way) that includes vex.h."""
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def _parts(text):
    """Splits at the commas that no bracket encloses."""
    parts, depth = [""], 0
    for letter in text:
        depth += letter in "([{"
        depth -= letter in ")]}"
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [p.strip() for p in parts]


def _declaration(found):
    kind, rest = found.groups()
    out = []
    for part in _parts(rest):
        name, _, value = part.partition("=")
        array = name.strip().endswith("[]")
        out.append("%s %s%s;" % ("std::vector<%s>" % kind if array else kind, name.strip().removesuffix("[]"),
                                 " = " + value.strip() if value else ""))
    return " ".join(out)


class Program:
    def __init__(self, code):
        self.folder = tempfile.TemporaryDirectory()
        source = os.path.join(self.folder.name, "code.cpp")
        self.path = os.path.join(self.folder.name, "code")
        code = re.sub(r"\b(int|float|vector) ([^;()]*\[\][^;]*);", _declaration, code)
        with open(source, "w", encoding="utf-8") as file:
            file.write('#include "vex.h"\n\nvoid run() {\n%s\n}\n\nint main() {\n  read_inputs();\n  run();\n'
                       '  for (const auto& [name, count] : detail_reads) std::printf("read %%s %%d\\n", name.c_str(), count);\n'
                       '}\n' % code)
        subprocess.run([os.environ.get("CXX") or "c++", "-std=c++17", "-O1", "-I", HERE, source, "-o", self.path], check=True)

    def run(self, inputs):
        """Inputs are dicts of points (attributes by name), triangles and details. Lists of words, by the first of each line."""
        lines = []
        for number, given in enumerate(inputs):
            for name, values in given.get("points", {}).items():
                lines.append("attribute %d %s %s" % (number, name, " ".join(repr(float(v)) for p in values for v in p)))
            if "triangles" in given:
                lines.append("triangles %d %s" % (number, " ".join(str(v) for t in given["triangles"] for v in t)))
            for name, values in given.get("details", {}).items():
                lines.append("detail %d %s %s" % (number, name, " ".join(str(v) for v in values)))
        text = subprocess.run([self.path], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout
        out = {}
        for line in text.splitlines():
            word, *rest = line.split()
            out.setdefault(word, []).append(rest)
        return out
