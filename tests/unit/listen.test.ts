import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { listen } from '../../src/http/listen.ts'

it.each(['203.0.113.9', 'fe80::1', 'nobody.invalid'])(
  'says of HOST=%s, which this machine lacks, which values are possible',
  async (host) => {
    await expect(listen(createServer(), { host, port: 0 })).rejects.toThrow(
      `HOST ${host} is no address of this machine; set it to 127.0.0.1 or ::1`,
    )
  },
)

it('names the setting of a port in use', async () => {
  const first = createServer()
  const { port } = await listen(first, { host: '127.0.0.1', port: 0 })
  const second = listen(createServer(), { host: '127.0.0.1', port, setting: 'GAME_PORT' })
  await expect(second).rejects.toThrow(`port ${port} is taken; set GAME_PORT to a free one`)
  first.close()
  await once(first, 'close')
})
