import { AsyncLocalStorage } from 'node:async_hooks';

/** The call under way, with the id under which the service has the last request that it refused. */
interface Heard {
  id?: string;
}
const calls = new AsyncLocalStorage<Heard>();

/**
 * Headers in which services name a request, for their support: Amazon and what speaks S3, Microsoft (Azure, Graph, SharePoint), Google, Dropbox, Box, Slack,
 * and Cloudflare in front of many others.
 */
const headers = [
  'x-amz-request-id',
  'x-ms-request-id',
  'request-id',
  'sprequestguid',
  'x-guploader-uploadid',
  'x-dropbox-request-id',
  'x-box-request-id',
  'box-request-id',
  'x-slack-req-id',
  'x-trans-id',
  'x-request-id',
  'cf-ray',
] as const;

/** Letters, digits and the marks that ids have: what a server sends goes into the log. */
const plain = /^[\w.:=+/|-]{1,128}$/;

/** Notes the id of a refused request for the call under way. */
export function hearAnswer(status: number, answered: Readonly<Record<string, string>>): void {
  const call = status >= 400 ? calls.getStore() : undefined;
  if (!call) return;
  const id = headers.map((name) => answered[name]).find((value) => value !== undefined && plain.test(value));
  if (id !== undefined) call.id = id;
}

/** Runs a call and writes the service's id of the request that it failed with into the error, as `serviceRequestId`. */
export async function hearing<T>(work: () => Promise<T>): Promise<T> {
  const heard: Heard = {};
  try {
    return await calls.run(heard, work);
  } catch (error) {
    if (heard.id !== undefined && error instanceof Error && !('serviceRequestId' in error))
      Object.assign(error, { serviceRequestId: heard.id });
    throw error;
  }
}
