import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openWorkers, type WorkerOptions, type Workers } from '../../src/workers/open-workers.ts'

const work = new URL('../support/sample-work.ts', import.meta.url).href
const parent = fileURLToPath(new URL('../support/worker-parent.ts', import.meta.url))

let opened: Workers[] = []
afterEach(async () => {
  await Promise.all(opened.map((workers) => workers.close()))
  opened = []
})
function open(options: Partial<WorkerOptions> = {}) {
  const workers = openWorkers(work, { threads: 1, niceness: 0, ...options })
  opened.push(workers)
  return { workers, pid: () => workers.run<undefined, number>('pid', undefined) }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const childrenOf = (pid: number): number[] =>
  process.platform === 'linux'
    ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    : []
const isGone = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false)

describe('a worker', () => {
  it('is a process of its own that does one piece of work after the other, and receives typed arrays unchanged', async () => {
    const { workers, pid } = open()
    const first = await pid()
    expect(first).not.toBe(process.pid)
    expect(await pid()).toBe(first)
    expect(await workers.run('double', Int16Array.of(1, -2, 300))).toEqual(Int16Array.of(2, -4, 600))
  })

  it('reports its progress while it works', async () => {
    const said: string[] = []
    const { workers } = open()
    expect(await workers.run('inSteps', 3, { onProgress: (what) => said.push(what) })).toBe('done')
    expect(said).toEqual(['step 1', 'step 2', 'step 3'])
  })

  it('reports an error, and goes on working', async () => {
    const { workers, pid } = open()
    const first = await pid()
    await expect(workers.run('fail', undefined)).rejects.toThrow('too long to be read')
    expect(await pid()).toBe(first)
  })

  it.runIf(process.platform === 'linux')('uses the memory of one piece of work for the next', async () => {
    const { workers } = open()
    await workers.run('compress', 10)
    // Memory that is given back in between takes 64 pages each time.
    expect(await workers.run('compress', 1000)).toBeLessThan(10_000)
  })

  it('ends after a time without work, and another one starts when there is some', async () => {
    const { pid } = open({ idleMs: 1 })
    const first = await pid()
    await isGone(first)
    expect(await pid()).not.toBe(first)
  })

  it('that is killed fails only its own work, with a message in plain words', async () => {
    const { workers, pid } = open()
    const work = workers.run('beKilled', undefined)
    const next = pid()
    await expect(work).rejects.toThrow('the process that makes it ended with SIGKILL')
    expect(await next).toBeGreaterThan(0)
  })

  it('that gets SIGTERM while it starts is replaced', async () => {
    const { workers } = open()
    const slept = workers.run<number, number>('sleep', 1)
    // The process exists by now, but has not installed its signal handlers yet.
    const children = childrenOf(process.pid)
    expect(children.length > 0 || process.platform !== 'linux').toBe(true)
    for (const child of children) process.kill(child, 'SIGTERM')
    expect(await slept).toBeGreaterThan(0)
  })

  it('is ended in the middle of work that was aborted', async () => {
    const { workers, pid } = open()
    const first = await pid()
    const given = new AbortController()
    const slept = workers.run('sleep', 1e9, { signal: given.signal })
    const next = pid()
    given.abort()
    await expect(slept).rejects.toThrow('aborted')
    await isGone(first)
    expect(await next).not.toBe(first)
  })

  it('is ended when its owner closes, whatever it does, and waiting work is refused', async () => {
    const { workers, pid } = open()
    const first = await pid()
    const works = [workers.run('sleep', 1e9), pid()]
    const outcomes = Promise.allSettled(works)
    await workers.close()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(isAlive(first)).toBe(false)
  })

  it('gets no setting and no key of its program', async () => {
    vi.stubEnv('FACILITATOR_PRIVATE_KEY', 'secret')
    onTestFinished(() => void vi.unstubAllEnvs())
    const env = await open().workers.run<undefined, object>('environment', undefined)
    expect(Object.keys(env)).toContain('PATH')
    expect(JSON.stringify(env)).not.toMatch(/secret|WORKER_PRIORITY/)
  })

  it('has the niceness that it is given', async () => {
    expect(await open().workers.run('priority', undefined)).toBe(getPriority())
    expect(await open({ niceness: 7 }).workers.run('priority', undefined)).toBe(7)
  })
})

describe.skipIf(process.platform === 'win32')('the worker of a program', () => {
  async function start(ms: number, after: readonly 'close'[] = []) {
    const program = spawn(process.execPath, [parent, String(ms), ...after], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]()
    const { value } = await lines.next()
    return { program, lines, pid: Number(value), ended: once(program, 'exit') }
  }

  it('ends with it after kill -9', async () => {
    const { program, pid, ended } = await start(1e9)
    program.kill('SIGKILL')
    await ended
    await isGone(pid)
  })

  it('is gone when the program has closed it, and the program goes on until then', async () => {
    const { lines, pid, ended } = await start(1, ['close'])
    expect(Number((await lines.next()).value)).toBe(pid)
    expect((await lines.next()).value).toBe('closed')
    expect(isAlive(pid)).toBe(false)
    expect(await ended).toEqual([0, null])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'finishes its work although it gets every stop signal and the group gets %s',
    async (ofGroup) => {
      const { program, lines, pid, ended } = await start(1000)
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
        expect(isAlive(pid)).toBe(true)
        process.kill(pid, signal)
      }
      process.kill(-(program.pid ?? Number.NaN), ofGroup)
      expect(Number((await lines.next()).value)).toBe(pid)
      // The program ends, because nothing but an idle worker is left, which does not keep it alive.
      expect(await ended).toEqual([0, null])
      await isGone(pid)
    },
  )
})
