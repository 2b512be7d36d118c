/** The worker that holds the keys of open vaults. Keys never leave its memory. */
import {
  type CryptomatorVault,
  type NameOptions,
  type Passwords,
  type Vault,
  createVault,
  cryptSection,
  damaged,
  deriveKeys,
  newShareSecret,
  newWords,
  openCryptomator,
  openWithPasskey,
  provenOptions,
  sealForPasskey,
  shareKeys,
  toBase64,
  unwrap,
  usualNames,
  wrap,
} from '@sheaf/vault';
import { cryptomatorBytes, fetchedText, openItems } from './cryptomator.ts';
import { clearBytes, failureOf, fetchNonce, openRange } from './open-range.ts';
import { prove } from './prove.ts';
import { readIndex } from './read-index.ts';
import type { Answer, Kind, KnownShare, Question, Requests, Way } from './requests.ts';
import { createUploads } from './uploads.ts';

const vaults = new Map<string, Vault>();
const cryptomators = new Map<string, CryptomatorVault>();

function vaultOf(vaultId: string): Vault {
  const vault = vaults.get(vaultId);
  if (!vault) throw damaged('locked', 0);
  return vault;
}

function cryptomatorOf(vaultId: string): CryptomatorVault {
  const vault = cryptomators.get(vaultId);
  if (!vault) throw damaged('locked', 0);
  return vault;
}

const uploads = createUploads(vaultOf);

async function passwordsOf(wrapped: string, way: Way): Promise<Passwords | undefined> {
  if ('passphrase' in way) return unwrap(wrapped, way.passphrase);
  return 'output' in way ? openWithPasskey(new Uint8Array(way.output), way.sealed) : way;
}

/** Returns the passwords, keys and options of a vault; undefined if `way` is wrong. */
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
    cryptomators.get(vaultId)?.wipe();
    cryptomators.delete(vaultId);
    uploads.forget(vault);
    return undefined;
  },
  opens: async ({ wrapped, way }) => (await enter(wrapped, way)) !== undefined,
  async sealForPasskey({ wrapped, way, output }) {
    const entered = await enter(wrapped, way);
    return entered && sealForPasskey(new Uint8Array(output), entered.passwords);
  },
  async rewrap({ wrapped, way, passphrase }) {
    const entered = await enter(wrapped, way);
    return entered && wrap(passphrase, entered.passwords, entered.options);
  },
  async configuration({ wrapped, way, name, remote }) {
    const entered = await enter(wrapped, way);
    return entered && cryptSection(name, remote, entered.passwords, entered.options);
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
  beginUpload: uploads.begin,
  sealRange: uploads.seal,
  endUpload({ uploadId }) {
    uploads.end(uploadId);
    return undefined;
  },
  prove,
  nonceOf: async ({ vaultId, address }) => toBase64(await fetchNonce(vaultOf(vaultId), address, new AbortController().signal)),
  newShare({ vaultId, shareId, name }) {
    const secret = newShareSecret();
    vaults.set(shareId, createVault(shareKeys(secret), usualNames));
    return { secret, sealed: vaultOf(vaultId).sealNote('sheaf vault: share', { secret, name } satisfies KnownShare) };
  },
  openShares({ vaultId, sealed }) {
    const vault = vaultOf(vaultId);
    return sealed.map((text) => vault.openNote('sheaf vault: share', text) as KnownShare | undefined);
  },
  async openShare({ shareId, secret, address }) {
    const vault = createVault(shareKeys(secret), usualNames);
    const index = await readIndex(vault, address);
    if (index) vaults.set(shareId, vault);
    return index;
  },
  async unlockCryptomator({ vaultId, masterkey, config, passphrase }) {
    const opened = await openCryptomator(await fetchedText(masterkey), await fetchedText(config), passphrase);
    if (opened) cryptomators.set(vaultId, opened);
    return opened !== undefined;
  },
  cryptomatorPath: ({ vaultId, folderId }) => cryptomatorOf(vaultId).names.folderPath(folderId),
  cryptomatorItems: ({ vaultId, folderId, items }) => openItems(cryptomatorOf(vaultId), folderId, items),
  openRange({ vaultId, ...range }) {
    const [vault, cryptomator] = [vaults.get(vaultId), cryptomators.get(vaultId)];
    if (cryptomator) return openRange((wanted, signal) => cryptomatorBytes(cryptomator, wanted, signal), range);
    return openRange(vault && ((wanted, signal) => clearBytes(vault, wanted, signal)), range);
  },
};

async function handle<K extends Kind>(kind: K, ask: Requests[K]['ask']): Promise<Requests[K]['answer']> {
  return handlers[kind](ask);
}

/** Whether an answer carries the buffer of encrypted bytes, which is transferred, not copied. */
const hasRoom = (answer: unknown): answer is { readonly room: ArrayBuffer } =>
  typeof answer === 'object' && answer !== null && 'room' in answer && answer.room instanceof ArrayBuffer;

const post = postMessage as (message: Answer, transfer?: Transferable[]) => void;
addEventListener('message', ({ data }: MessageEvent<Question>) => {
  void handle(data.kind, data.ask as never).then(
    (answer) => post({ id: data.id, answer }, hasRoom(answer) ? [answer.room] : []),
    (error: unknown) => post({ id: data.id, failure: failureOf(error) }),
  );
});
