export * from './core/authorization.ts';
export type * from './core/bin.ts';
export * from './core/connector.ts';
export { deadlines } from './core/deadlines.ts';
export * from './core/definition.ts';
export * from './core/dialer.ts';
export * from './core/error.ts';
export * from './core/hashes.ts';
export type * from './core/hints/hints.ts';
export {
  type Operation,
  type OperationDeadlines,
  binOf,
  capabilitiesOf,
  hintsOf,
  numberedUploadsOf,
  resumableUploadsOf,
  serviceCopiesOf,
  versionsOf,
} from './core/operations.ts';
export type { KeepOptions, VersionReadOptions, Versions } from './core/replacing.ts';
export type { LocateOptions, ServiceCopies, ServiceFile } from './core/service-copy.ts';
export type * from './core/storage-limits.ts';
export type * from './core/upload.ts';
export type { LeftoverNote, Leftovers, NotedTransfer } from './core/leftovers.ts';
export { type PrivateNetworks, addressRule } from './kit/net/addresses.ts';
export { freeWhole, lendChunks } from './kit/body/body-memory.ts';
export { type BodyReader, createBodyReader } from './kit/body/body-reader.ts';
export { measured } from './kit/body/upload-meter.ts';
export { type HashSet, createHashSet, namedHash } from './kit/hash/named-hash.ts';
export { type ResumableHash, createResumableHash, isResumableHash } from './kit/hash/resumable-hash.ts';
export { createDialer } from './kit/net/dialer.ts';
export { sftpNumbers } from './kit/sftp/numbers.ts';
export { opensshEd25519 } from './kit/sftp/openssh-key.ts';
export { sshString, sshUint32, sshUint64 } from './kit/sftp/ssh-fields.ts';
export { type FittedName, type NameFault, fitName, fitsName, nameKey, nameTag, rulesBelow, taggedName } from './kit/names/fit-name.ts';
export { isTemporary, joinPath, nameOf, parentOf, partsPrefix, segmentsOf } from './kit/names/path.ts';
export { parseServerAddress } from './kit/net/server-address.ts';
export { openWebAddress } from './web-address/connector.ts';
export { createTokens } from './kit/oauth/tokens.ts';
export { createSharedWork } from './kit/concurrency/shared-work.ts';
export { createKeyedMutex, createMutex } from './kit/concurrency/keyed-mutex.ts';
export { createKeyedLimiter, createLimiter } from './kit/concurrency/limiter.ts';
export { allInParallel } from './kit/concurrency/parallel.ts';
export { reasonOf, unlessAborted } from './kit/concurrency/unless-aborted.ts';
export { markHandled } from './kit/concurrency/mark-handled.ts';
export { createWholeBody, readWhole } from './kit/body/whole-body.ts';
export { createXmlScanner } from './kit/xml/xml-scanner.ts';
export { escapeXml } from './kit/xml/xml-text.ts';
export { follow } from './layers/follow.ts';
export { type Answer, type Batches, type Layer, type LayerCall, layered } from './layers/layered.ts';
export { bounds, bytesOf } from './layers/bounds.ts';
export { conclude } from './layers/conclude.ts';
export { type Lifeline, createLifeline } from './layers/lifeline.ts';
export { limit } from './layers/limit.ts';
export { hiddenBin } from './kit/bins/hidden-bin.ts';
export { recasing } from './recasing.ts';
export { retry } from './layers/retry.ts';
export { safePaths } from './layers/safe-paths.ts';
export { timeout } from './layers/timeout.ts';
export { type Trace, trace } from './layers/trace.ts';
export { wholeReads } from './layers/whole-reads.ts';
export { type FindDefinition, findDefinition } from './registry.ts';
