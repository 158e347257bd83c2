import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** @throws Error of one sentence that names PORT or HOST when the address cannot be had */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') throw new Error(`port ${port} is taken; set PORT to a free one`, { cause: error })
    if (code === 'EACCES')
      throw new Error(`port ${port} needs privileges; set PORT to one above 1023`, { cause: error })
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Error(`HOST ${host} is no address of this machine`, { cause: error })
    throw error
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address
}
