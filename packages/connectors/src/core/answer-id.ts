import { AsyncLocalStorage } from 'node:async_hooks';

/** A call under way, with the ids under which the service has its requests. */
export interface Heard {
  /** Of the last request that the service refused. */
  refused?: string;
  /** Of the last request that it answered at all. */
  last?: string;
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

/** Notes the id of an answered request for the call under way. */
export function hearAnswer(status: number, answered: Readonly<Record<string, string>>): void {
  const call = calls.getStore();
  if (!call) return;
  for (const name of headers) {
    const id = answered[name];
    if (id === undefined || !plain.test(id)) continue;
    call.last = id;
    if (status >= 400) call.refused = id;
    return;
  }
}

/** Runs a call and notes its requests in `heard`; writes the service's id of the request that it failed with into the error, as `serviceRequestId`. */
export async function hearing<T>(heard: Heard, work: () => Promise<T>): Promise<T> {
  try {
    return await calls.run(heard, work);
  } catch (error) {
    if (heard.refused !== undefined && error instanceof Error && !('serviceRequestId' in error))
      Object.assign(error, { serviceRequestId: heard.refused });
    throw error;
  }
}
