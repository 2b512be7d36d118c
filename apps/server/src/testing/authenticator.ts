import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Options {
  readonly rpId: string;
  readonly origin: string;
  /** Whether it asks who holds it, and is found without a name. Both unless told otherwise. */
  readonly verifies?: boolean;
}

/** Options of a call as the browser reads them. */
interface Asked {
  readonly challenge: string;
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const text64 = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

/** An authenticator in software, with one passkey: answers as a browser and a device together would (Web Authentication Level 3 §6). */
export function createAuthenticator({ rpId, origin, verifies = true }: Options) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  let counter = 0;

  const clientData = (type: string, challenge: string, from: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));

  /** §6.1: hash of the relying party, flags, counter, and for a new passkey its key. */
  function authData(id: string, attested: Buffer = Buffer.alloc(0)): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(0x01 | (verifies ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0));
    head.writeUInt32BE((counter += 1), 1);
    return Buffer.concat([sha256(id), head, attested]);
  }

  /** RFC 9052 §7: kty EC2, alg ES256, crv P-256. */
  const coseKey = (): Buffer =>
    Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);

  const id = text64(credentialId);
  return {
    /** Sets the counter back, as a copy of the device would have it. */
    rewind: (): void => void (counter = 0),

    /** Makes the passkey; gives the JSON that the browser sends. */
    create(options: string, from = origin): string {
      const { challenge } = JSON.parse(options) as Asked;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const data = authData(rpId, Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey()]));
      const size = Buffer.alloc(2);
      size.writeUInt16BE(data.length);
      const attestation = Buffer.concat([Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'), size, data]);
      return JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: text64(clientData('webauthn.create', challenge, from)),
          attestationObject: text64(attestation),
          transports: ['internal'],
        },
        clientExtensionResults: { credProps: { rk: verifies } },
      });
    },

    /** Signs what is asked; gives the JSON that the browser sends. */
    get(options: string, { from = origin, party = rpId } = {}): string {
      const { challenge } = JSON.parse(options) as Asked;
      const data = authData(party);
      const client = clientData('webauthn.get', challenge, from);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON: text64(client), authenticatorData: text64(data), signature: text64(signature) },
        clientExtensionResults: {},
      });
    },
  };
}
