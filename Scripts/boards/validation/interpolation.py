"""What Grafana makes of a query before a data source sees it."""
import re
import urllib.parse

VARIABLE = re.compile(r"\$\{(\w+)(?::(\w+))?\}|\$(\w+)")


class Raw(str):
    """The value that stands for "All": no format changes it."""


class Unknown(Exception):
    """A variable or a format that Grafana, or this, does not know."""


def percent_encoded(text):
    # As encodeURIComponent, with those that it leaves alone encoded, too.
    return urllib.parse.quote(text, safe="-_.~")


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


FORMATS = {"sqlstring": quoted, "percentencode": percent_encoded, None: str}


def interpolate(query, values):
    """The query with the values of its variables in it."""
    def replacement(match):
        name, form = match[1] or match[3], match[2]
        if name not in values:
            raise Unknown(f"there is no variable {name}")
        if form not in FORMATS:
            raise Unknown(f"{form} is no format that is used here")
        value = values[name]
        return str(value) if isinstance(value, Raw) else FORMATS[form](str(value))

    return VARIABLE.sub(replacement, query)
