"""Push messages: encrypted for one browser (RFC 8291), signed by this server (RFC 8292)."""

import hashlib
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from karma.refusals import Refusal
from karma.store.ports import KeptSubscription, KeyPair

CURVE = ec.SECP256R1()
KEY_BYTES, AUTH_BYTES = 65, 16
DAY = 86_400


def make_key() -> KeyPair:
    """A new key for a server."""
    key = ec.generate_private_key(CURVE)
    secret = key.private_numbers().private_value.to_bytes(32)
    public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return KeyPair(_encoded(secret), _encoded(public))


def check_keys(p256dh: str, auth: str) -> None:
    """Refuses what are not the keys of a browser."""
    try:
        point = _decoded(p256dh)
        right = len(point) == KEY_BYTES and len(_decoded(auth)) == AUTH_BYTES
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
    except ValueError:
        right = False
    if not right:
        raise Refusal("bad_message", reason="not the keys of a browser")


def seal(content: bytes, subscription: KeptSubscription) -> bytes:
    """Content that this browser alone can read."""
    sealed = http_ece.encrypt(
        content,
        salt=os.urandom(16),
        private_key=ec.generate_private_key(CURVE),
        dh=_decoded(subscription.p256dh),
        auth_secret=_decoded(subscription.auth),
        version="aes128gcm",
    )
    return bytes(sealed)


def headers(key: KeyPair, contact: str, origin: str, topic: str, now: int) -> dict[str, str]:
    """Who sends a message, how long it is good, and which older one it replaces."""
    claims = {"aud": origin, "sub": contact, "exp": now + DAY // 2}
    signed = Vapid02.from_raw(key.secret.encode())
    signed.conf = {"no-strict": True}
    return {
        **signed.sign(claims),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "ttl": str(DAY),
        "urgency": "normal",
        "topic": hashlib.sha256(topic.encode()).hexdigest()[:32],
    }


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
