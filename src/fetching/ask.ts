import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { FetchFailed } from './fetched.ts'
import { isPublicAddress } from './public-address.ts'

/** Where a connection goes. `test`: a server of the sandbox, whose certificates only `ca` vouches for. */
export type Place =
  | { readonly is: 'public'; readonly address: string }
  | { readonly is: 'test'; readonly address: string; readonly port: number; readonly ca: string | undefined }

/** Opens a TCP connection to an IP address, never to a name. */
export type OpenSocket = (target: { host: string; port: number }) => Socket

/** The longest time for TCP and TLS together, in milliseconds. */
const patienceMs = 5000

/**
 * Opens a verified TLS connection to exactly this address, for exactly this name.
 *
 * @throws FetchFailed `refused`, `unreachable` or `certificate`
 */
export async function connect(
  place: Place,
  host: string,
  { openSocket, signal }: { openSocket: OpenSocket; signal: AbortSignal },
): Promise<TLSSocket> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const socket = open(place, openSocket)
  // Without a listener, an error after the wait is over would end the process.
  socket.on('error', ignore)
  let secure: TLSSocket | undefined
  try {
    await once(socket, 'connect', { signal: patience })
    const ca = place.is === 'test' && place.ca !== undefined ? { ca: place.ca } : {}
    secure = connectTls({ socket, servername: host, ALPNProtocols: ['http/1.1'], ...ca })
    secure.on('error', ignore)
    await once(secure, 'secureConnect', { signal: patience })
    return secure
  } catch (cause) {
    secure?.destroy()
    socket.destroy()
    throw new FetchFailed(isTlsFault(cause, secure) ? 'certificate' : 'unreachable', { cause })
  }
}

/**
 * Checks the address once more where the connection begins, because every address passes here, wherever it came from.
 */
function open(place: Place, openSocket: OpenSocket): Socket {
  if (place.is === 'test') return openSocket({ host: place.address, port: place.port })
  if (!isPublicAddress(place.address)) throw new FetchFailed('refused')
  return openSocket({ host: place.address, port: 443 })
}

const ignore = () => {}

const isTlsFault = (error: unknown, secure: TLSSocket | undefined): boolean =>
  Boolean(secure?.authorizationError) ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_SSL_'))

const maxHeaderBytes = 32 * 1024
/** How many interim responses ("early hints", "continue") are accepted; more are taken for an attack. */
const maxInterimAnswers = 8

/**
 * Sends one GET on its own connection, without agent, pool or proxy, so that nothing is shared with other requests.
 *
 * @returns the response once its headers are there
 * @throws FetchFailed `unreachable` when the connection closes without a response, `malformed` when that is not HTTP
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
