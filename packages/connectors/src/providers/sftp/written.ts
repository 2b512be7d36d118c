import { Socket } from 'node:net';
import { freeWhole } from '../../kit/body/body-memory.ts';

/**
 * Releases the memory of each packet once the system has its bytes, instead of leaving 64 KiB per packet to the garbage collector. For a
 * socket to which ssh2 writes with AES-GCM: per packet the length, as a view of the plain packet, then the encrypted bytes; ssh2 reads
 * neither again.
 */
export function freeWritten(socket: Socket): void {
  const write = Socket.prototype.write.bind(socket);
  socket.write = (chunk: Uint8Array | string) =>
    write(chunk, 'latin1', (error) => {
      if (!error && typeof chunk !== 'string') freeWhole(chunk);
    });
}
