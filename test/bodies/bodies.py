"""Prints request bodies as `requests.post(json=...)` sends them, a JSON line each."""
import json
from datetime import datetime, timedelta, timezone

from requests import Request

AT = datetime.fromtimestamp(1767323045, timezone.utc)
MICRO = AT.replace(microsecond=123456)


def say(route, body, odd=0):
    sent = Request("POST", "https://x.test", json=body).prepare().body.decode()
    print(json.dumps({"client": "python", "route": route, "odd": odd, "body": sent}))


for at in [AT.isoformat(), MICRO.isoformat(), MICRO.isoformat(timespec="milliseconds"), AT.isoformat(timespec="minutes"),
           AT.strftime("%Y-%m-%dT%H:%M:%S%z"), AT.strftime("%Y%m%dT%H%M%SZ"), AT.astimezone(timezone(timedelta(hours=5, minutes=30))).isoformat(), None, ""]:
    say("telemetry", {"domain": "bodies.com", "events": [{"type": "x", "occurred_at": at, "metadata": None}]})
for stats in [None, {}, {"ratio": 0.1 + 0.2, "big": 2**53, "none": None, "on": True}, {"small": 1e-7}]:
    say("telemetry", {"site_url": "bodies.com", "license_key": "__KEY__\n", "plugin_version": None, "stats": stats, "events": None})
say("telemetry", {"domain": "bodies.com", "site_uuid": 12, "events": [{"type": "x", "event_id": 2**40}]})
for field in ["severity", "message", "event_id", "metadata"]:
    say("telemetry", {"site_url": "bodies.com", "event_type": "x", field: None})
say("telemetry", {"site_url": "bodies.com", "event_type": "x", "message": "Gr\u00f6\u00dfe \U0001f600"})
for key in ["__KEY__", "__KEY__\n", "\ufeff__KEY__", "__KEY__\r\n"]:
    say("verify", {"api_key": key, "domain": "bodies.com", "extra": None})
for version, odd in [("v2.0", 0), ("1.0 beta 2", 0), (None, 1), (2.0, 1)]:
    say("components", {"components": [{"ecosystem": "pypi", "name": "requests", "name_hash": None, "version": version, "status": None}]}, odd)
