"""One HTTP/1.1 connection of a client that stays open, as the clients of calls hold theirs."""
import asyncio


class Gone(Exception):
    """The server closed the connection, or cannot be reached: what was being sent is not acknowledged."""


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body


class Connection:
    def __init__(self, port):
        self.port = port
        self.reader = None
        self.writer = None

    async def send(self, method, path, body=b"", headers=()):
        """Sends a request and waits for the answer. Raises Gone."""
        try:
            if self.writer is None:
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
            lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
            lines += [f"{name}: {value}" for name, value in headers]
            self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
            return await self.answer()
        except (OSError, EOFError, asyncio.IncompleteReadError) as error:
            self.close()
            raise Gone(str(error)) from error

    async def answer(self):
        head = await self.reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        if headers.get("transfer-encoding", "").lower() == "chunked":
            body = await self.chunks()
        else:
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Answer(int(first.split(" ")[1]), headers, body)

    async def chunks(self):
        body = b""
        while True:
            size = int((await self.reader.readuntil(b"\r\n")).split(b";")[0], 16)
            body += (await self.reader.readexactly(size + 2))[:-2]
            if size == 0:
                return body

    def close(self):
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None
