/** The remote name of a link, unless another link got it before. */
export const remoteNameOf = (linkName: string): string => freeName(linkName, new Set());

/** A free and valid remote name: ASCII letters and digits, `_`, `-`, `.` and inner spaces; newer versions also accept others. */
export function freeName(wanted: string, taken: Set<string>): string {
  const clean = wanted
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_. -]/gu, '_')
    .replaceAll(/ {2,}/g, ' ')
    .replace(/^[ -]+/, '')
    .trimEnd();
  const name = clean === '' ? 'link' : clean;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (taken.has(candidate.toLowerCase())) continue;
    taken.add(candidate.toLowerCase());
    return candidate;
  }
}
