"""Writes plain values as YAML that people read: the standard library has no writer of its own."""
import json
import re

# What YAML takes for a text without quotes, and for nothing else.
PLAIN = re.compile(r"(?!(?:true|false|yes|no|on|off|null)$)[A-Za-z/][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*", re.IGNORECASE)


def document(value, heading=""):
    comment = "".join(f"# {line}\n" for line in heading.splitlines())
    return comment + "\n".join(lines(value)) + "\n"


def lines(value, indent=0):
    space = " " * indent
    if isinstance(value, dict):
        for name, member in value.items():
            yield from entry(f"{space}{key(name)}:", member, indent)
    else:
        for item in value:
            if is_nested(item):
                first, *rest = lines(item, indent + 2)
                yield f"{space}- {first.lstrip()}"
                yield from rest
            else:
                yield f"{space}- {scalar(item)}"


def entry(head, member, indent):
    if is_nested(member):
        yield head
        yield from lines(member, indent + 2)
    else:
        yield f"{head} {scalar(member)}"


def is_nested(value):
    return isinstance(value, (dict, list)) and len(value) > 0


def key(name):
    return name if PLAIN.fullmatch(name) else json.dumps(name)


def scalar(value):
    if isinstance(value, str) and PLAIN.fullmatch(value):
        return value
    if isinstance(value, str) and '"' in value and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    # JSON is YAML; quotes are kept for what holds signs or looks like a number.
    return json.dumps(value, ensure_ascii=False)
