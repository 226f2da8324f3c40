"""What schemathesis does not know by itself: JSON Lines."""
import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    rows = value if isinstance(value, list) else [value]
    return "\n".join(json.dumps(row) for row in rows).encode("utf-8", "surrogatepass")
