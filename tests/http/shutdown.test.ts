import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'

const at = (path: string): string => JSON.stringify(new URL(`../../src/http/${path}`, import.meta.url).href)
const largeBytes = 64 * 1024 * 1024
/** A program with slow routes and one with a large response. It prints its port, and what it does while it stops. */
const program = (limits: object, settle: string) => `
import { makeGuardedServer } from ${at('guarded-server.ts')}
import { makeSecurityHeaders } from ${at('security-headers.ts')}
import { makeSendProblem } from ${at('send-problem.ts')}
import { stopOnSignal } from ${at('shutdown.ts')}
import { usualTimeouts } from ${at('watch-connections.ts')}
const baseUrl = 'http://farthing.test'
const security = makeSecurityHeaders(baseUrl)
const server = makeGuardedServer({
  security,
  sendProblem: makeSendProblem({ baseUrl, security }),
  timeouts: { ...usualTimeouts, checkEveryMs: 50 },
  route(req, res) {
    console.log('asked ' + req.url)
    const busyUntil = performance.now() + Number(req.headers.busy ?? 0)
    while (performance.now() < busyUntil);
    const answer = () => setTimeout(() => res.end('done'), Number(req.url.slice(1)))
    if (req.url === '/large') res.end(Buffer.alloc(${largeBytes}))
    else if (req.method === 'GET') answer()
    else req.on('error', () => {}).on('end', answer).resume()
  },
})
server.on('upgrade', (req, socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n')
  setTimeout(() => socket.end('goodbye'), 1200)
})
const begin = () => console.log('stopping')
const settle = async () => { ${settle} }
const late = () => console.log('late')
stopOnSignal({ servers: [server], ...${JSON.stringify(limits)}, begin, late, settle })
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`
let child: ChildProcess
let output: string
async function start(limits: object = {}, settle = "console.log('settled')"): Promise<number> {
  child = spawn(process.execPath, ['--input-type=module', '-e', program(limits, settle)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  await said('\n')
  return Number(output.split('\n')[0])
}
async function said(words: string): Promise<void> {
  while (!output.includes(words)) await setTimeout(10)
}
const ended = async () => (child.exitCode === null ? (await once(child, 'exit'))[0] : child.exitCode)
afterEach(() => void child.kill('SIGKILL'))

const agent = new Agent({ keepAlive: true })
const ask = (port: number, ms: number, headers: Record<string, string> = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: `/${ms}`, agent, headers }, (res) => {
      let body = ''
      res.on('data', (chunk) => {
        body += chunk
      })
      res.on('end', () => resolve(body))
      res.on('error', reject)
    }).on('error', reject)
  })

it('finishes requests in flight, accepts nothing new, and exits with 0', async () => {
  const port = await start()
  expect(await ask(port, 0)).toBe('done')
  const slow = ask(port, 400)
  await said('asked /400')
  child.kill('SIGTERM')
  await said('stopping')
  await expect.poll(() => ask(port, 0).catch(() => 'refused'), { interval: 5 }).toBe('refused')
  expect(await slow).toBe('done')
  expect(await ended()).toBe(0)
  expect(output).toContain('settled')
})

it('responds to all clients whose connections the system had accepted before the signal', async () => {
  const port = await start()
  const busy = ask(port, 0, { busy: '600' })
  await said('asked /0')
  const crowd = Promise.all(Array.from({ length: 40 }, () => ask(port, 50)))
  await setTimeout(200)
  child.kill('SIGTERM')
  expect(await busy).toBe('done')
  expect(await crowd).toEqual(Array.from({ length: 40 }, () => 'done'))
  expect(await ended()).toBe(0)
})

/** A client that sends these bytes; `over` resolves with what came back when the connection is closed. */
async function visit(port: number, words = '') {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  const over = once(socket, 'close').then(() => answer)
  await once(socket, 'connect')
  socket.write(words)
  return { socket, over, answer: () => answer }
}
const head = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const halfBody = 'POST /0 HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf'
/** Limits of which none is reached. */
const never = { answerMs: 60_000, wholeMs: 30_000 }

it('does not wait for clients that send nothing or half a request, and responds to clients that wait', async () => {
  const port = await start({ ...never, headersMs: 200, requestMs: 400 })
  const silent = await visit(port)
  const again = await visit(port, head('/0'))
  await expect.poll(again.answer).toContain('done')
  again.socket.write('GET /0 HTT')
  const halves = [again, await visit(port, 'GET /0 HTT'), await visit(port, halfBody)]
  await said('asked /0\nasked /0')
  const slow = ask(port, 2000)
  await said('asked /2000')
  child.kill('SIGTERM')
  for (const { over } of [silent, ...halves]) expect(await over).toMatch(/HTTP\/1\.1 408 /)
  expect(child.exitCode).toBe(null)
  expect(await slow).toBe('done')
  expect(await ended()).toBe(0)
  expect(output).toContain('settled')
})

