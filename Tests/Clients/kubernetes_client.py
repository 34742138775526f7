"""Lists pods and watches them, and prints what comes."""

import sys

from kubernetes import client, watch
from urllib3.exceptions import ProtocolError

settings = client.Configuration(host=sys.argv[1])
api = client.CoreV1Api(client.ApiClient(settings))
listed = api.list_namespaced_pod("default")
print(*[pod.metadata.name for pod in listed.items], listed.metadata.resource_version, flush=True)
follow = watch.Watch()
version = listed.metadata.resource_version
seen = 0
while seen < 4:
    try:
        for event in follow.stream(
                api.list_namespaced_pod, "default", resource_version=version, timeout_seconds=5):
            pod = event["object"]
            version = pod.metadata.resource_version
            print(event["type"], pod.metadata.name, version, flush=True)
            seen += 1
            if seen == 4:
                follow.stop()
    except ProtocolError:
        print("broken", flush=True)
print(*[pod.metadata.name for pod in api.list_namespaced_pod("default").items], flush=True)
