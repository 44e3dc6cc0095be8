"""Serves the page's files from a folder and passes everything else on to the program, so that the
page can be worked on, and tested, without a build. The program sees its own Host and Origin."""

import http.client
import mimetypes
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "host", "origin"}


class SiteProxy:
    """A proxy on a port of its own."""

    def __init__(self, site, program):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type(
            "Handler", (Handler,), {"site": Path(site).resolve(), "program": program}))
        self.server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.0"
    site = program = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        url = urlsplit(self.path)
        file = (self.site / (url.path.strip("/") or "index.html")).resolve()
        if not url.query and file.is_file() and self.site in file.parents:
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            kind = "text/javascript" if file.suffix == ".js" else kind
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Security-Policy", POLICY)
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            try:
                self.wfile.write(file.read_bytes())
            except OSError:
                # The browser was closed, or went to another page.
                self.close_connection = True
        else:
            self.forward("GET", None)

    def do_POST(self):
        self.forward("POST", self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def forward(self, method, body):
        headers = {name: value for name, value in self.headers.items()
                   if name.lower() not in HOP_BY_HOP}
        headers["Host"] = self.program
        if "Origin" in self.headers:
            headers["Origin"] = f"http://{self.program}"
        connection = http.client.HTTPConnection(self.program)
        try:
            connection.request(method, self.path, body, headers)
            answer = connection.getresponse()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in HOP_BY_HOP:
                    self.send_header(name, value)
            self.end_headers()
            while part := answer.read1(65536):
                self.wfile.write(part)
                self.wfile.flush()
        except (OSError, http.client.HTTPException):
            # The program went away, or the browser: the browser sees a connection that ended.
            self.close_connection = True
        finally:
            connection.close()