it('responds to clients that connected before the signal and send a request, or its rest, a moment after it', async () => {
  const port = await start(never)
  const clients = await Promise.all([visit(port), visit(port, 'GET /0 HTT'), visit(port, halfBody)])
  await said('asked /0')
  child.kill('SIGTERM')
  await said('stopping')
  await setTimeout(200)
  for (const [at, rest] of [head('/0'), 'P/1.1\r\nHost: a\r\n\r\n', ' full'].entries()) clients[at]?.socket.write(rest)
  for (const { over } of clients) expect(await over).toMatch(/^HTTP\/1\.1 200 [\s\S]*done$/)
  expect(await ended()).toBe(0)
})

it('responds to a request whose first bytes came while the one before was responded to', async () => {
  const port = await start(never)
  const { socket, over, answer } = await visit(port, head('/400'))
  await said('asked /400')
  socket.write('GET /0 HTT')
  await expect.poll(answer).toContain('done')
  child.kill('SIGTERM')
  await said('stopping')
  await setTimeout(200)
  socket.write('P/1.1\r\nHost: a\r\n\r\n')
  expect((await over).match(/done/g)).toHaveLength(2)
  expect(await ended()).toBe(0)
})

it('sends all of a finished response to a client that takes it slowly', async () => {
  const port = await start(never)
  const { socket, over } = await visit(port)
  socket.once('data', () => void socket.pause())
  socket.write(head('/large'))
  await said('asked /large')
  const idle = await visit(port, head('/0'))
  await said('asked /0')
  child.kill('SIGTERM')
  await idle.over
  socket.resume()
  expect((await over).length).toBeGreaterThan(largeBytes)
  expect(await ended()).toBe(0)
})

it('does not close an upgraded connection, also after a response on it', async () => {
  const port = await start({ ...never, headersMs: 100, requestMs: 200 })
  const { socket, over, answer } = await visit(port, head('/0'))
  await expect.poll(answer).toContain('done')
  socket.write(head('/', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'))
  await expect.poll(answer).toContain('101 Switching')
  child.kill('SIGTERM')
  expect(await over).toMatch(/goodbye$/)
  expect(await ended()).toBe(0)
})

it('takes the same signal twice within milliseconds as one', async () => {
  const port = await start()
  const slow = ask(port, 400)
  await said('asked /400')
  child.kill('SIGINT')
  await setTimeout(20)
  child.kill('SIGINT')
  child.kill('SIGTERM')
  expect(await slow).toBe('done')
  expect(await ended()).toBe(0)
})

it('takes SIGTERM as the same request to stop, however often it comes', async () => {
  const port = await start()
  const slow = ask(port, 2000)
  await said('asked /2000')
  child.kill('SIGTERM')
  await said('stopping')
  for (let time = 0; time < 3; time++) {
    await setTimeout(600)
    child.kill(time === 1 ? 'SIGHUP' : 'SIGTERM')
  }
  expect(await slow).toBe('done')
  expect(await ended()).toBe(0)
  expect(output).toContain('settled')
})

it('exits at once on Ctrl-C a second after the first signal', async () => {
  const port = await start()
  const slow = ask(port, 60_000).catch(() => 'cut')
  await said('asked /60000')
  child.kill('SIGTERM')
  await said('stopping')
  await setTimeout(1100)
  child.kill('SIGINT')
  expect(await slow).toBe('cut')
  expect(await ended()).toBe(1)
  expect(output).not.toContain('settled')
})

it('cuts off work that outlasts its time, and still settles', async () => {
  const port = await start({ answerMs: 200 })
  const slow = ask(port, 60_000).catch(() => 'cut')
  await said('asked /60000')
  child.kill('SIGTERM')
  expect(await slow).toBe('cut')
  expect(await ended()).toBe(0)
  expect(output).toContain('settled')
})

it('ends in time although something never finishes', async () => {
  const port = await start({ answerMs: 200, wholeMs: 600 }, 'await new Promise(() => setInterval(() => {}, 1000))')
  const slow = ask(port, 60_000).catch(() => 'cut')
  await said('asked /60000')
  child.kill('SIGTERM')
  expect(await slow).toBe('cut')
  expect(await ended()).toBe(0)
})

it('announces that time runs out before it cuts anybody off', async () => {
  const port = await start({ workMs: 200, answerMs: 1500 })
  const [quick, slow] = [ask(port, 900), ask(port, 60_000).catch(() => 'cut')]
  await said('asked /900')
  await said('asked /60000')
  child.kill('SIGTERM')
  expect(await quick).toBe('done')
  expect(output).toMatch(/late$/m)
  expect(await slow).toBe('cut')
  expect(await ended()).toBe(0)
})
