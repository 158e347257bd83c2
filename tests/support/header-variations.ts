/** Header lines, and a body, that an unpaid request may carry in an attempt to be served. */
export interface Variation {
  name: string
  lines: readonly string[]
  /** No body when absent. */
  body?: string
  version?: 'HTTP/1.0'
  /** The accepted statuses for an otherwise valid, unpaid request with the declared method; only 402 when absent. */
  answers?: readonly number[]
  /** Uses a connection of its own, because the next request may be out of step after it. */
  alone?: true
}

const host = 'Host: farthing.test'
const plain = (name: string, ...lines: string[]): Variation => ({ name, lines: [host, ...lines] })
const alone = (name: string, ...lines: string[]): Variation => ({ ...plain(name, ...lines), alone: true })
const framed = (name: string, lines: string[], body: string, answers?: readonly number[]): Variation => ({
  name,
  lines: [host, ...lines],
  body,
  alone: true,
  ...(answers && { answers }),
})

/** Some thirty variations, none of which pays. `path` is the paid path that headers may name. */
export const varyHeaders = (path: string): Variation[] => [
  plain('nothing more'),
  plain('junk payment', 'PAYMENT-SIGNATURE: junk'),
  plain('empty payment', 'PAYMENT-SIGNATURE:'),
  plain('payment of an empty object', 'PAYMENT-SIGNATURE: e30='),
  plain('two payments', 'PAYMENT-SIGNATURE: e30=', 'PAYMENT-SIGNATURE: e30='),
  plain('legacy payment only', 'X-PAYMENT: e30='),
  plain(
    'claims to be settled',
    'PAYMENT-RESPONSE: eyJzdWNjZXNzIjp0cnVlfQ==',
    'X-PAYMENT-RESPONSE: eyJzdWNjZXNzIjp0cnVlfQ==',
  ),
  plain('a receipt', 'X-Receipt-Id: r_00000000000000000000000000000000'),
  plain('a browser', 'Accept: text/html,application/xhtml+xml,*/*;q=0.8', 'Sec-Fetch-Dest: document'),
  plain('wants markdown', 'Accept: text/markdown'),
  plain('wants JSON compressed', 'Accept: application/json', 'Accept-Encoding: br, gzip'),
  plain('range', 'Range: bytes=0-99'),
  plain('range and condition', 'Range: bytes=0-', 'If-Range: "x"'),
  plain('if none match', 'If-None-Match: *'),
  plain('if match', 'If-Match: "x"', 'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT'),
  plain('cached only', 'Cache-Control: only-if-cached', 'Pragma: no-cache'),
  plain('method override', 'X-HTTP-Method-Override: OPTIONS', 'X-HTTP-Method: GET', 'X-Method-Override: HEAD'),
  plain('rewritten URL', `X-Original-URL: ${path}`, `X-Rewrite-URL: ${path}`, 'X-Original-URI: /'),
  plain(
    'middleware rewrite',
    'X-Middleware-Subrequest: src/middleware',
    `X-Astro-Path: ${path}`,
    `x-astro-locals: {"paid":true}`,
  ),
  plain(
    'forwarded',
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-Host: localhost',
    'X-Forwarded-Proto: https',
    'X-Real-IP: 127.0.0.1',
  ),
  plain(
    'forwarded path',
    `X-Forwarded-Uri: ${path}`,
    'X-Forwarded-Prefix: /..',
    `Forwarded: for="[::1]";host=localhost`,
  ),
  plain('authorized', 'Authorization: Bearer admin', 'Cookie: paid=1; session=admin'),
  plain(
    'preflight',
    'Origin: https://evil.test',
    'Access-Control-Request-Method: GET',
    'Access-Control-Request-Headers: payment-signature',
  ),
  // Node.js reports no malformed request on a connection that has asked for an upgrade before.
  alone(
    'upgrade',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ),
  alone('upgrade to HTTP/2', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
  plain('hop by hop', 'Connection: close, PAYMENT-SIGNATURE, X-Forwarded-For', 'TE: trailers'),
  plain('length 0', 'Content-Length: 0'),
  { name: 'HTTP/1.0', lines: [host], version: 'HTTP/1.0' },
  { name: 'lying Host', lines: ['Host: 127.0.0.1:4323'] },
  { name: 'malformed Host', lines: ['Host: a/../b'], answers: [400] },
  { name: 'no Host', lines: [], answers: [400] },
  { name: 'two Hosts', lines: [host, 'Host: localhost'], answers: [400] },
  framed('expects to go on', ['Expect: 100-continue', 'Content-Type: application/json', 'Content-Length: 2'], '{}'),
  framed('a JSON body', ['Content-Type: application/json', 'Content-Length: 2'], '{}'),
  framed('empty chunked body', ['Transfer-Encoding: chunked'], '0\r\n\r\n'),
  framed('chunked spelled oddly', ['Transfer-Encoding: ChUnKeD'], '2\r\n{}\r\n0\r\n\r\n'),
  framed('unknown transfer coding', ['Transfer-Encoding: xchunked'], '0\r\n\r\n', [400]),
  framed('identity transfer coding', ['Transfer-Encoding: identity'], '', [400]),
  framed('length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n', [400]),
]
