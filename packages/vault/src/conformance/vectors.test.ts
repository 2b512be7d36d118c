import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NameOptions, usualNames } from '../names/options.ts';
import { createVault } from '../vault.ts';

/** rclone's own tests (backend/crypt/cipher_test.go) use an empty password, which makes all keys zero. */
const withZeros = (options: Partial<NameOptions> = {}) =>
  createVault({ data: new Uint8Array(32), name: new Uint8Array(32), tweak: new Uint8Array(16) }, { ...usualNames, ...options });

test("names match rclone's published vectors", () => {
  const { names } = withZeros();
  for (const [clear, sealed] of [
    ['1', 'p0e52nreeaj0a5ea7s64m4j72s'],
    ['12', 'l42g6771hnv3an9cgc8cr2n1ng'],
    ['123', 'qgm4avr35m5loi1th53ato71v0'],
    ['1234', '8ivr2e9plj3c3esisjpdisikos'],
    ['12345', 'rh9vu63q3o29eqmj4bg6gg7s44'],
    ['123456', 'bn717l3alepn75b2fb2ejmi4b4'],
    ['1234567', 'n6bo9jmb1qe3b1ogtj5qkf19k8'],
    ['12345678', 'u9t24j7uaq94dh5q53m3s4t9ok'],
    ['123456789', '37hn305g6j12d1g0kkrl7ekbs4'],
    ['1234567890', 'ot8d91eplaglb62k2b1trm2qv0'],
    ['12345678901', 'h168vvrgb53qnrtvvmb378qrcs'],
    ['123456789012', 's3hsdf9e29ithrqbjqu01t8q2s'],
    ['1234567890123', 'cf3jimlv1q2oc553mv7s3mh3eo'],
    ['12345678901234', 'moq0uqdlqrblrc5pa5u5c7hq9g'],
    ['123456789012345', 'eeam3li4rnommi3a762h5n7meg'],
    ['1234567890123456', 'mijbj0frqf6ms7frcr6bd9h0env53jv96pjaaoirk7forcgpt70g'],
  ] as const) {
    assert.equal(names.encryptFolder(clear), sealed);
    assert.equal(names.decryptFolder(sealed.toUpperCase()), clear);
  }
  assert.equal(withZeros({ filename_encoding: 'base64' }).names.encryptFolder('1'), 'yBxRX25ypgUVyj8MSxJnFw');
});

test("contents match rclone's published vectors", () => {
  const { files } = withZeros();
  const nonce = Uint8Array.from({ length: 24 }, (_, index) => index + 1);
  const header = `52434c4f4e450000${Buffer.from(nonce).toString('hex')}`;
  for (const [size, body] of [
    [0, ''],
    [1, '095b446cd6237bbcb08d09fb524ce565aa'],
    [16, 'b9c4552a2710062918960a3e608c29b9aa8a5e1e165b6d075de4e9bb367fd6d4'],
  ] as const)
    assert.equal(
      Buffer.from(
        files.seal(
          nonce,
          Uint8Array.from({ length: size }, (_, index) => index + 1),
        ),
      ).toString('hex'),
      header + body,
    );
});
