import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

interface Place {
  readonly host: string
  readonly port: number
  /** The setting that changes the port; PORT when absent. */
  readonly setting?: string
}

/** Error codes of the system for a host that is not an address of this machine or a name that does not resolve. */
const nowhere = ['EADDRNOTAVAIL', 'EINVAL', 'EAFNOSUPPORT', 'ENOTFOUND', 'EAI_AGAIN']

/**
 * Starts listening and resolves with the bound address.
 *
 * @throws Error with one sentence that names HOST or the setting of the port when the address cannot be used
 */
export async function listen(server: Server, { host, port, setting = 'PORT' }: Place): Promise<AddressInfo> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') throw new Error(`port ${port} is taken; set ${setting} to a free one`, { cause: error })
    if (code === 'EACCES')
      throw new Error(`port ${port} needs privileges; set ${setting} to one above 1023`, { cause: error })
    if (nowhere.includes(String(code)))
      throw new Error(
        `HOST ${host} is no address of this machine; set it to 127.0.0.1 or ::1 for this machine alone, 0.0.0.0 or :: for all of its addresses`,
        { cause: error },
      )
    throw error
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address
}
