"""Panels and boards of Grafana as plain dictionaries: "classic" boards, which Grafana 10.4 and later import."""

SCHEMA_VERSION = 39
COLUMNS = 24
# A data source is chosen on the board, so that no file has to be edited.
CHOSEN = "${datasource}"

# The bands of docs/score.md: name, the lowest score that counts, colour.
BANDS = [
    ("bad", 0, "dark-red"), ("poor", 60, "orange"), ("fair", 70, "yellow"), ("good", 80, "light-green"),
    ("excellent", 90, "green"),
]
SCORE_STEPS = [{"color": color, "value": lowest or None} for _, lowest, color in BANDS]
# Where a figure has no limit that counts everywhere.
PLAIN_STEPS = [{"color": "text", "value": None}]


def steps(*limits, low="green"):
    """Colours from limits on: steps((0.01, "yellow"), (0.05, "red"))."""
    return [{"color": low, "value": None}] + [{"color": color, "value": value} for value, color in limits]


class Panel:
    """One panel but for its query, which depends on the store."""

    def __init__(self, key, kind, title, description, unit, width, height, *, least=None, most=None, decimals=None,
                 thresholds=None, custom=None, options=None, overrides=(), interval=None, points=None):
        self.key, self.kind, self.title, self.description, self.unit = key, kind, title, description, unit
        self.width, self.height = width, height
        self.least, self.most, self.decimals, self.thresholds = least, most, decimals, thresholds
        self.custom, self.options, self.overrides = custom or {}, options or {}, list(overrides)
        self.interval, self.points = interval, points

    def json(self, number, x, y, targets):
        defaults = {"unit": self.unit, "custom": self.custom, "mappings": []}
        defaults["color"] = {"mode": "thresholds" if self.thresholds else "palette-classic"}
        defaults["thresholds"] = {"mode": "absolute", "steps": self.thresholds or PLAIN_STEPS}
        for name, value in [("min", self.least), ("max", self.most), ("decimals", self.decimals)]:
            if value is not None:
                defaults[name] = value
        panel = {
            "id": number, "type": self.kind, "title": self.title, "description": self.description,
            "gridPos": {"x": x, "y": y, "w": self.width, "h": self.height},
            "datasource": targets[0]["datasource"],
            "fieldConfig": {"defaults": defaults, "overrides": self.overrides},
            "options": self.options, "targets": targets, "transparent": False,
        }
        if self.interval:
            panel["interval"] = self.interval
        if self.points:
            panel["maxDataPoints"] = self.points
        return panel


def stat(key, title, description, unit, width=4, height=4, **more):
    """One figure, or one word."""
    fields = "/.*/" if unit == "string" else ""
    options = {
        "reduceOptions": {"calcs": ["lastNotNull"], "fields": fields, "values": False}, "colorMode": "value",
        "graphMode": "none", "justifyMode": "auto", "textMode": "auto", "orientation": "auto",
        "wideLayout": True, "showPercentChange": False,
    }
    return Panel(key, "stat", title, description, unit, width, height, options=options, **more)


LEGEND = {"displayMode": "list", "placement": "bottom", "showLegend": True, "calcs": []}
TOOLTIP = {"mode": "multi", "sort": "none"}


def lines(key, title, description, unit, width=12, height=8, *, stacked=False, bars=False, **more):
    """Lines over time. What is not known is a gap."""
    custom = {
        "drawStyle": "bars" if bars else "line", "lineWidth": 1, "fillOpacity": 80 if bars else 8,
        "showPoints": "never" if bars else "auto", "pointSize": 4, "spanNulls": False, "lineInterpolation": "linear",
        "stacking": {"mode": "normal" if stacked else "none", "group": "A"}, "axisPlacement": "auto", "axisLabel": "",
    }
    if more.get("thresholds"):
        custom["thresholdsStyle"] = {"mode": "dashed"}
        # Lines keep a colour each; the limits are drawn.
        custom["axisColorMode"] = "text"
    return Panel(key, "timeseries", title, description, unit, width, height, custom=custom,
                 options={"legend": LEGEND, "tooltip": TOOLTIP}, **more)


def bars(key, title, description, unit, field, width=8, height=8, **more):
    """One bar for each row of a table."""
    options = {
        "orientation": "horizontal", "xField": field, "showValue": "always", "stacking": "none", "groupWidth": 0.7,
        "barWidth": 0.9, "barRadius": 0, "fullHighlight": False, "xTickLabelRotation": 0, "xTickLabelSpacing": 0,
        "legend": {**LEGEND, "showLegend": False}, "tooltip": {"mode": "single", "sort": "none"},
    }
    custom = {"lineWidth": 1, "fillOpacity": 80, "gradientMode": "none", "axisPlacement": "auto", "axisLabel": ""}
    return Panel(key, "barchart", title, description, unit, width, height, custom=custom, options=options, **more)


def gauges(key, title, description, unit, width=8, height=8, *, of_rows=False, **more):
    """One bar for each column of a single row, or for each row of a name and a figure."""
    options = {
        "displayMode": "basic", "orientation": "horizontal", "valueMode": "text", "namePlacement": "auto",
        "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": of_rows}, "showUnfilled": True,
        "sizing": "auto", "minVizWidth": 8, "minVizHeight": 16, "maxVizHeight": 40,
    }
    return Panel(key, "bargauge", title, description, unit, width, height, options=options, **more)


