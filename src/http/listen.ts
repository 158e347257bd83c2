import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Place {
  readonly host: string
  readonly port: number
  /** The setting that changes the port; PORT when absent. */
  readonly setting?: string
}

/** @throws Error of one sentence that names HOST or the port's setting when the address cannot be had */
export async function listen(server: Server, { host, port, setting = 'PORT' }: Place): Promise<AddressInfo> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') throw new Error(`port ${port} is taken; set ${setting} to a free one`, { cause: error })
    if (code === 'EACCES')
      throw new Error(`port ${port} needs privileges; set ${setting} to one above 1023`, { cause: error })
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Error(`HOST ${host} is no address of this machine`, { cause: error })
    throw error
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address
}
