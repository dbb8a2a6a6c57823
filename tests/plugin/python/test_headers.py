"""The stand-in's headers declare what hdk/headers.txt says and no more, and every file of the plugin includes, itself
or by the plugin's own headers, the header that declares each name it uses: what other headers happen to bring along
in the stand-in is not relied on."""
import os
import re
import sys

here = os.path.dirname(os.path.abspath(__file__))
hdk = os.path.join(here, "..", "hdk")
plugin = os.path.join(here, "..", "..", "..", "plugin")
NAME = r"(?:(?:UT|GA|GEO|GOP|GU|OP|OBJ|SOP|DOP|SIM|PRM|CH|SYS)_\w+|CHget\w+)"


def code(path):
    text = open(path).read()
    return re.sub(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", "", text)


def table():
    rows = {}
    for line in open(os.path.join(hdk, "headers.txt")):
        if line.strip() and not line.startswith("#"):
            header, names = re.fullmatch(r"(\S+) \[(?:file|class|use)\]:(.*)", line.strip()).groups()
            rows[header] = set(names.split())
    return rows


def declared(header):
    text = code(os.path.join(hdk, header))
    names = set(re.findall(r"^\s*#define (%s|\w+_DATAFACTORY|DECLARE_\w+)" % NAME, text, re.M))
    names |= set(re.findall(r"^(?:typedef [^;]*\b|using )(%s)(?:;| =)" % NAME, text, re.M))
    names |= set(re.findall(r"^class (%s)[^;{]*\{" % NAME, text, re.M))
    names |= set(re.findall(r"^inline [\w:*]+ (CHget\w+)\(", text, re.M))
    names |= set(re.findall(r"^constexpr \w+ (%s)" % NAME, text, re.M))
    for name, body, alias in re.findall(r"^ *(?:typedef )?enum (\w*) ?\{([^}]*)\} ?(\w*);", text, re.M):
        names |= set(re.findall(r"\b(%s)\b" % NAME, " ".join((name, alias, body))))
    return names


def includes(path):
    """The HDK headers that a file of the plugin includes, itself and by the plugin's own headers, and the classes that
    these name ahead."""
    text = open(path).read()
    found, ahead = set(re.findall(r"#include <(\w+/\w+\.h)>", text)), set(re.findall(r"^class (\w+);", text, re.M))
    for own in re.findall(r"#include \"(\w+\.h)\"", text):
        more = includes(os.path.join(os.path.dirname(path), own))
        found, ahead = found | more[0], ahead | more[1]
    return found, ahead


def problems():
    rows = table()
    headers = [os.path.join(os.path.basename(d), f) for d, _, files in os.walk(hdk) for f in files if f.endswith(".h")]
    for header in sorted(set(headers) ^ set(rows)):
        yield "%s is in one of hdk/ and hdk/headers.txt only" % header
    for header in sorted(set(headers) & set(rows)):
        for name in sorted(declared(header) ^ rows[header]):
            yield "%s and hdk/headers.txt do not agree about %s" % (header, name)
    home = {name: header for header, names in rows.items() for name in names}
    sources = [os.path.relpath(os.path.join(folder, f), plugin) for folder in (plugin, os.path.join(plugin, "load"))
               for f in sorted(os.listdir(folder)) if f.endswith((".h", ".cpp"))]
    own = set().union(*(re.findall(r"^class (%s)[^;{]*\{" % NAME, code(os.path.join(plugin, f)), re.M) for f in sources))
    used = 0
    for source in sources:
        path = os.path.join(plugin, source)
        text, (there, ahead) = code(path), includes(path)
        text = re.sub(r"#include <[^>]*>|^class \w+;", "", text, flags=re.M)
        for name in sorted(set(re.findall(r"\b(%s|DECLARE_\w+|IMPLEMENT_\w+)\b" % NAME, text))):
            used += 1
            if name not in home:
                if name not in own:
                    yield "%s uses %s, of which hdk/headers.txt does not say where it is" % (source, name)
            elif home[name] not in there and name not in ahead:
                yield "%s uses %s without including %s" % (source, name, home[name])
    if used < 100:
        yield "only %d uses were looked at" % used


found = list(problems())
print("\n".join(found) or "headers: the table, the stand-in and the plugin agree")
sys.exit(1 if found else 0)
