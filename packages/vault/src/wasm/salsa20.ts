import { type Program, get, i32, repeatWhile, seq, set, tee, types, v128 } from './assembler.ts';

/** Word indices of the quarter rounds of a column round and a row round (Bernstein, "Salsa20 specification", sections 3 to 6). */
const quarters = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
] as const;
const rotations = [7, 9, 13, 18];

const [at, groups, rounds, scratch] = [0, 1, 2, 3];
const firstWord = 4;
const word = (index: number): number => firstWord + index;

const lanesOf32 = (...lanes: readonly number[]): number[] => lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => lane * 4 + byte));
const [low32, high32] = [lanesOf32(0, 4, 1, 5), lanesOf32(2, 6, 3, 7)];
const lanesOf64 = (...lanes: readonly number[]): number[] =>
  lanes.flatMap((lane) => [0, 1, 2, 3, 4, 5, 6, 7].map((byte) => lane * 8 + byte));
const [low64, high64] = [lanesOf64(0, 2), lanesOf64(1, 3)];

/** Interleaves four independent quarter rounds, so the processor can run them in parallel. */
function round(four: readonly (readonly number[])[]): number[] {
  return rotations.flatMap((bits, step) =>
    four.flatMap((words) => {
      const target = words[(step + 1) % 4] ?? 0;
      const [left, right] = [words[step] ?? 0, words[(step + 3) % 4] ?? 0];
      return seq(
        get(word(left)),
        get(word(right)),
        v128.add32,
        tee(scratch),
        i32.const(bits),
        v128.shl32,
        get(scratch),
        i32.const(32 - bits),
        v128.shr32,
        v128.or,
        get(word(target)),
        v128.xor,
        set(word(target)),
      );
    }),
  );
}

/** Transposes four words of four blocks into four words of each block, and XORs them with the text. */
function combine(row: number): number[] {
  const [a, b, c, d] = [0, 1, 2, 3].map((index) => word(row * 4 + index)) as [number, number, number, number];
  const pair = (left: number, right: number, lanes: readonly number[]): number[] => [...get(left), ...get(right), ...v128.shuffle(lanes)];
  const block = (index: number, left: number, right: number, lanes: readonly number[]): number[] => {
    const offset = index * 64 + row * 16;
    return seq(get(at), get(at), v128.load(offset), pair(left, right, lanes), v128.xor, v128.store(offset));
  };
  // After this, a and c hold the low halves of words 0, 1 and 2, 3; scratch and d the high ones.
  return seq(
    pair(a, b, high32),
    set(scratch),
    pair(a, b, low32),
    set(a),
    pair(c, d, high32),
    set(b),
    pair(c, d, low32),
    set(c),
    block(0, a, c, low64),
    block(1, a, c, high64),
    block(2, scratch, b, low64),
    block(3, scratch, b, high64),
  );
}

/**
 * XORs memory with the Salsa20 stream, in groups of 256 bytes. `state`: address of the sixteen words, each repeated in four lanes, except that
 * the lanes of word 8, the block counter, are four consecutive counters; they are advanced.
 */
export function salsa20(state: number, four: number): Program {
  const sixteen = Array.from({ length: 16 }, (_, index) => index);
  const initial = (index: number): number[] => seq(i32.const(0), v128.load(state + index * 16));
  const body = repeatWhile(
    sixteen.flatMap((index) => seq(initial(index), set(word(index)))),
    seq(i32.const(10), set(rounds)),
    repeatWhile(round(quarters.slice(0, 4)), round(quarters.slice(4)), get(rounds), i32.const(1), i32.sub, tee(rounds)),
    sixteen.flatMap((index) => seq(get(word(index)), initial(index), v128.add32, set(word(index)))),
    [0, 1, 2, 3].flatMap(combine),
    seq(i32.const(0), initial(8), i32.const(0), v128.load(four), v128.add32, v128.store(state + 8 * 16)),
    seq(get(at), i32.const(256), i32.add, set(at)),
    seq(get(groups), i32.const(1), i32.sub, tee(groups)),
  );
  return {
    name: 'salsa20',
    parameters: [types.i32, types.i32],
    locals: [types.i32, types.v128, ...sixteen.map(() => types.v128)],
    body,
  };
}
