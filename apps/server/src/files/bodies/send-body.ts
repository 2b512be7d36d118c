import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Body } from '@sheaf/connectors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { writeBody } from './write-body.ts';

interface Answer {
  readonly status: number;
  readonly head: OutgoingHttpHeaders;
  /** Expected number of bytes. */
  readonly expected?: number;
  /** The provider's title, for errors. */
  readonly provider: string;
}

/** Takes over the response from Fastify and writes its head. */
export function startAnswer(reply: FastifyReply, status: number, head: OutgoingHttpHeaders): ServerResponse {
  const { raw } = reply.hijack();
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...head })) if (value !== undefined) raw.setHeader(name, value);
  return raw.writeHead(status);
}

/** Answers with a body. Rejects when the source fails before its first byte; then nothing has been sent, and the client gets the error. */
export async function sendBody(body: Body, request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<void> {
  const { status, head, ...rest } = answer;
  try {
    await writeBody(body, reply.raw, { ...rest, begin: () => void startAnswer(reply, status, head) });
  } catch (error) {
    if (!reply.raw.headersSent && !reply.raw.destroyed) throw error;
    // The head has been sent: the connection has been ended already.
    request.log.info({ err: error }, 'body broken off');
  }
}
