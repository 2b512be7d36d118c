const MiB = 1024 * 1024;

/** The SHA-256 of a file's first and last MiB, to know it again; undefined where the browser computes no hashes, or the file cannot be read. */
export async function fingerprintOf(file: Blob): Promise<string | undefined> {
  // Only where the page came over TLS, or from this computer.
  if (!('subtle' in crypto)) return undefined;
  const ends = new Blob([file.slice(0, MiB), file.slice(Math.max(MiB, file.size - MiB))]);
  try {
    const digest = await crypto.subtle.digest('SHA-256', await ends.arrayBuffer());
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return undefined;
  }
}
