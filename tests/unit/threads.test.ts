import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openThreads } from '../../src/build/threads/open-threads.ts'
import type { TestTask } from '../support/work-thread.ts'

const module = new URL('../support/work-thread.ts', import.meta.url)
const open = (count: number) => openThreads<TestTask, number>(module, count)

describe('threads of a build', () => {
  it('do more pieces of work than there are threads', async () => {
    const { run } = open(2)
    const numbers = Array.from({ length: 20 }, (_, index) => index)
    expect(await Promise.all(numbers.map((number) => run(number)))).toEqual(numbers.map((number) => 2 * number))
  })

  it('pass on the error of a piece of work, and do the next', async () => {
    const { run } = open(1)
    const [failed, next] = [run('fail'), run(4)]
    await expect(failed).rejects.toThrow(RangeError('no such work'))
    expect(await next).toBe(8)
  })

  it('fail all work that waits for a thread that ends, and start another for the next', async () => {
    const { run } = open(1)
    const lost = await Promise.allSettled([run('end'), run(1)])
    for (const part of lost)
      expect(part).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/exit code 3$/) } })
    expect(await run(5)).toBe(10)
  })

  it('keep a process alive while they work, and no longer', () => {
    const program = fileURLToPath(new URL('../support/one-piece-of-work.ts', import.meta.url))
    const said = execFileSync(process.execPath, [program], { timeout: 60_000 })
    expect(said.toString()).toBe('42\n')
  })
})
