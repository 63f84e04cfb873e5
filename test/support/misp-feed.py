"""Reads a directory as MISP reads a feed, with PyMISP. Argument: the directory."""
import hashlib
import json
import sys
import warnings
from pathlib import Path

from pymisp import MISPEvent

# A type and a category that do not belong together would only be warned about.
warnings.simplefilter("error")
directory = Path(sys.argv[1])
manifest = json.loads((directory / "manifest.json").read_text())
hashes = {tuple(line.split(",")) for line in (directory / "hashes.csv").read_text().splitlines()}
events = []
for uuid, listed in manifest.items():
    event = MISPEvent(strict_validation=True)
    event.load_file(directory / f"{uuid}.json")
    # What PyMISP itself would write into the manifest.
    assert event.manifest[uuid] == {**listed, "timestamp": int(listed["timestamp"]), **{
        name: int(listed[name]) for name in ("analysis", "threat_level_id")
    }} or event.manifest[uuid] == {**listed, "timestamp": int(listed["timestamp"])}, event.manifest
    kept = [each for each in event.attributes if not each.deleted]
    expected = {(hashlib.md5(each.value.encode()).hexdigest(), uuid) for each in kept}
    assert expected == {pair for pair in hashes if pair[1] == uuid}
    events.append({
        "date": event.date.isoformat(),
        "orgc": event.Orgc.name,
        "values": [each.value for each in kept],
        "deleted": [each.value for each in event.attributes if each.deleted],
        "uuids": [each.uuid for each in event.attributes],
    })
files = {each.name for each in directory.iterdir()}
print(json.dumps({"events": events, "strays": sorted(files - {"manifest.json", "hashes.csv", *(f"{uuid}.json" for uuid in manifest)})}))
