/** Hash of a text: FNV-1a, twice 32 bits. For keys of what stays in the browser after sign-out, which must not reveal names; not a secret. */
export function shortHash(text: string): string {
  const hash = (seed: number): string => {
    let sum = seed;
    for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193) >>> 0;
    return sum.toString(36);
  };
  return `${hash(0x811c9dc5)}.${hash(0x9747b28c)}`;
}
