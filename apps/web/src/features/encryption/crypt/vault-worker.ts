/** The worker that holds the keys of open vaults. Keys never leave it, and are nowhere but in its memory. */
import {
  type NameOptions,
  type Passwords,
  type Vault,
  blockSize,
  createVault,
  cryptSection,
  damaged,
  deriveKeys,
  headerSize,
  isDamage,
  newWords,
  provenOptions,
  sealedBlockSize,
  sealedSize,
  toBase64,
  unwrap,
  wrap,
} from '@sheaf/vault';
import { Unreadable, fetchNonce, openRange } from './open-range.ts';
import { prove } from './prove.ts';
import type { Answer, Kind, Question, Requests, Way } from './requests.ts';

const vaults = new Map<string, Vault>();

interface Upload {
  readonly vault: Vault;
  readonly file: File;
  readonly nonce: Uint8Array;
}
const uploads = new Map<number, Upload>();
let uploadCount = 0;

function vaultOf(vaultId: string): Vault {
  const vault = vaults.get(vaultId);
  if (!vault) throw damaged('locked', 0);
  return vault;
}

const passwordsOf = async (wrapped: string, way: Way): Promise<Passwords | undefined> =>
  'passphrase' in way ? unwrap(wrapped, way.passphrase) : way;

/** The passwords, keys and options behind a way in; undefined if it is wrong. */
async function enter(wrapped: string, way: Way) {
  const passwords = await passwordsOf(wrapped, way);
  if (!passwords || passwords.password === '') return undefined;
  const keys = await deriveKeys(passwords);
  const options: NameOptions | undefined = provenOptions(wrapped, keys);
  return options && { passwords, keys, options };
}

const handlers: { [K in Kind]: (ask: Requests[K]['ask']) => Promise<Requests[K]['answer']> | Requests[K]['answer'] } = {
  async seal({ passphrase, passwords, options }) {
    const words = passwords ? '' : newWords();
    return { wrapped: await wrap(passphrase, passwords ?? { password: words, password2: '' }, options), words };
  },
  async unlock({ vaultId, wrapped, way }) {
    const entered = await enter(wrapped, way);
    if (entered) vaults.set(vaultId, createVault(entered.keys, entered.options));
    return entered !== undefined;
  },
  lock({ vaultId }) {
    const vault = vaults.get(vaultId);
    vault?.wipe();
    vaults.delete(vaultId);
    for (const [id, upload] of uploads) if (upload.vault === vault) uploads.delete(id);
    return undefined;
  },
  async rewrap({ wrapped, way, passphrase }) {
    const entered = await enter(wrapped, way);
    return entered && wrap(passphrase, entered.passwords, entered.options);
  },
  async configuration({ wrapped, way, name }) {
    const entered = await enter(wrapped, way);
    return entered && cryptSection(name, 'remote:folder', entered.passwords, entered.options);
  },
  openNames({ vaultId, names }) {
    const vault = vaultOf(vaultId);
    return names.map(({ name, isFolder }) => (isFolder ? vault.names.decryptFolder(name) : vault.names.decryptFile(name)));
  },
  sealName({ vaultId, name, isFolder }) {
    const { names } = vaultOf(vaultId);
    const [hide, show] = isFolder ? [names.encryptFolder, names.decryptFolder] : [names.encryptFile, names.decryptFile];
    const sealed = hide(name);
    return show(sealed) === name ? sealed : undefined;
  },
  beginUpload({ vaultId, file }) {
    const vault = vaultOf(vaultId);
    const nonce = vault.newNonce();
    uploads.set(++uploadCount, { vault, file, nonce });
    return { uploadId: uploadCount, size: sealedSize(file.size), nonce: toBase64(nonce) };
  },
  async sealRange({ uploadId, start, end }) {
    const upload = uploads.get(uploadId);
    if (!upload) throw damaged('locked', 0);
    return sealRange(upload, start, end);
  },
  endUpload({ uploadId }) {
    uploads.delete(uploadId);
    return undefined;
  },
  prove,
  nonceOf: async ({ vaultId, linkUri }) => toBase64(await fetchNonce(vaultOf(vaultId), linkUri, new AbortController().signal)),
  openRange: ({ vaultId, ...range }) => openRange(vaults.get(vaultId), range),
};

/** Encrypts the blocks that the range touches. The same range of the same upload always gives the same bytes: an upload can go on anywhere. */
async function sealRange({ vault, file, nonce }: Upload, start: number, end: number): Promise<ArrayBuffer> {
  const first = Math.max(0, Math.floor((start - headerSize) / sealedBlockSize));
  const last = Math.max(first, Math.ceil((end - headerSize) / sealedBlockSize));
  // Rejects if the file has changed since it was chosen: other bytes must not be encrypted with the same nonce.
  const clear = new Uint8Array(await file.slice(first * blockSize, last * blockSize).arrayBuffer());
  const sealed = vault.files.sealBlocks(nonce, first, clear);
  const header = first === 0 ? vault.files.header(nonce) : new Uint8Array(0);
  const whole = new Uint8Array(header.length + sealed.length);
  whole.set(header);
  whole.set(sealed, header.length);
  const offset = first === 0 ? 0 : headerSize + first * sealedBlockSize;
  return whole.slice(start - offset, end - offset).buffer;
}

async function handle<K extends Kind>(kind: K, ask: Requests[K]['ask']): Promise<Requests[K]['answer']> {
  return handlers[kind](ask);
}

const failureOf = (error: unknown): string => {
  if (isDamage(error)) return error.damage;
  if (error instanceof Unreadable) return 'unreadable';
  return error instanceof DOMException && error.name === 'NotReadableError' ? 'changed' : 'failed';
};

const post = postMessage as (message: Answer, transfer?: Transferable[]) => void;
addEventListener('message', ({ data }: MessageEvent<Question>) => {
  void handle(data.kind, data.ask as never).then(
    (answer) => post({ id: data.id, answer }, answer instanceof ArrayBuffer ? [answer] : []),
    (error: unknown) => post({ id: data.id, failure: failureOf(error) }),
  );
});
