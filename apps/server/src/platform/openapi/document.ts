import * as contract from '@sheaf/contract';
import { type Call, ErrorAnswer, type TSchema, errorTable } from '@sheaf/contract';
import { Type } from 'typebox';

/** JSON of the OpenAPI document: https://spec.openapis.org/oas/v3.1.1. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value;

/** Every call of the contract, including those in nested objects. */
export function callsOf(value: unknown): Call[] {
  if (isCall(value)) return [value];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.values(value).flatMap(callsOf) : [];
}

/** A schema as plain JSON, without compile-time parts. */
const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema)) as Json;

function parametersOf({ input }: Call): Json[] {
  const required = new Set<string>(input.required ?? []);
  return Object.entries(input.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema: plain(schema),
  }));
}

const bodies: Readonly<Record<'form' | 'bytes', (call: Call) => Json>> = {
  form: ({ input }) => {
    const schema = plain(input);
    return {
      content: { 'application/x-www-form-urlencoded': { schema }, 'multipart/form-data': { schema }, 'application/json': { schema } },
    };
  },
  bytes: () => ({ content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }),
};

/** Authentication by a browser's cookie or by a command-line client's token, which sends no rTag. */
const signedIn: readonly Json[] = [{ session: [] }, { bearer: [] }];

function operationOf(call: Call): Json {
  const headers =
    call.method === 'PUT' ? [{ name: 'X-RTag', in: 'header', required: call.rTag === 'required', schema: { type: 'string' } }] : [];
  const answer = { type: 'object', required: ['data'], properties: { data: plain(call.reply) } };
  return {
    summary: call.summary,
    security: call.session === 'none' ? [] : call.session === 'optional' ? [{}, ...signedIn] : signedIn,
    ...(call.method === 'POST' ? { requestBody: bodies.form(call) } : { parameters: [...parametersOf(call), ...headers] }),
    ...(call.method === 'PUT' && { requestBody: bodies.bytes(call) }),
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: answer } } },
      default: { $ref: '#/components/responses/Refused' },
    },
  };
}

/** The schema of errors, with the codes of the catalogue. */
const refusal: Json = plain(
  Type.Object({
    ...ErrorAnswer.properties,
    errorCode: Type.Unsafe<number>({ type: 'integer', enum: [...new Set(Object.values(errorTable).map(({ code }) => code))] }),
    messageCode: Type.Unsafe<string>({ type: 'string', enum: Object.keys(errorTable) }),
  }),
);

/** Builds the OpenAPI document of the whole public API from the calls of the contract. */
export function openapiDocument(version: string): Json {
  const calls = callsOf({ ...contract });
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sheaf',
      version,
      description:
        'Errors carry the catalogue’s errorCode, messageCode and details, and the English sentence made from them; every write carries the cookie sh as rTag.',
    },
    paths: Object.fromEntries(
      [...Map.groupBy(calls, ({ path }) => path)].map(([path, methods]) => [
        path,
        Object.fromEntries(methods.map((call) => [call.method.toLowerCase(), operationOf(call)])),
      ]),
    ),
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: contract.cookies.session },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      responses: {
        Refused: {
          description: 'Refused, with a row of the error catalogue.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
        },
      },
      schemas: {
        Refusal: refusal,
      },
    },
  };
}
