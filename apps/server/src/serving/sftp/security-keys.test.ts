import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { type Socket, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sshString } from '@sheaf/connectors';
import { addSshKey } from '@sheaf/contract';
import { run, tempDir } from '@sheaf/testbed';
import { type Touch, securityKeyDevice } from '#/identity/app-passwords/testing/security-key.ts';
import { addSftp, linkApp } from '#/testing/links.ts';

type Device = ReturnType<typeof securityKeyDevice>;

/** Messages of SSH's agent: https://datatracker.ietf.org/doc/draft-ietf-sshm-ssh-agent/ */
const agentMessage = { failure: 5, askIdentities: 11, identities: 12, askSignature: 13, signature: 14 } as const;

/** Answers OpenSSH as its agent does, with the signatures of a device that is touched so. */
async function startAgent(t: TestContext, path: string, device: Device, touch: Touch): Promise<void> {
  const sockets = new Set<Socket>();
  function answerTo(request: Buffer): Buffer {
    if (request[0] === agentMessage.askIdentities)
      return Buffer.concat([Buffer.of(agentMessage.identities, 0, 0, 0, 1), sshString(device.blob), sshString('device')]);
    if (request[0] !== agentMessage.askSignature) return Buffer.of(agentMessage.failure);
    const from = 1 + 4 + request.readUInt32BE(1) + 4;
    const message = request.subarray(from, from + request.readUInt32BE(from - 4));
    return Buffer.concat([Buffer.of(agentMessage.signature), sshString(device.wireSignature(message, touch))]);
  }
  const server = createServer((socket) => {
    sockets.add(socket);
    let waiting = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes]);
      while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUInt32BE()) {
        const end = 4 + waiting.readUInt32BE();
        socket.write(sshString(answerTo(waiting.subarray(4, end))));
        waiting = waiting.subarray(end);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}

test("OpenSSH's client signs in with the keys of security keys once they are touched", async (t) => {
  const { services, user, source } = await linkApp(t);
  const port = await services.sftp.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => services.sftp.close());
  await addSftp(user, 'NAS');
  source.put('/a.txt', 'a');
  const { path: folder, remove } = await tempDir('sftp-security-keys');
  t.after(() => remove());
  const at = (name: string): string => join(folder, name);
  await writeFile(at('batch'), 'get /NAS/a.txt a.txt\n');
  for (const kind of ['ed25519', 'ecdsa'] as const) {
    const device = securityKeyDevice(kind);
    await writeFile(at(`${kind}.pub`), `${device.line} mara@laptop\n`);
    const publicKey = await readFile(at(`${kind}.pub`), 'utf8');
    const { username } = (await user.ask(addSshKey, { name: kind, publicKey, linkUri: [], rights: 'read' })).appPassword;
    const signIn = async (name: string, touch: Touch): Promise<string> => {
      await startAgent(t, at(name), device, touch);
      const known = ['-oStrictHostKeyChecking=accept-new', `-oUserKnownHostsFile=${at('known')}`, '-oBatchMode=yes'];
      const agent = [`-oIdentityAgent=${at(name)}`, '-oIdentitiesOnly=yes', '-i', at(`${kind}.pub`)];
      return run('sftp', ['-oLogLevel=ERROR', ...known, ...agent, '-P', String(port), '-b', at('batch'), `${username}@127.0.0.1`], {
        cwd: folder,
      });
    };
    await signIn(`${kind}-touched`, { flags: 1 });
    assert.equal(await readFile(at('a.txt'), 'utf8'), 'a');
    await assert.rejects(signIn(`${kind}-untouched`, { flags: 0 }), /Permission denied \(publickey,password\)/);
  }
});
