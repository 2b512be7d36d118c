import { allInParallel } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import { S3Error, s3ErrorOf } from '../errors.ts';
import { type S3Answer, type S3Request, inBucket, mustWrite, openObject } from '../request.ts';
import { documentOf, element, group, named, parseXml, textIn } from '../xml.ts';
import { isCode } from './folders.ts';
import type { ObjectMemory } from './memory.ts';

/** Most keys of one request, as in S3, and those that are deleted at the same time. */
const mostKeys = 1000;
const atOnce = 8;

type Asked = Pick<S3Request, 'address' | 'window' | 'signal'>;

/** Deletes an object; one that is not there counts as deleted. A folder is deleted only by its own key, and only when it is empty. */
async function removeObject(memory: ObjectMemory, { address, window, signal }: Asked): Promise<void> {
  const { item, path, isFolder } = await openObject(window, address);
  try {
    const { kind } = await item.connector.stat(path, { signal });
    if ((kind === 'folder') !== isFolder) return;
    if (isFolder) await memory.unmark(item, path);
    if (isFolder && !(await isEmpty(item.connector.list(path, { signal })))) return;
    await window.content.remove(item.userId, { linkUri: item.linkUri }, signal);
  } catch (error) {
    if (!isCode(error, 'ITEM_NOT_FOUND', 'NOT_A_FOLDER')) throw error;
  }
  if (!isFolder) await memory.forget(item, path);
}

async function isEmpty(batches: AsyncIterable<readonly unknown[]>): Promise<boolean> {
  for await (const batch of batches) if (batch.length > 0) return false;
  return true;
}

/** DeleteObject. */
export async function deleteObject(memory: ObjectMemory, request: S3Request): Promise<S3Answer> {
  mustWrite(request.window);
  await removeObject(memory, request);
  return { status: 204 };
}

/** DeleteObjects. */
export async function deleteObjects(memory: ObjectMemory, request: S3Request): Promise<S3Answer> {
  const { address, window, signal } = request;
  mustWrite(window);
  const asked = parseXml(await request.text());
  const isQuiet = textIn(asked, 'Quiet')?.trim() === 'true';
  const keys = named(asked, 'Object').map((one) => textIn(one, 'Key') ?? '');
  if (keys.length === 0 || keys.length > mostKeys) throw new S3Error('MalformedXML');
  const results: string[] = [];
  await allInParallel([...new Set(keys)], atOnce, async (key) => {
    try {
      await removeObject(memory, { address: inBucket(address.bucket, key), window, signal });
      if (!isQuiet) results.push(group('Deleted', element('Key', key)));
    } catch (error) {
      if (!(error instanceof AppError) && !(error instanceof S3Error)) throw error;
      const { code, sentence } = error instanceof AppError ? s3ErrorOf(error) : error;
      results.push(group('Error', element('Key', key), element('Code', code), element('Message', sentence)));
    }
  });
  return { status: 200, body: documentOf('DeleteResult', ...results) };
}
