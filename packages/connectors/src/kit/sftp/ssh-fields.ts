/** An unsigned number of 32 bits of the SSH wire format (RFC 4251, 5). */
export function sshUint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

/** An unsigned number of 64 bits; fractions are left out, and what is negative becomes 0. */
export function sshUint64(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64BE(BigInt(Math.max(0, Math.trunc(value))));
  return bytes;
}

/** A string, which may hold any bytes: its length, then the bytes. */
export function sshString(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([sshUint32(bytes.length), bytes]);
}
