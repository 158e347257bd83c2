import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { FetchFailed } from './fetched.ts'
import { isPublicAddress } from './public-address.ts'

/** Where a connection goes. `test`: the sandbox's own little web, whose certificates only `ca` vouches for. */
export type Place =
  | { readonly is: 'public'; readonly address: string }
  | { readonly is: 'test'; readonly address: string; readonly port: number; readonly ca: string | undefined }

/** Begins a TCP connection to an address, never to a name. */
export type OpenSocket = (target: { host: string; port: number }) => Socket

const patienceMs = 5000

/**
 * A trusted TLS connection to exactly this address, for exactly this name.
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
  // Once nobody waits for it any more, a socket that breaks would end the process.
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

/** The last check stands where the connection begins: whatever way an address took, it passes here. */
function open(place: Place, openSocket: OpenSocket): Socket {
  if (place.is === 'test') return openSocket({ host: place.address, port: place.port })
  if (!isPublicAddress(place.address)) throw new FetchFailed('refused')
  return openSocket({ host: place.address, port: 443 })
}

const ignore = () => {}

const isTlsFault = (error: unknown, secure: TLSSocket | undefined): boolean =>
  Boolean(secure?.authorizationError) ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_SSL_'))
