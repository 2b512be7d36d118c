import { createHash } from 'node:crypto';
import type { Challenge } from './challenge.ts';

/** Inputs of a digest besides the request. */
export interface DigestLogin {
  readonly username: string;
  readonly password: string;
  readonly parameters: Challenge['parameters'];
  /** Use count of this nonce, including this request. */
  readonly count: number;
  readonly cnonce: string;
}

/** By algorithm name, strongest first: RFC 7616, section 6.1. */
const hashes: Readonly<Record<string, string>> = { 'sha-512-256': 'sha512-256', 'sha-256': 'sha256', md5: 'md5' };

const algorithmOf = ({ parameters }: Challenge) => {
  const name = (parameters['algorithm'] ?? 'MD5').toLowerCase();
  const session = name.endsWith('-sess');
  return {
    hash: hashes[session ? name.slice(0, -5) : name],
    session,
    strength: Object.keys(hashes).indexOf(session ? name.slice(0, -5) : name),
  };
};

const canAnswer = (challenge: Challenge): boolean =>
  challenge.scheme === 'digest' &&
  challenge.parameters['nonce'] !== undefined &&
  algorithmOf(challenge).hash !== undefined &&
  (challenge.parameters['qop'] === undefined || offersAuth(challenge.parameters));

const offersAuth = (parameters: Challenge['parameters']): boolean => parameters['qop']?.split(/[\s,]+/).includes('auth') ?? false;

/** Returns the strongest supported digest challenge. */
export const bestDigest = (challenges: readonly Challenge[]): Challenge | undefined =>
  challenges.filter(canAnswer).sort((one, other) => algorithmOf(one).strength - algorithmOf(other).strength)[0];

/** Returns the `Authorization` header of one request: RFC 7616, section 3.4; without `qop`, as in RFC 2069. */
export function digestHeader(method: string, uri: string, { username, password, parameters, count, cnonce }: DigestLogin): string {
  const { hash = 'md5', session } = algorithmOf({ scheme: 'digest', parameters });
  const digest = (text: string): string => createHash(hash).update(text).digest('hex');
  const { realm = '', nonce = '', opaque, algorithm } = parameters;
  const nc = count.toString(16).padStart(8, '0');
  const secret = digest(`${username}:${realm}:${password}`);
  const first = session ? digest(`${secret}:${nonce}:${cnonce}`) : secret;
  const second = digest(`${method}:${uri}`);
  const withQop = offersAuth(parameters);
  const response = digest(withQop ? `${first}:${nonce}:${nc}:${cnonce}:auth:${second}` : `${first}:${nonce}:${second}`);
  return [
    `Digest ${nameOf(username, realm, parameters, digest)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(withQop ? [`qop=auth, nc=${nc}`] : []),
    ...(withQop || session ? [`cnonce="${cnonce}"`] : []),
  ].join(', ');
}

function nameOf(username: string, realm: string, { userhash, charset }: Challenge['parameters'], digest: (text: string) => string): string {
  if (userhash?.toLowerCase() === 'true') return `username="${digest(`${username}:${realm}`)}", userhash=true`;
  if (/^[\x20-\x7e]*$/.test(username)) return `username=${quoted(username)}`;
  if (charset?.toLowerCase() === 'utf-8') return `username*=UTF-8''${encodeURIComponent(username)}`;
  // Header bytes are written one per character: encodes the name as UTF-8.
  return `username=${quoted(Buffer.from(username).toString('latin1'))}`;
}

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
