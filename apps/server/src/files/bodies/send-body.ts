import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Body } from '@sheaf/connectors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pour } from './pour.ts';

interface Answer {
  readonly status: number;
  readonly head: OutgoingHttpHeaders;
  /** Bytes that must come. */
  readonly expected?: number;
  /** The provider's title, for what the user is told. */
  readonly provider: string;
}

/** Takes the answer out of Fastify's hands and writes its head. */
export function startAnswer(reply: FastifyReply, status: number, head: OutgoingHttpHeaders): ServerResponse {
  const { raw } = reply.hijack();
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...head })) if (value !== undefined) raw.setHeader(name, value);
  return raw.writeHead(status);
}

/** Answers with a body. Rejects when the source fails before its first byte, with nothing sent, so that the client is told why. */
export async function sendBody(body: Body, request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<void> {
  const { status, head, ...rest } = answer;
  try {
    await pour(body, reply.raw, { ...rest, begin: () => void startAnswer(reply, status, head) });
  } catch (error) {
    if (!reply.raw.headersSent && !reply.raw.destroyed) throw error;
    // The head is sent: all that is left is to break off, which pour has done.
    request.log.info({ err: error }, 'body broken off');
  }
}
