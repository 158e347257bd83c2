import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../src/http/listen.ts'
import { streamFile } from '../../src/http/stream-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'farthing-stream-'))
const sounds = Array.from({ length: 40 }, (_, number) => randomBytes(300_000 + number))
const pathOf = (number: number): string => join(folder, `${number}.bin`)
for (const [number, sound] of sounds.entries()) writeFileSync(pathOf(number), sound)
/** The number of bytes that are announced beyond the end of the file. */
const beyond = 1000

const server = createServer((req, res) => {
  const [, what = '', number = ''] = (req.url ?? '').split('/')
  const size = (sounds[Number(number)]?.length ?? 0) + (what === 'short' ? beyond : 0)
  res.writeHead(200, { 'content-length': size })
  const path = what === 'absent' ? join(folder, 'absent') : pathOf(Number(number))
  streamFile(res, path, { start: 0, end: size - 1, ...(what === 'stopped' && { signal: AbortSignal.abort() }) })
})
// Idle connections are not closed, so that a truncated response must be noticed at once.
server.keepAliveTimeout = 0
let port: number
beforeAll(async () => {
  port = (await listen(server, { host: '127.0.0.1', port: 0 })).port
})
afterAll(() => {
  agent.destroy()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

// With keep-alive, because a truncated response before a closed connection is noticed in any case.
const agent = new Agent({ keepAlive: true })

const ask = async (path: string): Promise<IncomingMessage> => {
  const [answer]: IncomingMessage[] = await once(get({ port, host: '127.0.0.1', path, agent }), 'response')
  if (!answer) throw new Error('no answer')
  return answer
}
const hear = async (path: string): Promise<Buffer> => Buffer.concat(await (await ask(path)).toArray())
const openFiles = (): number => readdirSync('/proc/self/fd').length

describe('a file that is streamed', () => {
  it('arrives unchanged, with many at once and one after the other', async () => {
    for (let turn = 0; turn < 3; turn++) {
      const heard = await Promise.all(sounds.map((_, number) => hear(`/whole/${number}`)))
      expect(heard.map((bytes, number) => bytes.equals(sounds[number] ?? Buffer.alloc(0)))).toEqual(
        sounds.map(() => true),
      )
    }
  })

  it.each(['short', 'absent', 'stopped'])(
    'aborts the connection if the rest of the file is unavailable: %s',
    async (what) => {
      await expect(hear(`/${what}/0`)).rejects.toThrow(/aborted|hang up/)
    },
  )

  it.runIf(process.platform === 'linux')('is closed when its client has left', async () => {
    const before = openFiles()
    for (let number = 0; number < 20; number++) (await ask(`/whole/${number}`)).destroy()
    await expect.poll(openFiles).toBeLessThanOrEqual(before + 2)
  })
})
