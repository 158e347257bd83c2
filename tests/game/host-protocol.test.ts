import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeCodes } from '../../game-server/sockets/socket-writer.ts'
import { gameOrigin, type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { sendRaw } from '../support/raw-http.ts'
import { openSocket, type SocketClient } from '../support/socket-client.ts'

let gameHost: RunningGameHost
const open = (): Promise<SocketClient> => openSocket(gameHost.wsUrl)

/** A socket that plays. */
async function join(message: object): Promise<SocketClient> {
  const client = await open()
  client.send({ type: 'join', ...message })
  await client.next('welcome')
  return client
}

beforeAll(async () => {
  gameHost = await startGameHost()
})
afterAll(() => gameHost.stop())

describe('a client that knows two message types', () => {
  it('can play with them alone', async () => {
    const client = await open()
    client.send({ type: 'join', name: 'Plain', kind: 'agent' })
    expect(await client.next('welcome')).toMatchObject({
      v: 1,
      you: { name: 'Plain', kind: 'agent' },
      resumed: false,
      obs: 'text',
      resumeToken: expect.stringMatching(/^rt_[\w-]{43}$/),
    })
    expect((await client.next('obs'))['text']).toMatch(/^DEPTH 1 {2}TURN 0/)
    client.send({ type: 'input', key: '.' })
    const waited = await client.next('obs')
    expect(waited).toMatchObject({ ack: 1 })
    expect(waited['text']).toMatch(/^DEPTH 1 {2}TURN 1/)
    await client.close()
  })

  it('may send both at once', async () => {
    const client = await open()
    client.send({ type: 'join', name: 'Hasty', kind: 'agent' })
    client.send({ type: 'input', key: '.' })
    await client.next('welcome')
    expect(await client.next('obs')).toMatchObject({ ack: 0 })
    expect(await client.next('obs')).toMatchObject({ ack: 1 })
    await client.close()
  })
})

describe('joining', () => {
  it('sends changes to people, and text or fields to agents when they act', async () => {
    const human = await join({ name: 'Eyes', kind: 'human' })
    expect(await human.next('snapshot')).toMatchObject({ depth: 1 })
    human.send({ type: 'input', key: '.', n: 7 })
    expect(await human.next('delta')).toMatchObject({ ack: 7 })
    const agent = await join({ name: 'Fields', kind: 'agent', obs: 'json' })
    const seen = await agent.next('obs')
    expect(seen).toMatchObject({ depth: 1, turn: 0 })
    expect(seen['keys']).toContainEqual(expect.objectContaining({ key: expect.any(String), does: expect.any(String) }))
    await Promise.all([human.close(), agent.close()])
  })

  it('gives a variant of a name that is taken, and says so', async () => {
    const first = await join({ name: 'Twin' })
    const second = await open()
    second.send({ type: 'join', name: 'Twin' })
    expect(await second.next('welcome')).toMatchObject({
      you: { name: 'Twin-2' },
      requested: 'Twin',
      note: 'name_taken',
    })
    await Promise.all([first.close(), second.close()])
  })

  it.each(['', 'two words', 'a'.repeat(25), '<b>', 'operator'])('refuses the name %j', async (name) => {
    const client = await open()
    client.send({ type: 'join', name })
    expect(await client.next('error')).toMatchObject({ code: 'bad_name' })
    await client.close()
  })

  it('puts players who join about the same time into one realm, where they see each other', async () => {
    const [one, other] = [await join({ name: 'Near', kind: 'agent' }), await join({ name: 'By', kind: 'agent' })]
    one.send({ type: 'input', key: 'look' })
    await one.next('obs')
    expect((await one.next('obs'))['text']).toContain('By')
    await Promise.all([one.close(), other.close()])
  })
})

describe('messages to the host', () => {
  it('are answered with the valid keys when a key does not exist, at no cost', async () => {
    const client = await join({ name: 'Typo', kind: 'agent' })
    client.send({ type: 'input', key: 'xyzzy', n: 8 })
    expect(await client.next('error')).toMatchObject({ code: 'bad_key', n: 8, keys: expect.arrayContaining(['.']) })
    await client.close()
  })

  it.each([
    ['{', 'bad_json'],
    ['[1]', 'bad_json'],
    ['null', 'bad_json'],
    ['{"type":"dance"}', 'bad_type'],
    ['{"key":"."}', 'bad_type'],
    ['{"type":"join"}', 'bad_name'],
    ['{"type":"input"}', 'bad_key'],
    ['{"type":"input","key":"."}', 'not_joined'],
    ['{"type":"say","text":"hi"}', 'not_joined'],
    ['{"type":"watch","player":"Nobody"}', 'no_such_player'],
  ])('are answered: %s with %s', async (text, code) => {
    const client = await open()
    client.socket.send(text)
    expect(await client.next('error')).toMatchObject({ code })
    await client.close()
  })

  it.each([
    ['kind', 'bot', 'bad_join'],
    ['kind', 'Agent', 'bad_join'],
    ['mode', 'cups', 'bad_join'],
    ['obs', 'html', 'bad_join'],
    ['watchable', 'false', 'bad_join'],
    ['resumeToken', 7, 'wrong_token'],
    ['resumeToken', 'x'.repeat(129), 'wrong_token'],
    ['name', 7, 'bad_name'],
  ])('do not join with %s set to %j, and the answer says so', async (field, value, code) => {
    const client = await open()
    client.send({ type: 'join', name: 'Odd', kind: 'agent', [field]: value })
    expect(await client.next('error')).toMatchObject({ code, message: expect.stringContaining(field) })
    expect(gameHost.game.findByName('odd')).toBe(undefined)
    await client.close()
  })

  it('may contain null for an absent field', async () => {
    const nothing = { kind: null, mode: null, obs: null, watchable: null, resumeToken: null }
    const client = await join({ name: 'Null', ...nothing })
    await client.next('snapshot')
    client.send({ type: 'input', key: '.', n: null, if: null })
    expect(await client.next('delta')).toMatchObject({ ack: 1 })
    await client.close()
  })

  it('press no key with a malformed condition or number', async () => {
    const client = await join({ name: 'Careful', kind: 'agent' })
    await client.next('obs')
    for (const odd of [{ if: '3' }, { if: -1 }, { n: 'one' }]) {
      client.send({ type: 'input', key: '.', ...odd })
      expect(await client.next('error')).toMatchObject({ code: 'bad_key' })
    }
    client.send({ type: 'input', key: 'look' })
    expect((await client.next('obs'))['text']).toContain('TURN 0')
    await client.close()
  })

  it('may have unknown fields, which are ignored', async () => {
    const client = await join({ name: 'Future', kind: 'agent', hat: 'tall' })
    client.send({ type: 'input', key: '.', mood: 'fine' })
    expect(await client.next('obs')).toMatchObject({ ack: 0 })
    expect(await client.next('obs')).toMatchObject({ ack: 1 })
    await client.close()
  })

  it('press no key that was meant for an older view', async () => {
    const client = await join({ name: 'Stale', kind: 'agent' })
    const { seq } = await client.next('obs')
    client.send({ type: 'input', key: '.', if: seq })
    const next = await client.next('obs')
    expect(next['text']).toContain('TURN 1')
    client.send({ type: 'input', key: '.', if: seq })
    expect(await client.next('error')).toMatchObject({ code: 'stale' })
    expect((await client.next('obs'))['text']).toContain('TURN 1')
    client.send({ type: 'input', key: '.', if: 3 })
    expect((await client.next('obs'))['text']).toContain('TURN 2')
    await client.close()
  })

  it('must be text: a binary frame is refused', async () => {
    const client = await open()
    client.socket.send(Buffer.from(JSON.stringify({ type: 'ping' })))
    expect(await client.next('error', 'pong')).toMatchObject({ code: 'bad_json' })
    await client.close()
  })

  it('may be a ping or a goodbye, and a second join is refused', async () => {
    const client = await join({ name: 'Polite' })
    client.send({ type: 'ping' })
    await client.next('pong')
    client.send({ type: 'join', name: 'Other' })
    expect(await client.next('error')).toMatchObject({ code: 'already_joined' })
    client.send({ type: 'leave' })
    expect(await client.closed).toBe(1000)
  })

  it('are answered with a hint after 25 keys that took no time', async () => {
    const client = await join({ name: 'Lost', kind: 'agent', obs: 'json' })
    await client.next('obs')
    // Nobody leaves the dungeon without the Amulet; the first press may walk to the door.
    for (let press = 1; press <= 30; press++) client.send({ type: 'input', key: '<', n: press })
    const told: unknown[] = []
    for (let press = 1; press <= 30; press++) told.push((await client.next('obs'))['messages'])
    expect(JSON.stringify(told.slice(24))).toContain('no time has passed')
    expect(JSON.stringify(told.slice(0, 24))).not.toContain('no time has passed')
    await client.close()
  })
})

it('shows the whole level to a client that looks, whatever number its key has', async () => {
  const client = await join({ name: 'Zero', kind: 'agent' })
  await client.next('obs')
  const { realm, player } = gameHost.game.findByName('zero') ?? {}
  const body = realm?.world.players.get(player ?? 0)
  if (!body) throw new Error('nobody plays')
  body.known.get(1)?.fill(0xffffffff)
  const rowsOf = async (n: number) => {
    client.send({ type: 'input', key: 'look', n })
    return String((await client.next('obs'))['text']).split('\n').length
  }
  const rows = await rowsOf(7)
  expect(rows).toBeGreaterThan(40)
  expect(await rowsOf(0)).toBe(rows)
  await client.close()
})

describe('chat', () => {
  it('reaches people in the realm, marked as a stranger’s words, and no model', async () => {
    const [ada, bo, model] = [
      await join({ name: 'Ada' }),
      await join({ name: 'Bo' }),
      await join({ name: 'Model', kind: 'agent', obs: 'delta' }),
    ]
    ada.send({ type: 'say', text: 'behind you!' })
    expect(await bo.next('say')).toEqual({ type: 'say', by: 'Ada', text: '⟦behind you!⟧', untrusted: true })
    ada.send({ type: 'say', text: 'again' })
    expect(await ada.next('error')).toMatchObject({ code: 'rate_limited' })
    model.send({ type: 'ping' })
    await model.next('pong')
    expect(model.frames.map(({ type }) => type)).not.toContain('say')
    expect(model.frames.map(({ type }) => type)).not.toContain('players')
    await gameHost.moderation.keep('mute', 'bo', 60_000)
    bo.send({ type: 'say', text: 'hm' })
    const muted = await bo.next('error')
    expect(muted).toMatchObject({ code: 'muted' })
    expect(Number(muted['retryAfterMs'])).toBeGreaterThan(50_000)
    await Promise.all([ada.close(), bo.close(), model.close()])
  })

  it.each([
    'don’t – “wait”…',
    'voilà 5 €',
    'सावधान, पीछे!',
    'ระวังข้างหลัง',
    'Cẩn thận đằng sau'.normalize('NFD'),
    'well done 👍',
    '❤\ufe0f',
    'ᄒᆞᆫ글 한글',
    'می\u200cآید، مراقب باش',
    'क्\u200dष',
    'well done \u{1f469}\u{1f3fd}\u200d\u{1f4bb} \u{1f3f3}\ufe0f\u200d\u{1f308}',
    // Harmless words that contain offensive ones.
    'spicy grapes, said the raccoon',
    'a skyscraper of skill, killing time',
    // The longest remark that is allowed.
    'x'.repeat(120),
  ])('may be %j, as keyboards and phones write it', async (text) => {
    const client = await join({ name: 'Tongue' })
    client.send({ type: 'say', text })
    expect(await client.next('say')).toMatchObject({ text: `⟦${text.normalize('NFC')}⟧` })
    await client.close()
  })

  it('has joiners removed where they join nothing, as keyboards leave them at the end of a word', async () => {
    const client = await join({ name: 'Joiner' })
    client.send({ type: 'say', text: 'می\u200c رود\u200c' })
    expect(await client.next('say')).toMatchObject({ text: '⟦می رود⟧' })
    await client.close()
  })

  it.each([
    '',
    'x'.repeat(121),
    'a\u0000b',
    'see http://evil.example',
    '\u202Eabc',
    'a\u200Bb',
    'he said ⟧ and more',
    `a${'\u0301'.repeat(9)}`,
    '\u3164',
    'a\u3164b',
    '\u2800 \u2800',
    '\u115f\u1160',
    '\uffa0',
    '\ufe0f\ufe0f',
    '\u0301',
    'k1ll y0urs3lf',
    'k i l l  y o u r s e l f',
    'KYS!',
    'K\u200cY\u200dS',
    '\u200d',
    'come to example.com',
  ])('cannot be %j', async (text) => {
    const client = await join({ name: 'Mouth' })
    client.send({ type: 'say', text })
    expect(await client.next('error')).toMatchObject({ code: 'bad_text' })
    await client.close()
  })
})

describe('a web page', () => {
  it.each([
    [gameOrigin, 'open'],
    [undefined, 'open'],
    ['https://evil.example', 'refused'],
    ['null', 'refused'],
  ])('of origin %s is %s', async (origin, is) => {
    const opened = openSocket(gameHost.wsUrl, { headers: origin === undefined ? {} : { origin } }).then(
      async (client) => {
        await client.close()
        return 'open'
      },
      () => 'refused',
    )
    expect(await opened).toBe(is)
  })

  it('of this very host may open a socket, under whatever name it was opened', async () => {
    const { host } = new URL(gameHost.wsUrl)
    expect(host).not.toBe(new URL(gameOrigin).host)
    await (await openSocket(gameHost.wsUrl, { headers: { origin: `http://${host}` } })).close()
  })

  it('may use a request target in absolute form, whose host then replaces Host (RFC 6455, 4.2.1; RFC 9112, 3.2.2)', async () => {
    const { host, port, pathname } = new URL(gameHost.wsUrl)
    const statusOf = async (target: string, ...lines: string[]) => {
      const head = [
        `GET ${target} HTTP/1.1`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        ...lines,
      ]
      return (await sendRaw(Number(port), `${head.join('\r\n')}\r\n\r\n`)).status
    }
    const away = 'http://elsewhere.example'
    expect(await statusOf(`http://${host}${pathname}`, `Host: ${host}`)).toBe(101)
    expect(await statusOf(`http://${host}/elsewhere`, `Host: ${host}`)).toBe(404)
    expect(await statusOf(`http://${host}${pathname}`, 'Host: elsewhere.example', `Origin: ${away}`)).toBe(403)
    expect(await statusOf(pathname)).toBe(400)
    expect(await statusOf(pathname, `Host: ${host}`, `Host: ${host}`)).toBe(400)
  })
})

describe('excess', () => {
  it('of keys is refused with a time to wait, and nothing is lost', async () => {
    const client = await join({ name: 'Fast', kind: 'agent' })
    // This key takes no game time, so that no random monster kills the player before the limit.
    for (let press = 1; press <= 400; press++) client.send({ type: 'input', key: '<', n: press })
    const refused = await client.next('error')
    expect(refused).toMatchObject({ code: 'rate_limited', retryAfterMs: expect.any(Number), n: expect.any(Number) })
    // The first press may walk to the door, which costs five.
    expect(Number(refused['n'])).toBeGreaterThan(30)
    await client.close()
  })

  it('of looks is refused with the number of the look, so that a client that awaits its answer gets one', async () => {
    const client = await join({ name: 'Curious', kind: 'agent' })
    for (let look = 1; look <= 30; look++) client.send({ type: 'input', key: 'look', n: look })
    expect(await client.next('error')).toMatchObject({ code: 'rate_limited', n: expect.any(Number) })
    await client.close()
  })

  it('of keys for an older view is refused like any other, and closes the socket of a client that goes on', async () => {
    const client = await join({ name: 'Late', kind: 'agent' })
    for (let press = 1; press <= 400; press++) client.send({ type: 'input', key: '.', if: 0, n: press })
    expect(await client.next('error')).toMatchObject({ code: 'stale', n: 1 })
    await expect.poll(async () => (await client.next('error'))['code']).toBe('rate_limited')
    expect(await client.closed).toBe(4002)
  })

  it('of errors closes the socket', async () => {
    const client = await open()
    for (let time = 0; time <= 10; time++) client.socket.send('nonsense')
    expect(await client.closed).toBe(4002)
  })

  it('is a frame above 1,024 bytes', async () => {
    const client = await open()
    client.socket.send(JSON.stringify({ type: 'ping', pad: 'x'.repeat(1100) }))
    expect(await client.closed).toBe(1009)
  })
})

it('tells nearby players of a newcomer, and presses no key that was meant for the view before', async () => {
  const house = await startGameHost()
  const sit = async (message: object) => {
    const client = await openSocket(house.wsUrl)
    client.send({ type: 'join', ...message })
    await client.next('welcome')
    return client
  }
  const agent = await sit({ name: 'Reader', kind: 'agent' })
  const { seq } = await agent.next('obs')
  const person = await sit({ name: 'Onlooker' })
  const { seq: shown } = await person.next('snapshot')
  await sit({ name: 'Comer', kind: 'agent' })
  person.send({ type: 'input', key: '.', if: shown, n: 5 })
  expect(await person.next('error')).toMatchObject({ code: 'stale', n: 5 })
  expect(JSON.stringify(person.frames)).toContain('⟦Comer⟧ enters the Undercroft.')
  agent.send({ type: 'input', key: '.', if: seq })
  expect(await agent.next('error', 'obs')).toMatchObject({ code: 'stale' })
  const answer = await agent.next('obs')
  expect(answer['text']).toMatch(/TURN 0[\s\S]*⟦Comer⟧ enters the Undercroft\./)
  agent.send({ type: 'input', key: '.', if: answer['seq'] })
  const next = (await agent.next('obs', 'error'))['text']
  expect(next).toContain('TURN 1')
  expect(next).not.toContain('enters the Undercroft')
  await house.stop()
})

it('tells everybody when it stops and when to come back', async () => {
  const other = await startGameHost()
  const client = await openSocket(other.wsUrl)
  client.send({ type: 'join', name: 'Last' })
  await client.next('welcome')
  const stopped = other.stop()
  expect(await client.next('bye')).toEqual({ type: 'bye', reason: 'restart', retryMs: 3000 })
  expect(await client.closed).toBe(1012)
  await stopped
})

it('uses only close codes that its description lists', () => {
  const described = readFileSync(fileURLToPath(new URL('../../docs/undercroft-protocol.md', import.meta.url)), 'utf8')
  for (const { code } of Object.values(closeCodes)) expect(described).toMatch(new RegExp(`^\\| ${code} +\\|`, 'm'))
})
