"""Whether the JSON members that queries name are there: SQLite takes a wrong name for one that is absent."""
import re

PATH = r"'(\$[\w.]+)'"


def unknown_members(file, board, engine):
    """Members of summaries that no stored record has."""
    queries = [target["queryText"] for panel in board["panels"] for target in panel.get("targets", [])]
    queries += [mark["target"]["queryText"] for mark in board["annotations"]["list"]]
    wanted = set()
    for query in queries:
        wanted.update(("summary", path) for path in re.findall(r"json_(?:extract|each)\(summary, " + PATH, query))
        for array, name in re.findall(r"json_each\(summary, " + PATH + r"\) AS (\w+)", query):
            members = re.findall(rf"\b{name}\.value ->> " + PATH, query)
            members += re.findall(rf"json_extract\({name}\.value, " + PATH, query)
            wanted.update((array, member) for member in members)
    for place, path in sorted(wanted):
        source, value = "record", "summary"
        if place != "summary":
            source, value = f"record, json_each(summary, '{place}') AS found", "found.value"
        query = f"SELECT 1 FROM {source} WHERE json_extract({value}, '{path}') IS NOT NULL LIMIT 1"
        if not engine.run({"timeColumns": []}, query)[1]:
            yield f"{file}: no record has {path} in {place}"
