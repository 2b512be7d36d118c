import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { Module, createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** Milliseconds after the start until the code is kept: what the start compiled is released a second later. */
const settled = 1000;

/** Compiled code of one chunk. */
interface Compiled {
  /** Checksum of the source: V8 compares no more than its length. */
  readonly source: number;
  readonly code: Buffer;
}

/** A chunk that was compiled at this start. */
interface Chunk {
  readonly source: number;
  readonly script: Script;
}

type ModuleBody = (exports: unknown, require: NodeJS.Require, module: Module, filename: string, dirname: string) => void;

/**
 * Loads a bundle of CommonJS chunks, written in ASCII, from `folder`; keeps what V8 compiled at a start in `cacheFolder` for the next one, and nothing
 * without it. The chunks import nothing dynamically. Node's own compile cache keeps a module as it was before it ran, without the functions that V8
 * compiles when they are first called: compiling some 4,000 of them again was a fifth of each start. Chunks that are not loaded at the start, and those
 * that the kept code lacks, are left to Node and its cache.
 */
export function createCodeLoader(folder: string, entry: string, cacheFolder: string | undefined) {
  const native = createRequire(join(folder, entry));
  // One build's name for its own: several versions on one machine share the folder.
  const file = cacheFolder === undefined ? undefined : join(cacheFolder, `sheaf-${crc32(readFileSync(join(folder, entry)))}.code`);
  const kept = file === undefined ? undefined : readCode(file);
  const chunks = new Map<string, Chunk>();
  let isStarting = true;
  let isStale = kept === undefined;

  function load(name: string): unknown {
    const filename = join(folder, name);
    const loaded = native.cache[filename];
    if (loaded) return loaded.exports;
    const known = kept?.get(name);
    if (!isStarting || (kept && !known)) return native(filename);
    const { text, source } = readWrapped(filename);
    const script = new Script(text, {
      filename,
      cachedData: known?.source === source ? known.code : undefined,
    });
    // Of another version or other flags, although Node names its cache folder after both.
    if (known && script.cachedDataRejected !== false) isStale = true;
    chunks.set(name, { source, script });
    const module = new Module(filename);
    module.filename = filename;
    // Node finds it here when a chunk that it loads itself requires this one.
    native.cache[filename] = module;
    (script.runInThisContext() as ModuleBody)(module.exports, require, module, filename, folder);
    module.loaded = true;
    return module.exports;
  }
  const require: NodeJS.Require = Object.assign((id: string) => (id.startsWith('./') ? load(id.slice(2)) : native(id)) as unknown, native);

  return {
    /** The exports of the entry. */
    load: () => load(entry),

    /**
     * Called once the program has started: a second later, or at its end, keeps what was compiled until then, unless it had been kept before. Calls
     * `onFailure` where that cannot be, as in a folder that is full or read-only: the next start compiles again, and nothing else depends on it.
     */
    keepCode(onFailure: (error: unknown) => void): void {
      isStarting = false;
      const keep = (): void => {
        try {
          if (file !== undefined && isStale) writeCode(file, chunks);
        } catch (error) {
          onFailure(error);
        }
        isStale = false;
        chunks.clear();
      };
      if (!isStale) return keep();
      setTimeout(keep, settled).unref();
      process.once('exit', keep);
    },
  };
}

const [opening, closing] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];

/**
 * A chunk as a function, with the checksum of all of it. The chunk is read into its place: text that is put together from parts is copied twice more, and
 * a checksum of text once. Each of these copies was 3 MiB of new memory at each start.
 */
function readWrapped(filename: string): { readonly text: string; readonly source: number } {
  const file = openSync(filename, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.allocUnsafeSlow(opening.length + size + closing.length);
    let at = bytes.write(opening, 'latin1');
    const end = at + size;
    while (at < end) {
      const read = readSync(file, bytes, at, end - at, null);
      if (read === 0) throw new Error(`${filename} became shorter while it was read`);
      at += read;
    }
    bytes.write(closing, at, 'latin1');
    return { text: bytes.toString('latin1'), source: crc32(bytes) };
  } finally {
    closeSync(file);
  }
}

/** Length of the index, checksum of what follows it; then the index as JSON and the code of each of its chunks. */
const headBytes = 8;
/** V8 copies code that does not begin at a multiple of this: in the file there is a gap before each. */
const alignment = 8;
const gapAt = (at: number): number => -at & (alignment - 1);

/** Code that was kept; undefined when there is none, or when it is damaged, which V8 does not notice. */
function readCode(file: string): ReadonlyMap<string, Compiled> | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    // There is none yet. One that cannot be read is replaced after the start; that this fails is told then.
    return undefined;
  }
  if (bytes.length < headBytes || crc32(bytes.subarray(headBytes)) !== bytes.readUInt32LE(4)) return undefined;
  let at = headBytes + bytes.readUInt32LE(0);
  const index = JSON.parse(bytes.toString('utf8', headBytes, at)) as readonly (readonly [string, number, number])[];
  return new Map(
    index.map(([name, source, length]) => {
      at += gapAt(at);
      return [name, { source, code: bytes.subarray(at, (at += length)) }];
    }),
  );
}

function writeCode(file: string, chunks: ReadonlyMap<string, Chunk>): void {
  const compiled = [...chunks].map(([name, { source, script }]) => ({ name, source, code: script.createCachedData() }));
  const index = Buffer.from(JSON.stringify(compiled.map(({ name, source, code }) => [name, source, code.length])));
  const parts: Buffer[] = [index];
  let at = headBytes + index.length;
  for (const { code } of compiled) {
    parts.push(Buffer.alloc(gapAt(at)), code);
    at += gapAt(at) + code.length;
  }
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(index.length, 0);
  head.writeUInt32LE(crc32(content), 4);
  const own = `${file}.${process.pid}`;
  writeFileSync(own, Buffer.concat([head, content]));
  renameSync(own, file);
}
