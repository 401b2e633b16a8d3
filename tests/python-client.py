"""Calls operations through the Python client, as told by tests/clients.test.ts."""

import json
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "client" / "python"))
from triptych_client import Triptych, TriptychError  # noqa: E402

client = Triptych(os.environ["TRIPTYCH_URL"], os.environ["TRIPTYCH_TOKEN"])
work = json.loads(os.environ["WORK"])


def method_of(name, path, prefix=""):
    method = prefix + re.sub(r"[^a-z0-9]+", "_", path)
    holder = client if name == path else getattr(client, name.split("/")[0])
    return getattr(holder, method)


bodies = {name: method_of(name, path)(**parameters) for name, path, parameters in work["calls"]}
counts = [len(list(method_of(name, path, "iter_")(**parameters))) for name, path, parameters in work["lists"]]
# What to_dataframe reads: pandas may not be installed.
taken = [
    len(method_of(name, path, "iter_")(**parameters)._take(limit))
    for name, path, parameters, limit in work.get("taken", [])
]
failure = []
if "failing" in work:
    name, path, parameters = work["failing"]
    try:
        method_of(name, path)(**parameters)
    except TriptychError as error:
        failure = [str(error.status), error.code]
if "unlisted" in work:
    name, path, parameters = work["unlisted"]
    try:
        list(method_of(name, path, "iter_")(**parameters))
    except ValueError as error:
        failure = [str(error)]
json.dump([bodies, counts, failure, taken], sys.stdout)
