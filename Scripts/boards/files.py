"""Every file under Dashboards that is made here: its path and its text."""
import json
import pathlib

import call_boards
import clickhouse
import prometheus
import provisioning
import readme
import rules
import sqlite
import yamltext

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "Dashboards"
MADE = "Made by Scripts/dashboards: change it there."


def boards():
    return {**call_boards.boards(sqlite), **call_boards.boards(clickhouse), **prometheus.boards()}


def all_files():
    """The texts by path under Dashboards."""
    made = boards()
    texts = {f"Grafana/{file}": json.dumps(board, indent=2, ensure_ascii=False) + "\n" for file, board in made.items()}
    documents = {
        "Grafana/provisioning/datasources/sidetone.yaml": provisioning.data_sources(),
        "Grafana/provisioning/dashboards/sidetone.yaml": provisioning.board_providers(),
        "Prometheus/prometheus.yml": provisioning.scraping(),
        "Prometheus/sidetone.rules.yml": rules.rules(),
        **{f"Prometheus/{file}": cases for file, cases in rules.tests().items()},
    }
    texts.update({path: yamltext.document(value, MADE) for path, value in documents.items()})
    text = (FOLDER / "README.md").read_text()
    texts["README.md"] = readme.filled(text, readme.tables(made, rules.ALERTS))
    return texts
