/** Frees a buffer's memory at once and leaves it empty; left to the garbage collector it would pile up while thousands of files pass. */
export function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}
