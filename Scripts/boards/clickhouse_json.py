"""Members of JSON that is kept as text, as SQL that ClickHouse 18.16 and today's both take: the former has no JSONExtract.

What is stored has no spaces between its parts. A quotation mark within a text has a backslash before it, so `"name":` is
a member's name wherever it stands, whatever letters clients chose for their texts. Braces and brackets within texts are
ordinary letters, which `visitParamExtractRaw` does not know: what is nested is taken apart by patterns here.
"""

TEXT = r'"(?:[^"\\]|\\.)*"'
# The deepest that is taken apart are streams, whose pictures' changes lie five deep; one more, to be sure.
DEEPEST = 5


def parts(depth):
    """A pattern for what is within braces or brackets, with so many more of them inside."""
    plain = rf'[^"{{}}\[\]]|{TEXT}'
    return plain if depth == 0 else rf"{plain}|[{{\[](?:{parts(depth - 1)})*[}}\]]"


NESTED = rf"[{{\[](?:{parts(DEEPEST)})*[}}\]]"


def literal(text):
    """A text in SQL, where a backslash is an escape."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def word(json, member):
    """The text of the first member of that name; empty where there is none."""
    return f"visitParamExtractString({json}, '{member}')"


def number(json, member, kind="Float64"):
    """The number of the first member of that name; NULL where there is none."""
    pattern = literal(f'"{member}":(-?[0-9][0-9.eE+-]*)')
    return f"to{kind}OrNull(extract({json}, {pattern}))"


def whole(json, member):
    return number(json, member, "Int64")


def nested(json, member):
    """The first object or array of that name; empty where there is none."""
    pattern = literal(f'"{member}":({NESTED})')
    return f"extract({json}, {pattern})"


def objects(array):
    """The objects of an array, as an array of texts."""
    pattern = literal(rf"\{{(?:{parts(DEEPEST - 1)})*\}}")
    return f"extractAll({array}, {pattern})"


def own(json):
    """An object without what is nested in it, whose members may have the same names."""
    pattern, kept = literal(f"({TEXT})|{NESTED}"), literal(r"\1")
    return f"replaceRegexpAll(substring({json}, 2, length({json}) - 2), {pattern}, {kept})"
