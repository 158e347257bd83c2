import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { getLevel } from '../../game-server/core/get-level.ts'
import { hashWorld } from '../../game-server/core/hash-world.ts'
import { replay } from '../../game-server/core/replay.ts'
import { T } from '../../game-server/core/tiles.ts'
import { rules } from '../../game-server/core/world.ts'
import { runFileSchema } from '../../game-server/protocol/run-file.ts'
import { readCommands } from '../../game-server/realms/load-realm.ts'
import type { CupAccess } from '../../game-server/sessions/cup-access.ts'
import { makeLives } from '../../game-server/sessions/lives.ts'
import { readReplay } from '../../game-server/sessions/read-replay.ts'
import { makeCredits } from '../../game-server/store/credits.ts'
import { playToDeath, type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import { openSocket, type SocketClient } from '../support/socket-client.ts'
import { openTestLedger } from '../support/test-databases.ts'

let folder: string
let gameHost: RunningGameHost
const fast = { perSecond: 1e9, burst: 1e9 }
const open = () => startGameHost({ folder, inputLimits: fast })

beforeEach(async () => {
  folder = mkdtempSync(joinPath(tmpdir(), 'undercroft-'))
  gameHost = await open()
})
afterEach(async () => {
  await gameHost.stop()
  rmSync(folder, { recursive: true })
})

async function join(message: object): Promise<{ client: SocketClient; token: string; resumed: unknown }> {
  const client = await openSocket(gameHost.wsUrl)
  client.send({ type: 'join', kind: 'agent', ...message })
  const { resumeToken, resumed } = await client.next('welcome')
  return { client, token: String(resumeToken), resumed }
}

async function enter(name: string): Promise<{ token: string }> {
  const joined = await gameHost.dungeon.join({ name, kind: 'agent' })
  if (joined.is === 'refused') throw new Error(joined.message)
  return joined
}

/** Whether the only player stands in a sprung trap. */
function isInTrap(): boolean {
  const [realm] = gameHost.game.realms()
  const player = realm?.world.players.get(1)
  if (!realm || !player) throw new Error('nobody plays')
  return getLevel(realm.world, player.depth).tiles[player.cell] === T.knownTrap
}

const lookOf = async (client: SocketClient): Promise<string> => String((await client.next('obs'))['text'])

it('resumes where the player was, over a new socket that replaces the old one', async () => {
  const first = await join({ name: 'Ada' })
  await first.client.next('obs')
  first.client.send({ type: 'input', key: 'o' })
  const before = await lookOf(first.client)
  const second = await join({ name: 'Ada', resumeToken: first.token })
  expect(await first.client.closed).toBe(4001)
  expect(second).toMatchObject({ token: first.token, resumed: true })
  // The first line says where and when the player is; events are told only once.
  expect((await lookOf(second.client)).split('\n')[0]).toBe(before.split('\n')[0])
  await second.client.close()
})

it('keeps no name for a join that failed, because nobody was told its token', async () => {
  expect(await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'cup' })).toMatchObject({ code: 'cup_closed' })
  const allow = await refuseWrites(gameHost.db, 'insert', 'daily')
  await expect(gameHost.dungeon.join({ name: 'Bo', kind: 'agent', mode: 'daily' })).rejects.toThrow('disk full')
  await allow()
  for (const name of ['Ada', 'Bo']) {
    const joined = await gameHost.dungeon.join({ name, kind: 'agent' })
    expect(joined).toMatchObject({ is: 'seen', name, isResumed: false })
    expect(joined).not.toHaveProperty('requested')
  }
})

it('opens no session for an unknown token', async () => {
  const client = await openSocket(gameHost.wsUrl)
  client.send({ type: 'join', name: 'Ada', resumeToken: `rt_${'x'.repeat(43)}` })
  expect(await client.next('error')).toMatchObject({ code: 'wrong_token' })
  await client.close()
})

it('gives one life to two sockets that join with one token at once', async () => {
  const { client, token } = await join({ name: 'Ada' })
  await client.close()
  const both = await Promise.all([join({ name: 'Ada', resumeToken: token }), join({ name: 'Ada', resumeToken: token })])
  expect(both.map(({ resumed }) => resumed)).toEqual([true, true])
  expect(await Promise.race(both.map(({ client: { closed } }) => closed))).toBe(4001)
  expect(await gameHost.db.selectFrom('seat').selectAll().execute()).toHaveLength(1)
  for (const { client } of both) client.socket.terminate()
})

