"""The tables of panels and alerts in Dashboards/README.md."""

BEGIN = "<!-- made by Scripts/dashboards: change it there -->"
END = "<!-- end of what Scripts/dashboards makes -->"


def tables(boards, alerts):
    parts = []
    for file, board in boards.items():
        parts.append(f"### {board['title']}\n\n`{file}`: {board['description']}\n")
        parts.append(table(["panel", "what it shows"], rows(board)))
        marks = [mark["name"] for mark in board["annotations"]["list"]]
        if marks:
            parts.append(f"Marked on everything over time: {', '.join(marks)}.\n")
    parts.append("### Alerts\n")
    parts.append(table(["alert", "when", "severity"],
                       [(f"`{alert.name}`", cell(alert.summary.replace("{{ $labels.", "*").replace(" }}", "*")),
                         alert.severity) for alert in alerts]))
    return "\n".join(parts)


def rows(board):
    for panel in board["panels"]:
        if panel["type"] == "row":
            yield f"**{panel['title']}**", ""
        else:
            yield panel["title"], cell(panel["description"])


def table(heads, body):
    lines = [heads, ["---"] * len(heads), *body]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def cell(text):
    return text.replace("|", "\\|")


def filled(text, made):
    """The text with what is made between its marks."""
    head, _, rest = text.partition(BEGIN)
    _, found, tail = rest.partition(END)
    if not found:
        raise ValueError(f"Dashboards/README.md lacks the lines {BEGIN} and {END}")
    return f"{head}{BEGIN}\n\n{made}\n{END}{tail}"
