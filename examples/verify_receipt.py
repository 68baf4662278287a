"""Check a receipt with nothing of taisai: the standard library and `cryptography`.

python verify_receipt.py RECEIPT KEY [WITNESS KEY ...]     exit code 0: it fits, 1: it does not, 2: no receipt
"""
import hmac, json, re, sys, time
from base64 import b64decode, b64encode
from datetime import datetime, timezone
from hashlib import sha256
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

class Malformed(Exception): pass
class Wrong(Exception): pass

MAX = 2**53 - 1
FORM = {"format": 0, "opening": {"entry": 0, "index": 1, "proof": 0}, "closing": {"entry": 0, "index": 1, "proof": 0}, "before": 0,
        "slip": {"body": 0, "salt": 0, "index": 1, "proof": 0},
        "result": {"entry": 0, "index": 1, "proof": 0, "body": 0, "salt": 0, "path": 0}, "after": 0, "consistency": 0}
OPENING, CLOSING = "ttwwtthwt", "ttwwwwrwt"
RESULT = "ttwwnwndthswrwt"

def need(holds):
    if not holds: raise Malformed
def whole(value): return type(value) is int and 0 <= value <= MAX
def base64(text):
    try: raw = b64decode(text, validate=True)
    except ValueError: raise Malformed
    need(b64encode(raw).decode() == text)
    return raw
def one_json(text):
    try: found = json.loads(text)
    except (ValueError, RecursionError): raise Malformed
    need(json.dumps(found, ensure_ascii=False, separators=(",", ":")) == text)
    return found
def formed(value, form):
    need(isinstance(value, dict) and list(value) == list(form))
    for name, kind in form.items():
        formed(value[name], kind) if isinstance(kind, dict) else need(whole(value[name]) if kind else isinstance(value[name], str))
def D(*fields):
    fields = [field.encode() if isinstance(field, str) else field for field in fields]
    return sha256(b"".join(len(field).to_bytes(8, "big") + field for field in fields)).digest()
def leaf(data): return sha256(b"\0" + data).digest()
def node(left, right): return sha256(b"\1" + left + right).digest()
def proof(text):
    raw = base64(text)
    need(len(raw) % 32 == 0 and len(raw) <= 63 * 32)
    return [raw[at:at + 32] for at in range(0, len(raw), 32)]
def includes(found, index, size, path, root):
    if not 0 <= index < size: return False
    place, last = index, size - 1
    for each in path:
        if last == 0: return False
        if place & 1 or place == last:
            found = node(each, found)
            while not place & 1 and place: place, last = place >> 1, last >> 1
        else: found = node(found, each)
        place, last = place >> 1, last >> 1
    return last == 0 and found == root
def extends(first, second, root1, root2, path):
    if not 0 < first <= second: return False
    if first == second: return not path and root1 == root2
    if not path: return False
    start, *rest = path if first & (first - 1) else [root1, *path]
    place, last, small, large = first - 1, second - 1, start, start
    while place & 1: place, last = place >> 1, last >> 1
    for each in rest:
        if last == 0: return False
        if place & 1 or place == last:
            small, large = node(each, small), node(each, large)
            while not place & 1 and place: place, last = place >> 1, last >> 1
        else: large = node(large, each)
        place, last = place >> 1, last >> 1
    return last == 0 and small == root1 and large == root2

NAME = re.compile(r"[^\s+\x00-\x1f\x7f]{1,128}")
def read_key(text):
    name, _, rest = text.strip().partition("+")
    hint, _, encoded = rest.partition("+")
    raw = base64(encoded)
    need(NAME.fullmatch(name) and len(raw) == 33 and raw[0] in (1, 4) and not is_small(raw[1:]))
    need(sha256(name.encode() + b"\n" + raw).hexdigest()[:8] == hint)
    return name, bytes.fromhex(hint), raw[1:]
def is_small(key):  # eight times a point of small order is nothing: its y is one of these
    y = int.from_bytes(key, "little") & (1 << 255) - 1
    p, d = 2**255 - 19, 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826
    return y % p in (0, 1, p - 1, d, p - d)
def verify(key, signature, message):
    try: Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except Exception: return False
    return True
def read_note(raw):
    need(len(raw.encode()) <= 16384 and not re.search("[\x00-\x09\x0b-\x1f\ufeff]", raw))
    text, found, rest = raw.rpartition("\n\n")
    need(found and rest.endswith("\n"))
    lines = []
    for line in rest[:-1].split("\n"):
        dash, _, more = line.partition(" ")
        name, _, encoded = more.partition(" ")
        need(dash == "\u2014" and NAME.fullmatch(name))
        signature = base64(encoded)
        need(len(signature) >= 5)
        lines.append((name, signature[:4], signature[4:]))
    need(len(lines) <= 32)
    lines_of = text.split("\n")
    need(len(lines_of) >= 3 and NAME.fullmatch(lines_of[0]) and re.fullmatch("0|[1-9][0-9]{0,15}", lines_of[1]) and "" not in lines_of[3:])
    root = base64(lines_of[2])
    need(len(root) == 32 and int(lines_of[1]) <= MAX)
    return text + "\n", lines, lines_of[0], int(lines_of[1]), root
