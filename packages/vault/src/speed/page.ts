import { usualNames } from '../names/options.ts';
/** Measures the cipher and the names in a browser, and posts the result to the server of the page. Run by `npm run bench -- vault`. */
import { openVault } from '../vault.ts';

const piece = 16 * 1024 * 1024;
const pieces = 16;
const nameCount = 100_000;
const rounds = 5;

const vault = await openVault({ password: 'measured', password2: '' }, usualNames);
const nonce = vault.newNonce();
const clear = new Uint8Array(piece).fill(7);

/** Returns the best of several runs, in units a second: other load on the machine can only slow a run down. */
async function speedOf(units: number, work: () => Promise<void> | void): Promise<number> {
  await work();
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    await work();
    seconds.push((performance.now() - begun) / 1000);
  }
  return units / Math.min(...seconds);
}

const megabytes = (piece * pieces) / 1e6;
const encrypt = await speedOf(megabytes, () => {
  for (let index = 0; index < pieces; index++) vault.files.sealBlocks(nonce, index * 256, clear);
});

const sealed = vault.files.seal(nonce, clear);
async function* read(start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < start + length; at += 262_144) yield sealed.subarray(at, Math.min(at + 262_144, start + length));
}
let seen = 0;
const decrypt = await speedOf(megabytes, async () => {
  for (let index = 0; index < pieces; index++)
    for await (const part of vault.files.read(read, { size: sealed.length, nonce, start: 0, end: piece })) seen += part.length;
});

const names = Array.from({ length: nameCount }, (_, index) => vault.names.encryptFile(`Photo of a day in summer ${index}.jpeg`));
const openNames = await speedOf(nameCount, () => {
  for (const name of names) seen += vault.names.decryptFile(name)?.length ?? 0;
});

await fetch('/result', { method: 'POST', body: JSON.stringify({ encrypt, decrypt, openNames, seen }) });
