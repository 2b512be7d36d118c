import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { createAppPassword } from '@sheaf/contract';
import ssh2, { type Algorithms, type NegotiatedAlgorithms, type SFTPWrapper } from 'ssh2';
import { addSftp, linkApp } from '#/testing/links.ts';

/** Longer than a window of a channel, so that it is sent and read in several turns. */
const file = randomBytes(3 * 1024 * 1024 + 17);

async function listening(t: TestContext) {
  const app = await linkApp(t);
  await addSftp(app.user, 'NAS');
  const port = await app.services.sftp.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.services.sftp.close());
  const { username, password } = await app.user.ask(createAppPassword, { name: 'Test', linkUri: [], rights: 'write' });
  return {
    port,
    /** Connects with these algorithms, and carries a file there and back. */
    async carry(algorithms: Algorithms): Promise<NegotiatedAlgorithms> {
      const client = new ssh2.Client();
      t.after(() => client.destroy());
      const handshake = once(client, 'handshake') as Promise<[NegotiatedAlgorithms]>;
      client.connect({ host: '127.0.0.1', port, username, password, algorithms });
      await once(client, 'ready');
      const sftp = await promisify<SFTPWrapper>((done) => client.sftp(done))();
      await promisify<string, Buffer>(sftp.writeFile.bind(sftp))('/NAS/a.bin', file);
      const back = await promisify<string, Buffer>(sftp.readFile.bind(sftp))('/NAS/a.bin');
      assert.ok(back.equals(file));
      return (await handshake)[0];
    },
  };
}

test('a client that has AES-GCM uses it, wherever its list names it', async (t) => {
  const { carry } = await listening(t);
  const { cs, sc } = await carry({ cipher: ['aes256-ctr', 'aes128-ctr', 'aes256-gcm@openssh.com', 'aes128-gcm@openssh.com'] });
  assert.deepEqual([cs.cipher, sc.cipher], ['aes256-gcm@openssh.com', 'aes256-gcm@openssh.com']);
});

test('a client without AES-GCM uses AES-CTR', async (t) => {
  const { carry } = await listening(t);
  for (const hmac of ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-256'] as const) {
    const { cs, sc } = await carry({ cipher: ['aes256-ctr'], hmac: [hmac] });
    assert.deepEqual([cs.cipher, sc.cipher, cs.mac, sc.mac], ['aes256-ctr', 'aes256-ctr', hmac, hmac]);
  }
});

test('the version line is sent once, and a client that waits for our offer gets it', async (t) => {
  const { port } = await listening(t);
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write('SSH-2.0-Waiting\r\n');
  let heard = '';
  for await (const chunk of socket) {
    heard += (chunk as Buffer).toString('latin1');
    if (heard.includes('aes256-ctr')) break;
  }
  assert.equal(heard.split('SSH-2.0-Sheaf\r\n').length, 2);
  assert.ok(heard.startsWith('SSH-2.0-Sheaf\r\n'));
});