def table(key, title, description, unit="short", width=24, height=9, **more):
    custom = {"align": "auto", "cellOptions": {"type": "auto"}, "filterable": True, "inspect": False}
    options = {"showHeader": True, "cellHeight": "sm", "footer": {"show": False, "reducer": ["sum"], "fields": ""}}
    return Panel(key, "table", title, description, unit, width, height, custom=custom, options=options, **more)


def states(key, title, description, width=24, height=4, **more):
    """What held from when to when."""
    options = {
        "mergeValues": True, "showValue": "auto", "alignValue": "left", "rowHeight": 0.8, "legend": LEGEND,
        "tooltip": {"mode": "single", "sort": "none"},
    }
    custom = {"lineWidth": 0, "fillOpacity": 70}
    return Panel(key, "state-timeline", title, description, "none", width, height, custom=custom, options=options,
                 **more)


def heatmap(key, title, description, unit, width=12, height=8, **more):
    """Buckets of a histogram over time."""
    options = {
        "calculate": False, "cellGap": 1, "yAxis": {"axisPlacement": "left", "unit": unit},
        "color": {"mode": "scheme", "scheme": "Oranges", "steps": 32, "exponent": 0.5, "reverse": False},
        "legend": {"show": True}, "tooltip": {"mode": "single", "yHistogram": False, "showColorScale": False},
        "rowsFrame": {"layout": "auto"}, "filterValues": {"le": 1e-9}, "showValue": "never", "exemplars": {"color": "red"},
    }
    custom = {"scaleDistribution": {"type": "linear"}, "hideFrom": {"tooltip": False, "viz": False, "legend": False}}
    return Panel(key, "heatmap", title, description, unit, width, height, custom=custom, options=options, **more)


class Row:
    """A heading on the board."""

    def __init__(self, title):
        self.title = title


def named(field, **properties):
    """What differs for one field: named("score", unit="none")."""
    return {"matcher": {"id": "byName", "options": field}, "properties": [
        {"id": name.replace("__", "."), "value": value} for name, value in properties.items()]}


def colored(field, color):
    """The colour of one field."""
    return named(field, color={"mode": "fixed", "fixedColor": color})


def source(kind):
    return {"type": kind, "uid": CHOSEN}


def chooser(kind):
    return {
        "name": "datasource", "label": "Data source", "type": "datasource", "query": kind, "current": {}, "hide": 0,
        "refresh": 1, "regex": "", "multi": False, "includeAll": False, "options": [], "skipUrlSync": False,
    }


def choice(name, label, kind, query, *, on_time=False, all_value=None, is_hidden=False):
    """A variable whose values a query gives. One that is hidden follows from the others, and is in no link."""
    variable = {
        "name": name, "label": label, "type": "query", "datasource": source(kind), "query": query, "definition": query,
        "refresh": 2 if on_time else 1, "sort": 1, "multi": False, "includeAll": all_value is not None, "current": {},
        "options": [], "hide": 2 if is_hidden else 0, "regex": "", "skipUrlSync": is_hidden,
    }
    if all_value is not None:
        variable["allValue"] = all_value
        variable["current"] = {"selected": True, "text": "All", "value": "$__all"}
    return variable


def box(name, label, description):
    """A variable to type or paste."""
    return {
        "name": name, "label": label, "description": description, "type": "textbox", "query": "", "hide": 0,
        "current": {"selected": False, "text": "", "value": ""}, "options": [], "skipUrlSync": False,
    }


def mark(name, color, target, enabled=True):
    """Annotations, which are drawn on all panels over time."""
    return {
        "name": name, "enable": enabled, "hide": False, "iconColor": color, "datasource": target["datasource"],
        "target": {**target, "refId": "Anno"},
    }


def placed(items, targets):
    """Panels from left to right and from top to bottom, in their order.

    A row begins below everything before it. `targets` gives the queries of a panel by its key, or None where the store
    does not know what it shows.
    """
    panels, x, y, height = [], 0, 0, 0
    for item in items:
        width = COLUMNS if isinstance(item, Row) else item.width
        found = None if isinstance(item, Row) else targets(item)
        if not isinstance(item, Row) and not found:
            continue
        if x + width > COLUMNS:
            x, y, height = 0, y + height, 0
        number = len(panels) + 1
        if isinstance(item, Row):
            panels.append({"id": number, "type": "row", "title": item.title, "collapsed": False, "panels": [],
                           "gridPos": {"x": 0, "y": y, "w": COLUMNS, "h": 1}})
            x, y, height = 0, y + 1, 0
        else:
            panels.append(item.json(number, x, y, found))
            x, height = x + width, max(height, item.height)
    return panels


def board(uid, title, description, tags, kind, panels, *, variables=(), marks=(), start="now-24h", refresh="1m"):
    return {
        "uid": uid, "title": title, "description": description, "tags": ["sidetone"] + tags,
        "schemaVersion": SCHEMA_VERSION, "version": 1, "editable": True, "graphTooltip": 1, "refresh": refresh,
        "timezone": "browser", "time": {"from": start, "to": "now"}, "fiscalYearStartMonth": 0, "weekStart": "",
        "liveNow": False, "timepicker": {}, "annotations": {"list": list(marks)},
        "links": [{
            "title": "Sidetone", "type": "dashboards", "tags": ["sidetone"], "asDropdown": False, "keepTime": True,
            "includeVars": False, "targetBlank": False, "icon": "external link", "tooltip": "", "url": "",
        }],
        "templating": {"list": [chooser(kind), *variables]}, "panels": panels,
    }
