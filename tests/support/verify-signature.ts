import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

interface Signed {
  readonly method: string
  /** The path with its query, as it was sent. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/

/** Whether a request is signed with this key by AWS Signature Version 4. */
export function isSigned({ method, path, headers }: Signed, keyId: string, secret: string): boolean {
  const [, id, day = '', region = '', names = '', signature] = authorization.exec(headers.authorization ?? '') ?? []
  if (id !== keyId || !names.split(';').includes('x-amz-content-sha256')) return false
  const url = new URL(path, 'http://storage')
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted()
  const time = String(headers['x-amz-date'])
  const lines = [
    method,
    url.pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    String(headers['x-amz-content-sha256']),
  ]
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secret}`, day), region))
  const scope = `${day}/${region}/s3/aws4_request`
  const expected = hmac(key, ['AWS4-HMAC-SHA256', time, scope, hash(lines.join('\n'))].join('\n')).toString('hex')
  return expected === signature
}
