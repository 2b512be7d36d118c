export { fromBase64, fromBase64Url, toBase64, toBase64Url } from './base64.ts';
export { type Vault, createVault, openVault } from './vault.ts';
export { type NameOptions, usualNames } from './names/options.ts';
export { blockSize, clearSize, headerSize, sealedBlockSize, sealedSize } from './content/format.ts';
export { tagSize } from './content/secretbox.ts';
export { type Damage, damaged, isDamage } from './content/damage.ts';
export { type Passwords, deriveKeys } from './keys/derive.ts';
export { provenOptions, unwrap, wrap } from './keys/wrap.ts';
export { openWithPasskey, sealForPasskey } from './keys/passkey.ts';
export { areWords, newWords, tidyWords } from './keys/words.ts';
export { strengthOf } from './keys/strength.ts';
export { type CryptSection, cryptSection, cryptSections, remotesOf } from './keys/rclone-conf.ts';
export {
  type ManifestPart,
  type ManifestRecord,
  isManifestName,
  newFolderId,
  newManifestName,
  readPart,
  rootFolderId,
  writePart,
} from './manifest/format.ts';
export { type Manifest, type Verdict, glanceAt, judgeFile, mergeParts } from './manifest/manifest.ts';
export { inPieces } from './content/in-pieces.ts';
export { withoutHeader } from './content/without-header.ts';
export {
  type ShareIndex,
  type SharedItem,
  isShareFolderName,
  isShareSecret,
  newShareFolderName,
  newShareSecret,
  readShareIndex,
  shareKeys,
  writeShareIndex,
} from './shares/share.ts';
export { type CryptomatorVault, openCryptomator } from './cryptomator/vault.ts';
export { configName, masterkeyName } from './cryptomator/masterkey.ts';
export { folderIdCopy, nodeFiles, shortenedEnd } from './cryptomator/names.ts';
