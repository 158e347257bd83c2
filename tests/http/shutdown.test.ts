import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'

/** A program with one slow route; prints its port, and what it does while it stops. */
const program = (limits: object, settle: string) => `
import { createServer } from 'node:http'
import { stopOnSignal } from ${JSON.stringify(new URL('../../src/http/shutdown.ts', import.meta.url).href)}
const server = createServer((req, res) => {
  console.log('asked ' + req.url)
  const busyUntil = performance.now() + Number(req.headers.busy ?? 0)
  while (performance.now() < busyUntil);
  setTimeout(() => res.end('done'), Number(req.url.slice(1)))
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

it('finishes what is under way, takes nothing new, and exits with 0', async () => {
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

it('answers everybody whose connection the system had completed before the signal', async () => {
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

it('takes the same signal twice within milliseconds for one', async () => {
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

it('takes SIGTERM for one wish, however often and whoever sends it', async () => {
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

it('is gone in time although something does not come to its end', async () => {
  const port = await start({ answerMs: 200, wholeMs: 600 }, 'await new Promise(() => setInterval(() => {}, 1000))')
  const slow = ask(port, 60_000).catch(() => 'cut')
  await said('asked /60000')
  child.kill('SIGTERM')
  expect(await slow).toBe('cut')
  expect(await ended()).toBe(0)
})

it('says that time runs out before it cuts anybody off', async () => {
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
