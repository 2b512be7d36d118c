/** Why a file is no backup that can be restored; the message is a sentence for the operator. */
export class BadBackup extends Error {
  override readonly name = 'BadBackup';
}

export const notABackup = (): BadBackup => new BadBackup('This file is no backup of Sheaf.');
export const damaged = (): BadBackup => new BadBackup('This backup is damaged: its bytes were changed after it was made.');
export const cutOff = (): BadBackup => new BadBackup('This backup is incomplete: its end is missing.');
export const endDiffers = (): BadBackup => new BadBackup('This backup is incomplete or damaged: its end is missing or was changed.');
export const newer = (): BadBackup =>
  new BadBackup('This backup was made by a newer version of Sheaf. Please restore it with that version.');
