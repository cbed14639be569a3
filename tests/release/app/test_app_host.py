"""A page of another name that points to this machine cannot read what a user uploads."""

import http.client
from urllib.parse import urlsplit

import pytest

OTHERS = [
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1.evil.example",
    "localhost.evil.example:{port}",
    "0.0.0.0",
    "",
]


def status(address, host, path="/"):
    port = urlsplit(address).port
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest("GET", path, skip_host=True)
    connection.putheader("Host", host.format(port=port))
    connection.endheaders()
    found = connection.getresponse().status
    connection.close()
    return found


@pytest.mark.parametrize("host", OTHERS)
@pytest.mark.parametrize("path", ["/", "/config", "/gradio_api/info", "/gradio_api/startup-events"])
def test_a_request_by_another_name_is_refused(address, host, path):
    assert status(address, host, path) == 400


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "localhost"])
def test_a_request_by_a_name_of_this_machine_is_answered(address, host):
    assert status(address, host) == 200
