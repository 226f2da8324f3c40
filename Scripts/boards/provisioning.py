"""What Grafana and Prometheus read at their start to find the data and the boards."""

FOLDER = "/etc/sidetone/grafana"


def data_sources():
    return {"apiVersion": 1, "datasources": [
        {
            "name": "Sidetone calls (SQLite)", "uid": "sidetone-sqlite", "type": "frser-sqlite-datasource",
            "access": "proxy", "editable": False,
            "jsonData": {"path": "/var/lib/grafana/sidetone/calls.sqlite", "pathPrefix": "file:",
                         "pathOptions": "mode=ro"},
        },
        {
            "name": "Sidetone calls (ClickHouse)", "uid": "sidetone-clickhouse",
            "type": "grafana-clickhouse-datasource", "access": "proxy", "editable": False,
            "jsonData": {"host": "127.0.0.1", "port": 8123, "protocol": "http", "username": "grafana",
                         "defaultDatabase": "calls"},
            "secureJsonData": {"password": "$SIDETONE_CLICKHOUSE_PASSWORD"},
        },
        {
            "name": "Sidetone collector (Prometheus)", "uid": "sidetone-prometheus", "type": "prometheus",
            "access": "proxy", "editable": False, "url": "http://127.0.0.1:9090",
            "jsonData": {"timeInterval": "15s", "httpMethod": "POST"},
        },
    ]}


def board_providers():
    return {"apiVersion": 1, "providers": [{
        "name": "Sidetone", "folder": "Sidetone", "type": "file", "disableDeletion": True, "allowUiUpdates": False,
        "updateIntervalSeconds": 60, "options": {"path": FOLDER},
    }]}


def scraping():
    return {
        "global": {"scrape_interval": "15s", "evaluation_interval": "30s"},
        "rule_files": ["sidetone.rules.yml"],
        "scrape_configs": [{
            "job_name": "sidetone", "metrics_path": "/metrics",
            "static_configs": [{"targets": ["127.0.0.1:8080"]}],
            "authorization": {"credentials_file": "/etc/prometheus/sidetone.token"},
        }],
    }
