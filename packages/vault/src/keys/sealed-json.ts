import { gcm } from '@noble/ciphers/aes.js';
import { fromBase64, toBase64 } from '../base64.ts';

const ivSize = 12;
const writer = new TextEncoder();
const reader = new TextDecoder('utf-8', { fatal: true });

/** Encrypts a value with AES-256-GCM under a random nonce, bound to its purpose. Returns base64. */
export function sealJson(key: Uint8Array, purpose: string, value: unknown): string {
  const iv = crypto.getRandomValues(new Uint8Array(ivSize));
  const sealed = gcm(key, iv, writer.encode(purpose)).encrypt(writer.encode(JSON.stringify(value)));
  const out = new Uint8Array(ivSize + sealed.length);
  out.set(iv);
  out.set(sealed, ivSize);
  return toBase64(out);
}

/** Returns undefined for another key or purpose, or changed text. Throws for text that is not base64. */
export function openJson(key: Uint8Array, purpose: string, text: string): unknown {
  const bytes = fromBase64(text);
  let clear: Uint8Array;
  try {
    clear = gcm(key, bytes.slice(0, ivSize), writer.encode(purpose)).decrypt(bytes.slice(ivSize));
  } catch {
    return undefined;
  }
  return JSON.parse(reader.decode(clear));
}