it('resumes after the host was restarted', async () => {
  const { client, token } = await join({ name: 'Ada' })
  await client.next('obs')
  for (const key of ['o', 'o', '.', 'o']) client.send({ type: 'input', key })
  let before = ''
  for (let key = 0; key < 4; key++) before = await lookOf(client)
  // A player in a sprung trap comes back beside it; this test is about all other places.
  while (isInTrap()) {
    client.send({ type: 'input', key: 'o' })
    before = await lookOf(client)
  }
  await gameHost.stop()
  gameHost = await open()
  const back = await join({ name: 'Ada', resumeToken: token })
  expect(back.resumed).toBe(true)
  expect((await lookOf(back.client)).split('\n')[0]).toBe(before.split('\n')[0])
  await back.client.close()
})

it('keeps a finished life with a log that leads to its hash, and begins the next one in another realm', async () => {
  const joined = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent' })
  if (joined.is === 'refused') throw new Error(joined.message)
  const death = await playToDeath(gameHost, joined.token)
  expect(await makeLives(gameHost.db).find(death.id)).toEqual({ death, isSettled: true })
  const file = await readReplay({ db: gameHost.db, cups: { isRevealed: async () => false }, now: Date.now }, death.id)
  if (typeof file === 'string') throw new Error(`the replay is ${file}`)
  const text = (await Array.fromAsync(file.pieces)).join('')
  const { commands } = runFileSchema.parse(JSON.parse(text))
  expect(replay(file.seed, commands, file.rules).hash).toBe(file.hash)
  expect(text).not.toContain('rt_')
  expect(await gameHost.dungeon.act(joined.token, '.')).toMatchObject({ is: 'refused', code: 'dead' })
  const again = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', token: joined.token })
  expect(again).toMatchObject({ is: 'seen', isResumed: false, name: 'Ada' })
  const sessions = await gameHost.db.selectFrom('seat').select('realm').execute()
  expect(new Set(sessions.map(({ realm }) => realm)).size).toBe(2)
})

it('does not let players join again where they died, although others play on there', async () => {
  const [ada] = [await enter('Ada'), await enter('Bo')]
  const realmsOf = async () => (await gameHost.db.selectFrom('seat').select(['realm', 'account']).execute()).map(toText)
  const toText = ({ realm, account }: { realm: string; account: string }) => `${account} in ${realm}`
  await playToDeath(gameHost, ada.token)
  expect(await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', token: ada.token })).toMatchObject({
    isResumed: false,
  })
  await expect.poll(realmsOf).toHaveLength(3)
  expect(new Set(await realmsOf()).size).toBe(3)
})

it('writes events in order that a full disk refused, once there is space again', async () => {
  const { token } = await enter('Ada')
  await expect.poll(() => gameHost.game.lag()).toBe(0)
  const allow = await refuseWrites(gameHost.db, 'insert', 'input_log', 'disk is full')
  for (const key of ['east', '.', 'west']) await gameHost.dungeon.act(token, key)
  await expect.poll(() => gameHost.noted.join()).toContain('disk is full')
  for (const key of ['south', '.', 'north']) await gameHost.dungeon.act(token, key)
  await allow()
  await expect.poll(() => gameHost.game.lag()).toBe(0)
  const [realm] = [...gameHost.game.realms()]
  if (!realm) throw new Error('nobody plays')
  const commands = await readCommands(gameHost.db, realm.id)
  expect(commands.flatMap((command) => (command.is === 'key' ? [command.key] : []))).toEqual([
    ...['east', '.', 'west', 'south', '.', 'north'],
  ])
  expect(replay(realm.seed, commands, rules).hash).toBe(hashWorld(realm.world))
})

it('removes players who have not come back since a crash from the map', async () => {
  const [, bo] = [await enter('Ada'), await enter('Bo')]
  await expect.poll(() => gameHost.game.lag()).toBe(0)
  // The first host crashes here: no player has left.
  const successor = await open()
  await successor.dungeon.join({ name: 'Bo', kind: 'agent', token: bo.token })
  await successor.dungeon.act(bo.token, '.')
  const [realm] = [...successor.game.realms()]
  if (!realm) throw new Error('nobody plays')
  await expect.poll(() => successor.game.lag()).toBe(0)
  const commands = await readCommands(successor.db, realm.id)
  const told = commands.map((command) => (command.is === 'join' ? 'join' : `${command.is} ${command.player}`))
  expect(told).toEqual(['join', 'join', 'leave 1', 'leave 2', 'return 2', 'key 2'])
  await successor.stop()
})

