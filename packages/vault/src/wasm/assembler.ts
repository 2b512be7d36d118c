/** Assembles a WebAssembly module from instructions, so the repository holds readable source instead of a binary and needs no compiler. */

/** Encoded instructions of a function body. */
export type Code = readonly number[];

const flat = (parts: readonly (number | Code)[]): number[] => parts.flat() as number[];
/** Concatenates instructions. */
export const seq = (...parts: readonly (number | Code)[]): number[] => flat(parts);

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const more = rest >= 128;
    bytes.push((rest % 128) | (more ? 128 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return bytes;
}

/** Signed LEB128 of a 32-bit integer. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const byte = rest & 127;
    rest >>= 7;
    const isLast = (rest === 0 && (byte & 64) === 0) || (rest === -1 && (byte & 64) !== 0);
    bytes.push(isLast ? byte : byte | 128);
    if (isLast) return bytes;
  }
}

const simd = (opcode: number): number[] => [0xfd, ...unsigned(opcode)];
const memarg = (align: number, offset: number): number[] => [align, ...unsigned(offset)];

export const get = (local: number): number[] => [0x20, ...unsigned(local)];
export const set = (local: number): number[] => [0x21, ...unsigned(local)];
export const tee = (local: number): number[] => [0x22, ...unsigned(local)];
/** Repeats the body while it leaves a non-zero value. */
export const repeatWhile = (...body: readonly (number | Code)[]): number[] => [0x03, 0x40, ...flat(body), 0x0d, 0, 0x0b];

export const i32 = {
  const: (value: number): number[] => [0x41, ...signed(value)],
  add: [0x6a],
  sub: [0x6b],
};
export const i64 = {
  const: (value: number): number[] => [0x42, ...signed(value)],
  /** Loads 32 bits, unsigned. */
  load32: (offset: number): number[] => [0x35, ...memarg(2, offset)],
  load: (offset: number): number[] => [0x29, ...memarg(3, offset)],
  store: (offset: number): number[] => [0x37, ...memarg(3, offset)],
  add: [0x7c],
  mul: [0x7e],
  and: [0x83],
  or: [0x84],
  shr: [0x88],
};
export const v128 = {
  load: (offset: number): number[] => [...simd(0), ...memarg(0, offset)],
  store: (offset: number): number[] => [...simd(11), ...memarg(0, offset)],
  or: simd(80),
  xor: simd(81),
  add32: simd(174),
  shl32: simd(171),
  shr32: simd(173),
  /** Selects bytes of two vectors: 0 to 15 from the first, 16 to 31 from the second. */
  shuffle: (lanes: readonly number[]): number[] => [...simd(13), ...lanes],
};

export const types = { i32: 0x7f, i64: 0x7e, v128: 0x7b };

export interface Program {
  readonly name: string;
  readonly parameters: readonly number[];
  /** Types of the locals that follow the parameters. */
  readonly locals: readonly number[];
  readonly body: Code;
}

const vector = (items: readonly Code[]): number[] => [...unsigned(items.length), ...flat(items)];
const sized = (content: Code): number[] => [...unsigned(content.length), ...content];
const section = (id: number, content: Code): number[] => [id, ...sized(content)];
const text = (value: string): number[] => sized([...value].map((letter) => letter.charCodeAt(0)));

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** Assembles a module of these functions, which return nothing, and one memory of `pages` of 64 KiB. All are exported. */
export function assemble(programs: readonly Program[], pages: number): Uint8Array<ArrayBuffer> {
  const isFunction = 0x60;
  const wasm = [
    ...header,
    ...section(1, vector(programs.map(({ parameters }) => [isFunction, ...vector(parameters.map((type) => [type])), 0]))),
    ...section(3, vector(programs.map((_, index) => unsigned(index)))),
    ...section(5, vector([[0, ...unsigned(pages)]])),
    ...section(7, vector([[...text('memory'), 2, 0], ...programs.map(({ name }, index) => [...text(name), 0, ...unsigned(index)])])),
    ...section(10, vector(programs.map(({ locals, body }) => sized([...vector(locals.map((type) => [1, type])), ...body, 0x0b])))),
  ];
  return Uint8Array.from(wasm);
}

/** The part of the WebAssembly API that is used here. Declared because the types for browsers and Node differ. */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

/** Instantiates an assembled module and returns its exports. */
export function instantiate(wasm: Uint8Array): unknown {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Engine };
  return new WebAssembly.Instance(new WebAssembly.Module(wasm), {}).exports;
}
