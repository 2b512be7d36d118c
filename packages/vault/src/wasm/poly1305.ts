import { type Program, get, i32, i64, repeatWhile, seq, set, tee, types } from './assembler.ts';

const [at, blocks] = [0, 1];
const [h, r, r5, d, scratch] = [2, 7, 12, 17, 22];
const limbs = [0, 1, 2, 3, 4];
const mask = 0x3ffffff;

/** Loads 26 bits of a block, from bit `shift` of byte `offset`. */
const limbOf = (offset: number, shift: number): number[] =>
  seq(get(at), i64.load32(offset), i64.const(shift), i64.shr, ...(shift >= 6 ? [] : [i64.const(mask), i64.and]));

/**
 * Absorbs blocks of 16 bytes into a Poly1305 state (RFC 8439, 2.5), with numbers in five limbs of 26 bits. The state in memory: five limbs of the
 * accumulator, five of r, and r times five, each in 64 bits. `ending`: address of 2^24 while blocks are whole, or of 0 for a padded one.
 */
export function poly1305(state: number, ending: number): Program {
  const load = (local: number, offset: number): number[] => seq(i32.const(0), i64.load(state + offset), set(local));
  const product = (index: number): number[] =>
    limbs.flatMap((limb) => {
      const other = index - limb;
      const factor = other >= 0 ? r + other : r5 + other + 5;
      return seq(get(h + limb), get(factor), i64.mul, ...(limb === 0 ? [] : [i64.add]));
    });
  const carry = (from: number, to: number): number[] =>
    seq(get(to), get(from), i64.const(26), i64.shr, i64.add, set(to), get(from), i64.const(mask), i64.and, set(from));
  const message = [limbOf(0, 0), limbOf(3, 2), limbOf(6, 4), limbOf(9, 6), seq(limbOf(12, 8), get(scratch), i64.or)];
  const body = seq(
    ...limbs.flatMap((limb) => [load(h + limb, limb * 8), load(r + limb, 40 + limb * 8), load(r5 + limb, 80 + limb * 8)]),
    seq(i32.const(0), i64.load(ending), set(scratch)),
    repeatWhile(
      ...limbs.map((limb) => seq(get(h + limb), message[limb] ?? [], i64.add, set(h + limb))),
      ...limbs.map((limb) => seq(product(limb), set(d + limb))),
      ...[0, 1, 2, 3].map((limb) => carry(d + limb, d + limb + 1)),
      seq(get(d), get(d + 4), i64.const(26), i64.shr, i64.const(5), i64.mul, i64.add, set(d)),
      seq(get(d + 4), i64.const(mask), i64.and, set(h + 4)),
      carry(d, d + 1),
      ...[0, 1, 2, 3].map((limb) => seq(get(d + limb), set(h + limb))),
      seq(get(at), i32.const(16), i32.add, set(at), get(blocks), i32.const(1), i32.sub, tee(blocks)),
    ),
    ...limbs.map((limb) => seq(i32.const(0), get(h + limb), i64.store(state + limb * 8))),
  );
  return {
    name: 'poly1305',
    parameters: [types.i32, types.i32],
    locals: Array.from({ length: 21 }, () => types.i64),
    body,
  };
}
