"""Signs in in each way, refreshes, and prints what comes."""

import os
import sys
import time
from urllib.parse import parse_qs, urlparse

import requests
from authlib.integrations.requests_client import OAuth2Session

url = sys.argv[1]
about = requests.get(url + "/.well-known/oauth-authorization-server").json()
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"


def tried(call):
    try:
        print(call(), flush=True)
    except Exception as error:
        print(type(error).__name__, str(error).split(" for url")[0], flush=True)


session = OAuth2Session(
    "app", redirect_uri="http://127.0.0.1/back", code_challenge_method="S256",
    token_endpoint_auth_method="none", token_endpoint=about["token_endpoint"])
verifier = "v" * 50
page, state = session.create_authorization_url(
    about["authorization_endpoint"], code_verifier=verifier)
back = requests.get(page, allow_redirects=False).headers["Location"]
print(parse_qs(urlparse(back).query)["state"] == [state], flush=True)


def fetch(verifier):
    return session.fetch_token(
        about["token_endpoint"], authorization_response=back, code_verifier=verifier)


tried(lambda: fetch("w" * 50))
tried(lambda: fetch(verifier)["access_token"])
tried(lambda: fetch(verifier))
tried(lambda: session.get(about["userinfo_endpoint"]).json()["name"])
first = session.token["refresh_token"]
tried(lambda: session.refresh_token(about["token_endpoint"])["access_token"])
tried(lambda: session.refresh_token(about["token_endpoint"], refresh_token=first))
tried(lambda: session.get(about["userinfo_endpoint"]).status_code)
service = OAuth2Session("service", "secret", token_endpoint=about["token_endpoint"])
tried(lambda: service.fetch_token(about["token_endpoint"], grant_type="client_credentials")["token_type"])
given = requests.post(about["device_authorization_endpoint"], data={"client_id": "app"}).json()
for _ in range(3):
    answer = requests.post(about["token_endpoint"], data={
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "app",
        "device_code": given["device_code"]}).json()
    print(answer.get("error", answer.get("access_token")), flush=True)
