import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { testBaseUrl } from './running-site.ts'

/**
 * Acts as a proxy in front of a tested program: it terminates TLS, compresses, and forwards requests. The tested build
 * has http addresses, which are replaced by https ones in its texts.
 */
export const behindTls =
  (port: () => number, origin = testBaseUrl): RequestListener =>
  async (request, response) => {
    const answer = await fetch(`http://127.0.0.1:${port()}${request.url}`, {
      headers: { accept: request.headers.accept ?? '*/*', 'user-agent': request.headers['user-agent'] ?? '' },
      redirect: 'manual',
    })
    const text = (await answer.text()).replaceAll(origin, origin.replace('http:', 'https:'))
    const isCompressed = answer.headers.has('content-encoding')
    for (const [name, value] of answer.headers)
      if (!['content-length', 'connection', 'keep-alive', 'transfer-encoding'].includes(name))
        response.setHeader(name, value)
    if (isCompressed) response.setHeader('content-encoding', 'gzip')
    response.writeHead(answer.status).end(isCompressed ? gzipSync(text) : text)
  }