/** Realms without an end, which stay open while rewards are owed and make the next start pay them. */
const openRealms = () => gameHost.db.selectFrom('realm').select('mode').where('closed_at', 'is', null).execute()

it('pays rewards that the ledger could not record, once it can', async () => {
  const joined = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'daily' })
  if (joined.is === 'refused') throw new Error(joined.message)
  const allow = await refuseWrites(gameHost.ledger, 'insert', 'credit_entry', 'broken')
  const { depth } = await playToDeath(gameHost, joined.token)
  await expect.poll(() => gameHost.noted.join()).toContain('broken')
  await allow()
  const balance = () => makeCredits({ db: gameHost.ledger, now: Date.now }).balance('ada')
  await expect.poll(balance).toBe(Math.min(40, 10 + (depth * (depth + 1)) / 2 - 1))
  await expect.poll(openRealms).toEqual([])
})

it('pays rewards that the ledger could not record, after a restart', async () => {
  const [dead, alive] = [
    await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'daily' }),
    await gameHost.dungeon.join({ name: 'Bo', kind: 'agent' }),
  ]
  if (dead.is === 'refused' || alive.is === 'refused') throw new Error('nobody may play')
  const ledger = await openTestLedger(folder)
  const allow = await refuseWrites(ledger, 'insert', 'credit_entry', 'broken')
  const { depth } = await playToDeath(gameHost, dead.token)
  const { realm, player } = gameHost.game.findByName('bo') ?? {}
  const body = realm?.world.players.get(player ?? 0)
  if (!body) throw new Error('Bo does not play')
  body.deepest = 2
  await gameHost.dungeon.act(alive.token, '.')
  await expect.poll(() => gameHost.noted.filter((text) => text.includes('broken')).length).toBe(1 + depth)
  await gameHost.stop()
  await allow()
  await ledger.destroy()
  gameHost = await open()
  const balance = (key: string) => makeCredits({ db: gameHost.ledger, now: Date.now }).balance(key)
  expect(await balance('ada')).toBe(Math.min(40, 10 + (depth * (depth + 1)) / 2 - 1))
  expect(await balance('bo')).toBe(2)
  await expect.poll(openRealms).toEqual([{ mode: 'open' }])
})

it('pays each new depth once, however often the host recovers', async () => {
  const joined = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent' })
  if (joined.is === 'refused') throw new Error(joined.message)
  const { depth } = await playToDeath(gameHost, joined.token)
  const earned = Math.min(40, (depth * (depth + 1)) / 2 - 1)
  const balance = () => makeCredits({ db: gameHost.ledger, now: Date.now }).balance('ada')
  expect(await balance()).toBe(earned)
  // As if the host had died before it recorded the end.
  await gameHost.db.updateTable('realm').set({ frozen_at: null, closed_at: null }).execute()
  await gameHost.db.updateTable('seat').set({ paid_depth: 1 }).execute()
  await gameHost.stop()
  gameHost = await open()
  expect(await balance()).toBe(earned)
})

/** Ends a life at its next key, as its time limit would. */
async function endRun(token: string) {
  const found = await gameHost.game.findSession(token)
  if (found.is !== 'found') throw new Error(found.is)
  found.session.limits = { keys: 0, at: 0 }
  await gameHost.dungeon.act(token, '.')
  return found.session.death
}

it('lets nobody play on whose death could not be recorded, and records everything once it can', async () => {
  const [open, daily] = [
    await gameHost.dungeon.join({ name: 'Ada', kind: 'agent' }),
    await gameHost.dungeon.join({ name: 'Bo', kind: 'agent', mode: 'daily' }),
  ]
  if (open.is === 'refused' || daily.is === 'refused') throw new Error('nobody may play')
  const allow = await refuseWrites(gameHost.db, 'insert', 'life')
  const deaths = [await endRun(open.token), await endRun(daily.token)]
  const again = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', token: open.token })
  expect(again).toMatchObject({ is: 'seen', isResumed: false, observation: { turn: 0 } })
  expect(await gameHost.dungeon.join({ name: 'Bo', kind: 'agent', token: daily.token, mode: 'daily' })).toMatchObject({
    is: 'refused',
    code: 'no_entry',
  })
  await gameHost.dungeon.act(open.token, '.')
  await allow()
  await expect.poll(() => gameHost.game.lag()).toBe(0)
  await expect.poll(openRealms).toEqual([{ mode: 'open' }])
  expect([...gameHost.game.realms()]).toHaveLength(1)
  const lives = await gameHost.db
    .selectFrom('life')
    .innerJoin('realm', 'realm.id', 'life.realm')
    .select(['life.id', 'life.realm', 'life.hash', 'life.commands', 'realm.seed'])
    .orderBy('life.at')
    .execute()
  expect(lives.map(({ id }) => id)).toEqual(deaths.map((death) => death?.id))
  for (const { realm, hash, commands, seed } of lives)
    expect(replay(seed, await readCommands(gameHost.db, realm, commands), rules).hash).toBe(hash)
})

