/** The length of an object's id; an index of a SHA-256 repository does not parse with it, and is then in doubt. */
const oidBytes = 20;

/**
 * Whether a git index may hold entries that are not plain files and links: submodules, folders that stand for their files, and
 * entries marked `assume-unchanged` or `skip-worktree`. A quick look at the bytes (gitformat-index(5)) that spares a process in
 * nearly all repositories; in doubt, as with formats that it does not know, the answer is yes.
 */
export function mayHoldSpecialEntries(index: Buffer): boolean {
  if (index.length < 12 + oidBytes || index.toString('latin1', 0, 4) !== 'DIRC') return true;
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return true;
  let start = 12;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flagsAt = start + 40 + oidBytes;
    if (flagsAt + 2 > index.length) return true;
    const kind = index.readUInt32BE(start + 24) & 0o170000;
    const flags = index.readUInt16BE(flagsAt);
    // The two highest flags: assume-valid, and that there are more flags, of which skip-worktree is one.
    if ((kind !== 0o100000 && kind !== 0o120000) || (flags & 0xc000) !== 0) return true;
    const length = flags & 0x0fff;
    const end = length < 0x0fff ? flagsAt + 2 + length : index.indexOf(0, flagsAt + 2);
    if (end < 0 || index[end] !== 0) return true;
    // One to eight zero bytes, so that the length of the entry is a multiple of eight.
    start += ((end - start + 8) >> 3) << 3;
  }
  return !isPlainEnd(index, start);
}

/** Sections and the checksum must follow to the last byte. One named `link` says that most entries are in another file. */
function isPlainEnd(index: Buffer, from: number): boolean {
  let at = from;
  while (at + 8 <= index.length - oidBytes) {
    const name = index.toString('latin1', at, at + 4);
    if (name === 'link' || name === 'sdir') return false;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === index.length - oidBytes;
}
