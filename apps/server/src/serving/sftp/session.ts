import type { Duplex } from 'node:stream';
import type { Entry } from '@sheaf/connectors';
import type { Window } from '#/serving/programs/windows.ts';
import { type FilesDeps, createSessionFiles, mostHandles } from './files/session-files.ts';
import { attrsOf, namedAttrs, refusalOf, resolved } from './places.ts';
import { type Answer, answerAll } from './wire/answering.ts';
import { type PacketReader, SftpError, answers, longestData, longestPacket, readPacket, request, status } from './wire/codec.ts';
import type { Packet } from './wire/packets.ts';

interface Deps extends FilesDeps {
  /** Called with an error that is no refusal. */
  readonly onError: (error: unknown) => void;
  /** Called with each chunk of the channel that has been read. */
  readonly taken: (chunk: Buffer) => void;
}

/** Bytes of a file from which on they are sent from where they are, apart from the fields before them. */
const ownPacket = 16 * 1024;

/** Speaks SFTP, version 3, on a channel until it ends. */
export async function serveSftp(channel: Duplex, window: Window, { onError, taken, ...deps }: Deps, outer: AbortSignal): Promise<void> {
  const closed = new AbortController();
  const signal = AbortSignal.any([outer, closed.signal]);
  const files = createSessionFiles(window, deps, signal);
  const { canWrite } = files;
  const handleOf = (packet: PacketReader) => files.handleOf(packet.data().toString('latin1'));

  async function extended(id: number, packet: PacketReader): Promise<Buffer> {
    const name = packet.text();
    switch (name) {
      case 'posix-rename@openssh.com':
        await files.rename(packet.text(), packet.text(), true);
        return answers.status(id, status.ok);
      case 'statvfs@openssh.com':
        return answers.numbers(id, await files.space(packet.text()));
      case 'fstatvfs@openssh.com': {
        const handle = handleOf(packet);
        if (handle.kind === 'folder') throw new SftpError(status.unsupported, 'The handle is one of a folder.');
        return answers.numbers(id, await files.space(handle.target));
      }
      case 'fsync@openssh.com': {
        const handle = handleOf(packet);
        // A sync has to store the file, as nothing less is safe; later writes to it are refused.
        if (handle.kind === 'writer') await files.finish(handle);
        return answers.status(id, status.ok);
      }
      case 'limits@openssh.com':
        return answers.numbers(id, [longestPacket, longestData, longestData, mostHandles]);
      default:
        throw new SftpError(status.unsupported, 'The extension is not known.');
    }
  }

  async function answerTo(kind: number, id: number, packet: PacketReader): Promise<Answer> {
    const ok = answers.status(id, status.ok);
    switch (kind) {
      case request.open: {
        const [path, flags] = [packet.text(), packet.uint32()];
        return answers.handle(id, await files.openFile(path, flags));
      }
      case request.close:
        if (await files.close(packet.data().toString('latin1'))) return ok;
        return answers.status(id, status.failure, 'The handle is not open.');
      case request.read: {
        const handle = handleOf(packet);
        const [at, length] = [packet.uint64(), packet.uint32()];
        if (handle.kind !== 'reader') throw new SftpError(status.failure, 'The file is not open for reading.');
        const { bytes: data, release } = await handle.reader.read(at, Math.min(length, longestData));
        if (data.byteLength === 0 && length > 0) return answers.status(id, status.eof, 'The end of the file.');
        if (data.byteLength >= ownPacket) return { head: answers.dataHead(id, data), data, release };
        const answer = answers.data(id, data);
        release();
        return answer;
      }
      case request.write: {
        const handle = handleOf(packet);
        const at = packet.uint64();
        if (handle.kind !== 'writer') throw new SftpError(status.failure, 'The file is not open for writing.');
        await handle.writer.write(at, packet.data());
        return ok;
      }
      case request.stat:
      case request.lstat:
        return answers.attrs(id, attrsOf({ entry: await files.entryOf(packet.text()), canWrite }));
      case request.fstat: {
        const handle = handleOf(packet);
        if (handle.kind === 'folder') return answers.attrs(id, attrsOf({ entry: { name: '', kind: 'folder' }, canWrite }));
        const size = handle.kind === 'writer' ? handle.writer.size() : undefined;
        const entry: Entry = handle.kind === 'reader' ? handle.reader.entry : { name: '', kind: 'file', size: size ?? 0 };
        return answers.attrs(id, attrsOf({ entry, canWrite }));
      }
      case request.setstat:
        await files.setAttrs(packet.text(), packet.attrs());
        return ok;
      case request.fsetstat: {
        const handle = handleOf(packet);
        if (handle.kind === 'writer') files.setPending(handle, packet.attrs());
        return ok;
      }
      case request.opendir:
        return answers.handle(id, await files.openFolder(packet.text()));
      case request.readdir: {
        const handle = handleOf(packet);
        if (handle.kind !== 'folder') throw new SftpError(status.failure, 'The handle is none of a folder.');
        const entries = await handle.next();
        if (entries.length === 0) return answers.status(id, status.eof, 'The end of the folder.');
        return answers.names(
          id,
          entries.map((entry) => namedAttrs({ entry, canWrite })),
        );
      }
      case request.remove:
        await files.remove(packet.text(), 'file');
        return ok;
      case request.mkdir:
        await files.makeFolder(packet.text());
        return ok;
      case request.rmdir:
        await files.remove(packet.text(), 'folder');
        return ok;
      case request.realpath: {
        const path = resolved(packet.text());
        return answers.names(id, [{ name: path, line: path, attrs: {} }]);
      }
      case request.rename:
        await files.rename(packet.text(), packet.text(), false);
        return ok;
      case request.extended:
        return extended(id, packet);
      default:
        throw new SftpError(status.unsupported, 'This is not supported.');
    }
  }

  async function answered({ bytes, data }: Packet): Promise<Answer> {
    const packet = readPacket(bytes, data);
    const kind = packet.byte();
    if (kind === request.init) return answers.version();
    const id = packet.uint32();
    try {
      return await answerTo(kind, id, packet);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) onError(error);
      return answers.status(id, refusal?.code ?? status.failure, refusal?.message ?? 'Something went wrong. Please try again.');
    }
  }

  await answerAll(channel, { answered, signal, taken, atEnd: files.leave }).finally(() => {
    closed.abort();
    files.release();
  });
}
