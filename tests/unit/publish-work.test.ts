import { expect, it } from 'vitest'
import { makePublishWork } from '../../src/site/publish-work.ts'

const minute = 60_000
const due = '2026-11-23T09:00:00.000Z'

function open(build: () => Promise<void> = async () => {}) {
  const clock = { ms: Date.parse(due) - minute, builds: 0 }
  const publishing = makePublishWork({
    build() {
      clock.builds += 1
      return build()
    },
    now: () => clock.ms,
  })
  const run = () => publishing.work(new AbortController().signal, async () => {})
  return { clock, run, expectPost: publishing.expect }
}

it('builds when the next post is due, and not before', async () => {
  const { clock, run, expectPost } = open()
  expect(await run()).toEqual({ published: false })
  expectPost(due)
  expect(await run()).toEqual({ published: false })
  clock.ms += minute
  expect([await run(), clock.builds]).toEqual([{ published: true }, 1])
})

it('builds once for one post, and again for the next', async () => {
  const { clock, run, expectPost } = open()
  expectPost(due)
  clock.ms += minute
  await run()
  expectPost('2026-11-24T09:00:00.000Z')
  expect([await run(), clock.builds]).toEqual([{ published: false }, 1])
  clock.ms += 24 * 60 * minute
  expect([await run(), clock.builds]).toEqual([{ published: true }, 2])
})

it('tries a build that fails, or that is not served, again after an hour and not at every run', async () => {
  const { clock, run, expectPost } = open(() => Promise.reject(new Error('a post has a fault')))
  expectPost(due)
  clock.ms += minute
  await expect(run()).rejects.toThrow('a post has a fault')
  clock.ms += 59 * minute
  expect([await run(), clock.builds]).toEqual([{ published: false, isLate: true }, 1])
  clock.ms += minute
  await expect(run()).rejects.toThrow('a post has a fault')
})