def cosigners(note, keys, which):
    seen = []
    for name, hint, public in keys:
        for _, _, signature in (line for line in note[1] if line[:2] == (name, hint)):
            when = int.from_bytes(signature[:8], "big")
            if when > MAX or len(signature) != 72 or not verify(public, signature[8:], f"cosignature/v1\ntime {when}\n{note[0]}".encode()):
                raise Wrong(f"The signature of a witness under the {which} checkpoint is not good.")
            seen.append((name, when))
    return seen
def entry(text, title, form):
    found = one_json(text)
    need(isinstance(found, list) and len(found) == len(form) and found[0] == title)
    for kind, value in zip(form, found):
        if kind == "t": need(isinstance(value, str))
        elif kind == "w": need(whole(value))
        elif kind == "n": need(value is None or whole(value))
        elif kind == "d": need(value is None or isinstance(value, list) and len(value) == 3 and all(whole(die) and 1 <= die <= 6 for die in value))
        else: need(isinstance(value, str) and re.fullmatch("([0-9a-f]{2})*", value) and len(value) // 2 in {"h": (0, 32), "s": (0, 64), "r": (32,)}[kind])
    return found
def stakes(value):
    need(isinstance(value, dict) and list(value) == sorted(value) and all(whole(stake) and stake for stake in value.values()))
    need(all(re.fullmatch("[ -~]*", box) and not box.isdigit() for box in value))  # the same order in every language
    return value
def listed(placed): return ", ".join(f"{box} {stake}" for box, stake in placed.items()) or "no bets"
def when(seconds):
    try: return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, OverflowError, OSError): return f"{seconds} s"

def parts(raw):
    need(len(raw) <= 65536 and b"\\u" not in raw)
    try: receipt = one_json(raw.decode())
    except UnicodeDecodeError: raise Malformed
    formed(receipt, FORM)
    need(receipt["format"] == "taisai receipt 1")
    entries = [entry(receipt["opening"]["entry"], "taisai opening 1", OPENING), entry(receipt["closing"]["entry"], "taisai closing 1", CLOSING),
               entry(receipt["result"]["entry"], "taisai result 1", RESULT)]
    need(entries[2][7] is not None or entries[2][8].startswith(("void ", "ruled ")))
    notes = [read_note(receipt["before"]), read_note(receipt["after"])]
    slip, got = one_json(receipt["slip"]["body"]), one_json(receipt["result"]["body"])
    need(isinstance(slip, list) and len(slip) == 3 and isinstance(slip[0], str) and whole(slip[1]))
    stakes(slip[2])
    need(isinstance(got, list) and len(got) in (6, 7) and isinstance(got[0], str) and whole(got[1]) and whole(got[2]))
    need(all(isinstance(part, list) for part in got[3:6]) and all(map(whole, got[3] + got[4])) and all(isinstance(each, str) for each in got[5]))
    if len(got) == 7: stakes(got[6])
    proofs = [proof(receipt[name]["proof"]) for name in ("opening", "closing", "result", "slip")] + [proof(receipt["result"]["path"]), proof(receipt["consistency"])]
    salts = [base64(receipt["slip"]["salt"]), base64(receipt["result"]["salt"])]
    need(all(len(salt) == 16 for salt in salts))
    return receipt, entries, notes, slip, got, proofs, salts

