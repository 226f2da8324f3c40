"""What can be said of a board without a server: its shape, its layout, its texts and links."""
import json
import re

from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import units
from grafana_foundation_sdk.models.dashboard import Dashboard

plugins.register_default_plugins()

UNITS = {value for name, value in vars(units).items() if isinstance(value, str) and not name.startswith("__")}
KINDS = {"frser-sqlite-datasource", "grafana-clickhouse-datasource", "prometheus"}
MEMBERS = ["uid", "title", "description", "tags", "schemaVersion", "time", "templating", "annotations", "panels"]
# What the models of grafana-foundation-sdk do not know although Grafana reads it: the query of an annotation is that of
# its data source, and `definition` is what the editor shows of a variable's query.
UNMODELLED = re.compile(r"\.annotations\.list\[\d+\]\.target\.|\.templating\.list\[\d+\]\.definition$")


# On a cluster each table is one over all shards, and each shard would ask all of them.
NOT_GLOBAL = re.compile(r"(?<!GLOBAL )(?<!GLOBAL NOT )\bIN \(\s*SELECT|(?<!ARRAY )\bJOIN ")


def faults(boards):
    """What is wrong with boards, by file, as sentences."""
    uids = {}
    for file, board in boards.items():
        missing = [name for name in MEMBERS if not board.get(name) and name != "annotations"]
        if missing:
            yield f"{file}: {', '.join(missing)} missing"
            continue
        if board["uid"] in uids:
            yield f"{file}: has the uid of {uids[board['uid']]}"
        uids[board["uid"]] = file
        yield from (f"{file}: {fault}" for fault in of_board(board))
    for file, board in boards.items():
        for uid in re.findall(r'"/d/([^/?"]+)', json.dumps(board)):
            if uid not in uids:
                yield f"{file}: a link leads to {uid}, which is no board"


def of_board(board):
    if len(board["uid"]) > 40:
        yield "its uid is longer than 40 letters"
    if "id" in board or "__inputs" in board:
        yield "a board that is handed out has no id and no inputs"
    choosers = [variable for variable in board["templating"]["list"] if variable["type"] == "datasource"]
    if len(choosers) != 1 or choosers[0]["query"] not in KINDS:
        yield "it has no variable to choose the data source"
        return
    kind = choosers[0]["query"]
    panels = [panel for panel in board["panels"] if panel["type"] != "row"]
    for number, count in counted(panel["id"] for panel in board["panels"]):
        if count > 1:
            yield f"panel id {number} is used {count} times"
    for title, count in counted(panel["title"] for panel in panels):
        if count > 1:
            yield f"{count} panels are called {title}"
    for query in clickhouse_queries(board):
        if NOT_GLOBAL.search(query):
            yield f"a query within a query is not GLOBAL: {query.strip()[:60]}"
    yield from layout(board["panels"])
    for panel in panels:
        yield from (f"{panel['title']}: {fault}" for fault in of_panel(panel, kind))
    for mark in board["annotations"]["list"]:
        if mark["datasource"] != {"type": kind, "uid": "${datasource}"} or not mark.get("target"):
            yield f"annotation {mark['name']}: no query of the chosen data source"
    yield from lost_members(board)


def clickhouse_queries(board):
    """Of panels, annotations and variables; none where the data source is another one."""
    marks = [mark.get("target") or {} for mark in board["annotations"]["list"]]
    targets = [target for panel in board["panels"] for target in panel.get("targets", [])] + marks
    yield from (target["rawSql"] for target in targets if "rawSql" in target)
    if targets and "rawSql" in targets[0]:
        yield from (variable["query"] for variable in board["templating"]["list"] if variable["type"] == "query")


def counted(values):
    values = list(values)
    return [(value, values.count(value)) for value in dict.fromkeys(values)]


def layout(panels):
    cells = {}
    for panel in panels:
        place = panel["gridPos"]
        if place["x"] < 0 or place["w"] < 1 or place["x"] + place["w"] > 24:
            yield f"{panel['title']}: outside of the 24 columns"
        taken = {cells[x, y] for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"]) if (x, y) in cells}
        if taken:
            yield f"{panel['title']}: overlaps {', '.join(sorted(taken))}"
        cells.update({(x, y): panel["title"] for x in range(place["x"], place["x"] + place["w"])
                      for y in range(place["y"], place["y"] + place["h"])})


def of_panel(panel, kind):
    if not panel.get("description", "").endswith("."):
        yield "no description, or none that ends as a sentence"
    chosen = {"type": kind, "uid": "${datasource}"}
    if panel["datasource"] != chosen or any(target["datasource"] != chosen for target in panel["targets"]):
        yield "its data source is not the chosen one"
    if not panel["targets"] or len({target["refId"] for target in panel["targets"]}) != len(panel["targets"]):
        yield "no query, or two of one name"
    defaults = panel["fieldConfig"]["defaults"]
    properties = [found for override in panel["fieldConfig"]["overrides"] for found in override["properties"]]
    named = [defaults.get("unit")] + [found["value"] for found in properties if found["id"] == "unit"]
    for unit in named:
        if unit not in UNITS:
            yield f"{unit} is no unit of Grafana"
    if defaults.get("unit") == "percentunit" and defaults.get("min") != 0:
        yield "a share does not begin at 0"


def lost_members(board):
    """What is not there any more after a round trip through the models of Grafana's own SDK."""
    back = json.loads(JSONEncoder().encode(Dashboard.from_json(board)))
    for path in differences(board, back, ""):
        if not UNMODELLED.search(path):
            yield f"grafana-foundation-sdk does not keep {path}"


def differences(given, back, path):
    if isinstance(given, dict) and isinstance(back, dict):
        for name, value in given.items():
            if name in back:
                yield from differences(value, back[name], f"{path}.{name}")
            elif value not in (None, [], {}, ""):
                yield from members(value, f"{path}.{name}")
    elif isinstance(given, list) and isinstance(back, list) and len(given) == len(back):
        for index, pair in enumerate(zip(given, back)):
            yield from differences(*pair, f"{path}[{index}]")
    elif given != back:
        yield path


def members(value, path):
    if isinstance(value, dict):
        for name, member in value.items():
            yield from members(member, f"{path}.{name}")
    else:
        yield path
