"""Makes a trace of OpenTelemetry logs (OTLP as JSON, one export request a line, as the collector's
file exporter writes it). Run: python3 otlp.py < logs.jsonl > shop.trace.jsonl"""
import json
import sys


def plain(value):
    """The JSON value of an OTLP `AnyValue`."""
    if "intValue" in value:
        return int(value["intValue"])
    if "arrayValue" in value:
        return [plain(v) for v in value["arrayValue"].get("values", [])]
    if "kvlistValue" in value:
        return attributes(value["kvlistValue"].get("values", []))
    if "bytesValue" in value:
        return {"$bytes": value["bytesValue"]}
    return next(iter(value.values()), None)


def attributes(pairs):
    return {pair["key"]: plain(pair.get("value", {})) for pair in pairs}


records = [
    record
    for line in sys.stdin
    for resource in json.loads(line).get("resourceLogs", [])
    for scope in resource.get("scopeLogs", [])
    for record in scope.get("logRecords", [])
]
start = min((int(r["timeUnixNano"]) for r in records), default=0)
print(json.dumps({"trace": 1, "by": "otlp"}))
for record in sorted(records, key=lambda r: int(r["timeUnixNano"])):
    values = attributes(record.get("attributes", []))
    source = record.get("eventName") or values.pop("event.name", None) or "log"
    value = values or plain(record.get("body", {}))
    time = (int(record["timeUnixNano"]) - start) // 1000
    print(json.dumps({"us": time, "source": source, "value": value}))
