import { type IncomingMessage, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { FetchFailed } from './fetched.ts'

const maxHeaderBytes = 32 * 1024
/** A server may say "early hints" or "continue" before its answer; one that says it for ever means harm. */
const maxInterimAnswers = 8

/**
 * One GET on a connection of its own, without agent, pool or proxy: nothing is shared with any other request.
 *
 * @throws FetchFailed `unreachable` when it closes without a word, `malformed` when what it says is not HTTP
 */
export const ask = (
  connection: Duplex,
  url: URL,
  { headers, signal }: { headers: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const outgoing = request({
      createConnection: () => connection,
      path: url.pathname + url.search,
      headers: { host: url.hostname, ...headers, connection: 'close' },
      maxHeaderSize: maxHeaderBytes,
      signal,
    })
    const refuse = () => {
      reject(new FetchFailed('malformed'))
      outgoing.destroy()
    }
    let interim = 0
    outgoing.on('information', () => {
      interim += 1
      if (interim > maxInterimAnswers) refuse()
    })
    outgoing.once('upgrade', refuse)
    outgoing.once('response', resolve)
    outgoing.on('error', (cause) => reject(toFailure(cause)))
    outgoing.once('close', () => reject(new FetchFailed('unreachable')))
    outgoing.end()
  })

const toFailure = (cause: Error): FetchFailed =>
  new FetchFailed('code' in cause && String(cause.code).startsWith('HPE_') ? 'malformed' : 'unreachable', { cause })
