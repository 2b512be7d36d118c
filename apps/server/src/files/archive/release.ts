/** Gives the memory of a buffer back at once, which is empty then; left to the garbage collector it would pile up while thousands of files pass. */
export function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}