it('keeps the death frame that was bought when a death could only be recorded later', async () => {
  const { token } = await enter('Ada')
  const frame = { player_key: 'ada', entitlement: 'frame_gold', scope: '', source: 'purchase', granted_at: 1 } as const
  await gameHost.ledger.insertInto('entitlement').values(frame).execute()
  const allow = await refuseWrites(gameHost.db, 'insert', 'life')
  expect(await endRun(token)).toMatchObject({ frame: 'frame_gold' })
  await allow()
  const frames = async () => (await makeLives(gameHost.db).recent(1)).map((death) => death.frame)
  await expect.poll(frames).toEqual(['frame_gold'])
})

/** What the public record of a life holds, and whether its replay is available. */
async function kept(id: string) {
  const found = await makeLives(gameHost.db).find(id)
  const replay = await readReplay({ db: gameHost.db, cups: { isRevealed: async () => false }, now: Date.now }, id)
  return {
    ...{ frame: found?.death.frame, credits: found?.death.credits, isSettled: found?.isSettled },
    replay: typeof replay === 'string' ? replay : replay.isSettled,
  }
}

it('makes no life cacheable or replayable before its frame and its earnings are recorded', async () => {
  const [ada, bo] = [await enter('Ada'), await enter('Bo')]
  const frame = { player_key: 'ada', entitlement: 'frame_gold', scope: '', source: 'purchase', granted_at: 1 } as const
  await gameHost.ledger.insertInto('entitlement').values(frame).execute()
  await gameHost.ledger.schema.alterTable('entitlement').renameTo('elsewhere').execute()
  const death = await endRun(ada.token)
  await endRun(bo.token)
  expect(await kept(death?.id ?? '')).toMatchObject({ frame: 'plain', isSettled: false, replay: 'secret' })
  await gameHost.ledger.schema.alterTable('elsewhere').renameTo('entitlement').execute()
  await expect
    .poll(() => kept(death?.id ?? ''))
    .toEqual({ frame: 'frame_gold', credits: 0, isSettled: true, replay: true })
})

it('records the frame and the earnings of a player who died just as the host stopped', async () => {
  const { token } = await enter('Ada')
  const frame = { player_key: 'ada', entitlement: 'frame_gold', scope: '', source: 'purchase', granted_at: 1 } as const
  await gameHost.ledger.insertInto('entitlement').values(frame).execute()
  await gameHost.ledger.schema.alterTable('entitlement').renameTo('elsewhere').execute()
  const death = await endRun(token)
  await gameHost.stop()
  const ledger = await openTestLedger(folder)
  await ledger.schema.alterTable('elsewhere').renameTo('entitlement').execute()
  await ledger.destroy()
  gameHost = await open()
  expect(await kept(death?.id ?? '')).toMatchObject({ frame: 'frame_gold', isSettled: true })
  await expect.poll(openRealms).toEqual([])
})

it('adds rewards to the record of a life that could only be paid after its end', async () => {
  const joined = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent' })
  if (joined.is === 'refused') throw new Error(joined.message)
  const body = gameHost.game.findByName('ada')?.realm.world.players.get(1)
  if (!body) throw new Error('Ada does not play')
  const allow = await refuseWrites(gameHost.ledger, 'insert', 'credit_entry', 'broken')
  body.deepest = 2
  await gameHost.dungeon.act(joined.token, '.')
  const death = await endRun(joined.token)
  expect(await kept(death?.id ?? '')).toMatchObject({ credits: 0, isSettled: false, replay: 'secret' })
  await allow()
  await expect.poll(() => kept(death?.id ?? '')).toMatchObject({ credits: 2, isSettled: true, replay: true })
})

it('records what a life earned though record and earnings could only be written later', async () => {
  const joined = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'daily' })
  if (joined.is === 'refused') throw new Error(joined.message)
  const allow = await refuseWrites(gameHost.db, 'insert', 'life')
  const death = await endRun(joined.token)
  await allow()
  await expect.poll(() => kept(death?.id ?? '')).toMatchObject({ credits: 10, isSettled: true })
  await expect.poll(openRealms).toEqual([])
})

