import { createHash, createHmac } from 'node:crypto';

interface Login {
  readonly key: string;
  readonly secret: string;
  readonly region: string;
}

/**
 * An address of an S3 object that whoever has it may use for an hour with that method, as S3 clients without signatures of their own need it.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function presigned(method: 'GET' | 'PUT', address: string, { key, secret, region }: Login): string {
  const url = new URL(address);
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  url.search = new URLSearchParams({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${key}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': '3600',
    'X-Amz-SignedHeaders': 'host',
  }).toString();
  const request = [method, url.pathname, url.search.slice(1), `host:${url.host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(request).digest('hex')].join('\n');
  const hmac = (by: string | Buffer, what: string): Buffer => createHmac('sha256', by).update(what).digest();
  const signing = hmac(hmac(hmac(hmac(`AWS4${secret}`, time.slice(0, 8)), region), 's3'), 'aws4_request');
  return `${url.href}&X-Amz-Signature=${hmac(signing, text).toString('hex')}`;
}
