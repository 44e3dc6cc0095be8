"""What the campaigns on damaged files share: how one is damaged, read and kept, and how many are tried."""
import concurrent.futures
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

import campaign

MEMORY_KILOBYTES = 64 * 1024


def damaged(original, rng):
    data = bytearray(original)
    for _ in range(rng.choice([1, 1, 1, 2, 8, 64])):
        at = rng.randrange(len(data))
        kind = rng.randrange(8)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
        elif kind == 2:
            del data[max(at, 1):]
        elif kind == 3:
            del data[at : at + rng.randrange(1, 64)]
        elif kind == 4:
            data[at:at] = data[at : at + rng.randrange(1, 256)]
        elif kind == 5:
            data[at : at + 4] = rng.choice([b"\xff\xff\xff\xff", b"\x00\x00\x00\x00", b"\x7f\xff\xff\xff"])
        elif kind == 6:
            data[at:at] = rng.choice([b"<", b">", b"&", b'"', b"<!--", b"<![CDATA[", b",", b"\n", b"9" * 40])
        else:
            data[at:at] = rng.randbytes(rng.randrange(1, 16))
        if not data:
            data = bytearray(b"\0")
    return bytes(data)


def finding(command, codes, has_reason):
    """What is wrong with what a command says of a file; None if nothing is. It writes JSON, ends with one of the
    codes, and what it says has a reason for one that is not 0."""
    run = subprocess.Popen(
        [campaign.PULSELOG, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        output, messages = run.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        run.kill()
        run.communicate()
        return "it hangs"
    if run.returncode not in codes:
        return f"exit code {run.returncode}: {messages}"
    for line in output.splitlines():
        try:
            json.loads(line)
        except ValueError:
            return "what it writes is not JSON"
    return f"no reason: {messages}" if run.returncode != 0 and not has_reason(messages) else None


def judged(folder, name, data, kept, finding):
    """What is wrong with a file, with its name; it is kept then."""
    path = os.path.join(folder, name)
    pathlib.Path(path).write_bytes(data)
    found = finding(path)
    if found:
        kept.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, kept)
    os.remove(path)
    return found and f"{name}: {found}"


def run(words, what, forms, trial, before=lambda folder: []):
    """Tries as many files of each form as the options say, and what stands before them."""
    options = campaign.parsed(campaign.parser(words, count=5000, sample=100))
    findings = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for sentence in before(folder):
            findings += 1
            print(f"damage: {sentence}", file=sys.stderr)
        for form in forms:
            seeds = range(options.seed, options.seed + options.count)
            found = [each for each in pool.map(lambda seed: trial(folder, form, seed), seeds) if each]
            findings += len(found)
            for sentence in found[:10]:
                print(f"damage: {sentence}", file=sys.stderr)
            print(f"{form}: {options.count} damaged {what}, {len(found)} findings", flush=True)
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"at most {kilobytes / 1024:.0f} MB in memory")
    if kilobytes > MEMORY_KILOBYTES:
        print("damage: that is more than 64 MB.", file=sys.stderr)
        findings += 1
    sys.exit(1 if findings else 0)