it('does not reveal a seed while somebody lives in its realm', async () => {
  const [one, other] = [
    await gameHost.dungeon.join({ name: 'Ada', kind: 'agent' }),
    await gameHost.dungeon.join({ name: 'Bo', kind: 'agent' }),
  ]
  if (one.is === 'refused' || other.is === 'refused') throw new Error('nobody may play')
  const death = await playToDeath(gameHost, one.token)
  const about = { db: gameHost.db, cups: { isRevealed: async () => false }, now: Date.now }
  expect(await readReplay(about, death.id)).toBe('secret')
  await playToDeath(gameHost, other.token)
  expect(await readReplay(about, death.id)).toMatchObject({ seed: expect.any(String) })
})

it('does not reveal the seed of a daily dungeon while somebody plays on in it, even on later days', async () => {
  const daily = (name: string) => gameHost.dungeon.join({ name, kind: 'agent', mode: 'daily' })
  const [one, other] = [await daily('Ada'), await daily('Bo')]
  if (one.is === 'refused' || other.is === 'refused') throw new Error('nobody may play')
  const death = await endRun(one.token)
  const tomorrow = () => Date.now() + 24 * 3_600_000
  const read = () =>
    readReplay({ db: gameHost.db, cups: { isRevealed: async () => false }, now: tomorrow }, death?.id ?? '')
  expect(await read()).toBe('secret')
  expect(await gameHost.dungeon.act(other.token, 'o')).toMatchObject({ is: 'seen' })
  await endRun(other.token)
  expect(await read()).toMatchObject({ seed: expect.any(String) })
})

it('gives everybody one life in the daily dungeon, which is the same for all', async () => {
  const daily = (name: string) => gameHost.dungeon.join({ name, kind: 'agent', mode: 'daily' })
  const [one, other] = [await daily('Ada'), await daily('Bo')]
  if (one.is === 'refused' || other.is === 'refused') throw new Error('nobody may play')
  expect(one.observation.view).toEqual(other.observation.view)
  await playToDeath(gameHost, one.token)
  const again = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', token: one.token, mode: 'daily' })
  expect(again).toMatchObject({ is: 'refused', code: 'no_entry' })
  expect(await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', token: one.token })).toMatchObject({ is: 'seen' })
})

it('counts every key of a run with a limit, including those that arrive while its world is loaded', async () => {
  const limits = { keys: 100, at: Number.POSITIVE_INFINITY }
  const cups: CupAccess = {
    enter: async () => ({ is: 'entered', venue: { mode: 'cup', event: 'cup-9', seed: 'ab'.repeat(32) }, limits }),
    isRevealed: async () => false,
  }
  const openWithCup = async () => {
    await gameHost.stop()
    gameHost = await startGameHost({ folder, inputLimits: fast, cups })
  }
  await openWithCup()
  const joined = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'cup' })
  if (joined.is === 'refused') throw new Error(joined.message)
  for (let press = 0; press < 5; press++) await gameHost.dungeon.act(joined.token, '.')
  await openWithCup()
  await Promise.all(Array.from({ length: 30 }, () => gameHost.dungeon.act(joined.token, '.')))
  expect(await gameHost.game.findSession(joined.token)).toMatchObject({ session: { keys: 35 } })
})

it('replays from a snapshot and the log behind it to the very same world', async () => {
  const joined = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent' })
  if (joined.is === 'refused') throw new Error(joined.message)
  // Longer than the interval of snapshots, with time stopped so that no monster comes.
  for (let press = 0; press < 700; press++)
    await gameHost.dungeon.act(joined.token, press < 20 ? (press % 2 === 0 ? 'east' : 'west') : '<')
  await expect.poll(() => gameHost.game.lag()).toBe(0)
  // The host crashes here: its memory is never saved.
  const successor = await open()
  const [recovered] = [...successor.game.realms()]
  if (!recovered) throw new Error('nothing was recovered')
  expect(recovered.snapshotCommands).toBeGreaterThan(0)
  await expect.poll(() => successor.game.lag()).toBe(0)
  const commands = await readCommands(successor.db, recovered.id)
  expect(commands).toHaveLength(recovered.commands)
  expect(replay(recovered.seed, commands, rules).hash).toBe(hashWorld(recovered.world))
  await successor.stop()
})
