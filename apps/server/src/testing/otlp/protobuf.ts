/** One field of a message of Protocol Buffers: its number, and its value as it came. */
export interface Field {
  readonly number: number;
  /** Numbers are kept as their little-endian bytes, or as an integer of variable length. */
  readonly value: Buffer | bigint;
}

/** The fields of a message (https://protobuf.dev/programming-guides/encoding/); throws on anything that is none. */
export function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw new RangeError('a message that ends within a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number): Buffer => {
    if (at + length > message.length) throw new RangeError('a message that ends within a field');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    const wire = Number(tag & 7n);
    if (wire === 0) fields.push({ number, value: varint() });
    else if (wire === 1) fields.push({ number, value: bytes(8) });
    else if (wire === 2) fields.push({ number, value: bytes(Number(varint())) });
    else if (wire === 5) fields.push({ number, value: bytes(4) });
    else throw new TypeError(`wire type ${wire}`);
  }
  return fields;
}

const nothing = Buffer.alloc(0);
/** All embedded messages, texts or bytes of this number. */
export const all = (message: Buffer, number: number): Buffer[] =>
  fieldsOf(message).flatMap((field) => (field.number === number && Buffer.isBuffer(field.value) ? [field.value] : []));
/** The first of them; empty when there is none. */
export const one = (message: Buffer, number: number): Buffer => all(message, number)[0] ?? nothing;
/** An integer of variable length; 0 when it is absent. */
export const integer = (message: Buffer, number: number): number => {
  const value = fieldsOf(message).find((field) => field.number === number)?.value;
  return typeof value === 'bigint' ? Number(value) : 0;
};
