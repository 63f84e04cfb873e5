"""Reads a service of TAXII 2.1 with taxii2-client, and checks its objects with stix2-validator.

Arguments: the address of the discovery resource, a license key.
"""
import json
import logging
import sys

from requests.auth import AuthBase
from stix2validator import ValidationOptions, validate_parsed_json
from taxii2client.v21 import Server, as_pages


class Bearer(AuthBase):
    def __call__(self, request):
        request.headers["Authorization"] = f"Bearer {key}"
        return request


logging.disable(logging.WARNING)
url, key = sys.argv[1:]
by_bearer = [each.id for each in Server(url, auth=Bearer()).default.collections]
server = Server(url, user="redoubt", password=key)
found = {"byBearer": by_bearer, "root": server.default.title, "collections": {}}
for collection in server.default.collections:
    objects = [each for page in as_pages(collection.get_objects, per_request=3) for each in page["objects"]]
    manifest = [each for page in as_pages(collection.get_manifest, per_request=3) for each in page["objects"]]
    bundle = {"type": "bundle", "id": "bundle--3f5b8a1e-6c7d-4a5c-9d0e-1b2a3c4d5e6f", "objects": objects}
    # The ids are UUIDs of version 5, so that all versions of an object have the same.
    result = validate_parsed_json(bundle, ValidationOptions(version="2.1", disabled=["uuid-check"]))
    newest = objects[-1]
    found["collections"][collection.alias] = {
        "objects": objects,
        "manifest": [f"{each['id']} {each['version']}" for each in manifest],
        "errors": [str(error) for error in result.errors],
        "warnings": [str(warning) for warning in result.warnings],
        "byId": collection.get_object(newest["id"])["objects"],
        "byType": collection.get_objects(type="identity", version="last", spec_version="2.1")["objects"],
        "versions": collection.object_versions(newest["id"])["versions"],
        "later": collection.get_objects(added_after=manifest[-1]["date_added"]),
    }
print(json.dumps(found))