def check(found, key, witnesses, now):
    receipt, (opening, closing, result), (first, second), slip, got, proofs, salts = found
    for which, note in (("first", first), ("second", second)):
        if note[2] != key[0]: raise Wrong(f"This receipt is of another house: its log is {note[2]} and the key is that of {key[0]}.")
        lines = [line for line in note[1] if line[:2] == key[:2]]
        if not lines or not all(len(line[2]) == 64 and verify(key[2], line[2], note[0].encode()) for line in lines):
            raise Wrong(f"The house's signature under the {which} checkpoint is not good.")
    seen, later = cosigners(first, witnesses, "first"), cosigners(second, witnesses, "second")
    opened, closed, settled = (receipt[name]["index"] for name in ("opening", "closing", "result"))
    if not (opened < closed < first[3] and closed < settled < second[3]): raise Wrong("The entries of this receipt are not in the order of a round.")
    for name, path, note in (("opening", proofs[0], first), ("closing", proofs[1], first), ("result", proofs[2], second)):
        if not includes(leaf(receipt[name]["entry"].encode()), receipt[name]["index"], note[3], path, note[4]): raise Wrong(f"The {name} is not in the log that was signed.")
    if not extends(first[3], second[3], first[4], second[4], proofs[5]): raise Wrong("The two checkpoints are not of one log.")
    _, table, number, opened_at, rulebook, pay_table, committed, *_ = opening
    if closing[1:3] != [table, number] or result[1:3] != [table, number] or closing[4] != opened or result[4] != closed: raise Wrong("The entries of this receipt are not of one round.")
    commitment, where = bytes.fromhex(committed), (key[0], table, str(number))
    context, root = D("taisai round 1", *where, str(opened_at), rulebook, pay_table, commitment), bytes.fromhex(closing[6])
    place = receipt["slip"]["index"]
    if not includes(leaf(context + salts[0] + receipt["slip"]["body"].encode()), place, closing[5], proofs[3], root): raise Wrong("The slip is not among those of the closing.")
    attempt, faces, clause, secret, share = result[5], result[7], result[8], bytes.fromhex(result[9]), bytes.fromhex(result[10])
    if commitment and D("taisai dice commitment 1", *where, secret) != commitment: raise Wrong("The secret is not the one that the house committed to.")
    kind, _, by = clause.partition(" ")
    dice = "-".join(map(str, faces or []))
    if faces is None: fell = f"The round is void, by {by}." if kind == "void" else f"The round was settled by a ruling without dice, by {by}."
    elif clause.startswith("corrected "): fell = f"{dice} was declared by people, by {by}, and need not follow from a secret."
    elif not commitment: fell = f"{dice} was declared by the house; there was no commitment."
    else:
        byte, block = 255, 0
        while byte > 215:
            byte = next((each for each in hmac.digest(secret, D("taisai dice 1", context, root, share, str(block)), "sha256") if each < 216), 255)
            block += 1
        if dice != f"{byte // 36 + 1}-{byte // 6 % 6 + 1}-{byte % 6 + 1}": raise Wrong("The dice do not follow from the committed secret and the bets.")
        said = "".join(f"{line}\n" for line in ("taisai dice share 1", *where, b64encode(commitment).decode(), b64encode(root).decode()))
        signer = next((name for name, _, public in witnesses if share and verify(public, share, said.encode())), None)
        fell = (f"{dice} follows from the committed secret and all bets: no player could foresee the dice, and nobody could change them afterwards." if not share
                else f"{dice} follows from the committed secret, all bets and the share of {signer}: nobody could choose the dice." if signer
                else f"{dice} follows from the committed secret, all bets and a share by a key that is not known.")
    results = D("taisai results 1", context, root, str(attempt), dice if faces else kind)
    if not includes(leaf(results + salts[1] + receipt["result"]["body"].encode()), place, result[11], proofs[4], bytes.fromhex(result[12])): raise Wrong("The result is not among those that were settled.")
    boxes = got[6] if len(got) == 7 else slip[2]
    if got[:2] != slip[:2] or {len(boxes)} != {len(part) for part in got[3:6]} or sum(got[4]) != got[2]: raise Wrong("The result is not that of the slip.")
    if any(at > now + 600 for _, at in seen + later): raise Wrong("A witness signed more than ten minutes in the future: a clock is wrong.")
    yield f"Slip {place + 1} of {closing[5]} in round {number} of {table}, {slip[0]}: {listed(slip[2])}. It was registered before the closing at {when(closing[3] // 1000000)}."
    if len(got) == 7: yield f"Staff corrected this slip afterwards to: {listed(got[6])}."
    before = seen if first[3] <= settled else []  # a checkpoint that holds the result too shows nothing of what came first
    for name, at in before: yield f"{name} saw the closing at {when(at)}, before the dice were logged."
    if not before: yield "That the closing came before the dice is the house's word."
    others = {line[0] for note in (first, second) for line in note[1] if not any(line[:2] == known[:2] for known in (key, *witnesses))}
    if others: yield f"Keys that are not known signed too: {', '.join(sorted(others))}."
    yield fell
    for (box, stake), clauses, back in zip(boxes.items(), got[5], got[4]): yield f"{box} {stake}: by {clauses}, {back} came back."
    yield f"You got {got[2]}."
    if faces: yield "The pay table is not at hand, so that the amounts are the house's word."
    yield f"As of entry {settled} of {second[3]} in the log of {key[0]}, attempt {attempt}."

def verdict(raw, key, witnesses, now):
    try: found = parts(raw)
    except Malformed: return 2, ['This is no receipt: expected the form "taisai receipt 1" in its one spelling.']
    try: return 0, list(check(found, key, witnesses, now))
    except Wrong as wrong: return 1, [str(wrong)]

if __name__ == "__main__":
    try: raw, house, *known = open(sys.argv[1], "rb").read(65537), *map(read_key, sys.argv[2:])
    except (OSError, IndexError, ValueError, Malformed): raw, house = None, None
    code, sentences = verdict(raw, house, known, int(time.time())) if house else (2, ["Expected a receipt's file, the house's key and keys of witnesses."])
    print("\n".join(sentences))
    sys.exit(code)
