import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { holdGame } from '../../game-server/storage/hold-game.ts'
import { type RunningSite, startSite, testBaseUrl, testBuild } from '../support/running-site.ts'
import { openSocket, type SocketClient } from '../support/socket-client.ts'

const nowhere = 'http://127.0.0.1:9'
const dataDir = mkdtempSync(join(tmpdir(), 'farthing-two-games-'))
const hosts: RunningSite[] = []
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.kill()))
  rmSync(dataDir, { recursive: true, force: true })
})

const start = async (): Promise<RunningSite> => {
  const host = await startSite({
    ...{ facilitatorUrl: nowhere, rpcUrl: nowhere, dataDir },
    ...{ program: 'game-server/host/main.ts', env: { GAME_PORT: '0' } },
  })
  hosts.push(host)
  return host
}

interface Player {
  readonly client: SocketClient
  readonly token: string
  readonly realm: unknown
  readonly isResumed: unknown
  readonly turn: number
}

async function joinAs(host: RunningSite, resumeToken?: string): Promise<Player> {
  const client = await openSocket(`ws://127.0.0.1:${host.port}/ws`)
  client.send({ type: 'join', name: 'Ada', kind: 'agent', obs: 'json', resumeToken })
  const { resumeToken: token, realm, resumed: isResumed } = await client.next('welcome')
  return { client, token: String(token), realm, isResumed, turn: Number((await client.next('obs'))['turn']) }
}

/** Presses a key, and returns the turn that was reached by it. */
async function press({ client }: Player, n: number): Promise<number> {
  client.send({ type: 'input', key: '.', n })
  return Number((await client.next('obs'))['turn'])
}

it('a second game host is refused with the name of the first, which goes on, and can start once the first was killed', async () => {
  const first = await start()
  const ada = await joinAs(first)
  const turn = await press(ada, 1)
  await expect(start()).rejects.toThrow(
    new RegExp(
      `ended with 1: another game host, process ${first.child.pid} on ${RegExp.escape(hostname())} since \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z, holds the data folder ${RegExp.escape(dataDir)}; stop it, or set DATA_DIR`,
    ),
  )
  expect(await press(ada, 2)).toBe(turn + 1)
  await first.kill('SIGKILL')
  expect(existsSync(join(dataDir, 'game-host.json'))).toBe(true)

  const second = await start()
  const again = await joinAs(second, ada.token)
  expect([again.isResumed, again.realm]).toEqual([true, ada.realm])
  await second.kill('SIGTERM')
  expect(existsSync(join(dataDir, 'game-host.json'))).toBe(false)
})

it('a game host that starts while another is ending waits until that is gone', async () => {
  const first = await start()
  const slow = connect(first.port, '127.0.0.1')
  await once(slow, 'connect')
  slow.write(
    'POST /api/store/unlock HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
  )
  // The host finishes only requests that have arrived.
  await expect.poll(async () => (await first.fetch('/healthz')).status).toBe(200)
  first.child.kill('SIGTERM')
  const firstGone = once(first.child, 'exit')
  await expect.poll(() => existsSync(join(dataDir, 'game-host.json'))).toBe(false)
  expect(first.child.exitCode).toBe(null)
  slow.destroy()
  expect(await firstGone).toEqual([0, null])
  // Stands for a host that is ending, for as long as the next one needs to notice it.
  const ending = await holdGame(dataDir)
  ending.leave()
  const second = spawn(process.execPath, ['game-server/host/main.ts', testBuild()], {
    env: {
      ...process.env,
      ...{ BASE_URL: testBaseUrl, PORT: '0', GAME_PORT: '0', DATA_DIR: dataDir },
      ...{ FACILITATOR_URL: nowhere, RPC_URL: nowhere },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(second.stdout)[Symbol.asyncIterator]()
  expect((await lines.next()).value).toContain('another game host is stopping; this one starts when it has stopped')
  ending.release()
  expect((await lines.next()).value).toMatch(/^listening \d+$/)
  const ended = once(second, 'exit')
  second.kill('SIGTERM')
  await ended
})

it('a game host that takes too long to end makes the next one fail', async () => {
  const hold = await holdGame(dataDir)
  hold.leave()
  await expect(holdGame(dataDir, { waitMs: 0 })).rejects.toThrow(
    `another game host is stopping and still uses the data folder ${dataDir}`,
  )
  hold.release()
  const next = await holdGame(dataDir, { waitMs: 0 })
  next.release()
})
