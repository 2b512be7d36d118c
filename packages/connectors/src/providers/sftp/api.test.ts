import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sshUint32 as uint32 } from '../../kit/sftp/ssh-fields.ts';
import { createFieldReader, packet } from './api.ts';
import { createCommands } from './session/commands.ts';
import type { Session } from './session/session.ts';

/** Returns the commands of a session whose server answers every request with this packet. */
function commandsOf(type: number, payload: Buffer) {
  const nothing = () => Promise.reject(new Error('not asked for'));
  const session: Session = {
    maxRead: 1,
    maxWrite: 1,
    roundTrip: () => 0,
    has: () => false,
    request: async () => ({ type, payload, filled: 0 }),
    read: nothing,
    write: nothing,
    together: (send) => send(),
    end: () => undefined,
  };
  return createCommands(session);
}

test('a response that ends before its fields do is invalid, wherever it ends', async () => {
  const whole = Buffer.concat([uint32(0x8000_000d), uint32(0), uint32(7), uint32(0o100644), uint32(1), uint32(2), uint32(1), uint32(1)]);
  const extended = Buffer.concat([whole, Buffer.from('a'), uint32(1), Buffer.from('b')]);
  assert.deepEqual(createFieldReader(extended).attrs(), { size: 7, mode: 0o100644, modified: 2 });
  for (let length = 0; length < extended.length; length++)
    assert.throws(
      () => createFieldReader(extended.subarray(0, length)).attrs(),
      { name: 'ConnectorError', kind: 'unexpected' },
      `${length}`,
    );
  await assert.rejects(commandsOf(packet.name, uint32(0xffff_ffff)).readFolder(Buffer.alloc(0)), { kind: 'unexpected' });
  await assert.rejects(commandsOf(packet.handle, Buffer.from([0])).openFolder(Buffer.alloc(0)), { kind: 'unexpected' });
});

test('a response without names ends a folder, as sent by servers without an end-of-file status', async () => {
  assert.equal(await commandsOf(packet.name, uint32(0)).readFolder(Buffer.alloc(0)), undefined);
});
