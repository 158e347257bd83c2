import { expect, it } from 'vitest'
import { makePublishWork } from '../../src/site/publish-work.ts'

const minute = 60_000
const due = '2026-11-23T09:00:00.000Z'

function open(build: () => Promise<void> = async () => {}, prepare: () => Promise<void> = async () => {}) {
  const clock = { ms: Date.parse(due) - 11 * minute, builds: 0, prepared: [] as string[], onWait: () => {} }
  const publishing = makePublishWork({
    prepare(_signal, at) {
      clock.prepared.push(at)
      return prepare()
    },
    async wait(ms) {
      clock.ms += ms
      clock.onWait()
    },
    build() {
      clock.builds += 1
      return build()
    },
    now: () => clock.ms,
  })
  const run = () => publishing.work(new AbortController().signal, async () => {})
  return { clock, run, expectPost: publishing.expect, publishing }
}

it('builds when the next post is due, and not before', async () => {
  const { clock, run, expectPost } = open()
  expect(await run()).toEqual({ published: false })
  expectPost(due)
  expect(await run()).toEqual({ published: false })
  expect(clock.prepared).toEqual([])
  clock.ms += 11 * minute
  expect([await run(), clock.builds, clock.prepared]).toEqual([{ published: true }, 1, []])
})

it('builds ahead of time, and announces at the due moment', async () => {
  const { clock, run, expectPost } = open()
  expectPost(due)
  clock.ms += 2 * minute
  expect(await run()).toEqual({ published: true })
  expect([clock.ms, clock.builds, clock.prepared]).toEqual([Date.parse(due), 1, [due]])
})

it('publishes at the due moment even if building ahead failed', async () => {
  const { clock, run, expectPost } = open(undefined, () => Promise.reject(new Error('a post has a fault')))
  expectPost(due)
  clock.ms += 2 * minute
  await expect(run()).rejects.toThrow('a post has a fault')
  expect(await run()).toEqual({ published: true })
  expect([clock.ms, clock.builds, clock.prepared]).toEqual([Date.parse(due), 1, [due]])
})

it('drops a due time that another build has removed', async () => {
  const { clock, run, expectPost, publishing } = open()
  expectPost(due)
  clock.ms += 2 * minute
  clock.onWait = () => expectPost(undefined)
  expect([await run(), clock.builds, publishing.isNear()]).toEqual([{ published: false }, 0, false])
})

it('builds once for one post, and again for the next', async () => {
  const { clock, run, expectPost } = open()
  expectPost(due)
  clock.ms += 11 * minute
  await run()
  expectPost('2026-11-24T09:00:00.000Z')
  expect([await run(), clock.builds]).toEqual([{ published: false }, 1])
  clock.ms += 24 * 60 * minute
  expect([await run(), clock.builds]).toEqual([{ published: true }, 2])
})

it('retries a build that fails or is not served after an hour, not at every run', async () => {
  const { clock, run, expectPost } = open(() => Promise.reject(new Error('a post has a fault')))
  expectPost(due)
  clock.ms += 11 * minute
  await expect(run()).rejects.toThrow('a post has a fault')
  clock.ms += 59 * minute
  expect([await run(), clock.builds]).toEqual([{ published: false, isLate: true }, 1])
  clock.ms += minute
  await expect(run()).rejects.toThrow('a post has a fault')
})

it('handles posts of another build at once', async () => {
  const { clock, run, expectPost } = open(() => Promise.reject(new Error('a post has a fault')))
  expectPost(due)
  clock.ms += 11 * minute
  await expect(run()).rejects.toThrow('a post has a fault')
  expectPost(due)
  await expect(run()).rejects.toThrow('a post has a fault')
  expect(clock.builds).toBe(2)
})
