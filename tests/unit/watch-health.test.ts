import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Finding, NamedFinding } from '../../src/core/finding.ts'
import { watchHealth } from '../../src/health/watch-health.ts'

const second = 1000
const fine: Finding = { is: 'ok', sentence: 'It is fine.' }
const poor: Finding = { is: 'warning', sentence: 'It is poor.' }
const broken: Finding = { is: 'failure', sentence: 'It is broken.' }

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    }),
)
afterEach(() => void vi.useRealTimers())

/** A check whose result is valid for ten seconds, with a result set by the test. */
function open(first = fine) {
  const state = { finds: async (): Promise<Finding | undefined> => first, looks: 0 }
  const changes: NamedFinding[] = []
  const errors: unknown[] = []
  const run = () => {
    state.looks += 1
    return state.finds()
  }
  const health = watchHealth({
    checks: [{ name: 'part', everyMs: 10 * second, run }],
    onChange: (finding) => changes.push(finding),
    report: (error) => errors.push(error),
  })
  /** The current findings, with no time passing except for a running check. */
  const tell = async () => {
    const told = health.findings()
    await vi.advanceTimersByTimeAsync(0)
    return (await told).map(({ is }) => is)
  }
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { state, changes, errors, health, tell, later }
}

it('reuses a good result for a while, however often it is requested', async () => {
  const { state, tell, later } = open()
  for (let time = 0; time < 9; time++) {
    expect(await tell()).toEqual(['ok'])
    await later(second)
  }
  expect(state.looks).toBe(1)
  await later(second)
  await tell()
  expect(state.looks).toBe(2)
})

it('ignores a single bad result, and reports one that persists', async () => {
  const { state, changes, tell, later } = open()
  await tell()
  const told: string[] = []
  for (const found of [broken, broken, fine, broken, broken, broken]) {
    state.finds = async () => found
    await later(10 * second)
    told.push(...(await tell()))
  }
  expect(told).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'failure'])
  expect(changes).toEqual([{ name: 'part', ...broken }])
})

it('reports at once what is broken at the first check, and what is repaired', async () => {
  const { state, changes, tell, later } = open(broken)
  expect(await tell()).toEqual(['failure'])
  state.finds = async () => poor
  await later(5 * second)
  expect(await tell()).toEqual(['warning'])
  state.finds = async () => fine
  await later(5 * second)
  expect(await tell()).toEqual(['ok'])
  expect(changes.map(({ is }) => is)).toEqual(['failure', 'warning', 'ok'])
})

it('keeps the last finding while a check cannot be made, and reports nothing without one', async () => {
  const { state, tell, later } = open()
  state.finds = async () => undefined
  expect(await tell()).toEqual([])
  state.finds = async () => poor
  await later(5 * second)
  expect(await tell()).toEqual(['warning'])
  state.finds = async () => undefined
  await later(5 * second)
  expect(await tell()).toEqual(['warning'])
})

it('does not wait for a hanging check, starts no second one meanwhile, and aborts it', async () => {
  const { state, health, later } = open()
  await health.findings()
  state.finds = () => new Promise(() => {})
  await later(10 * second)
  for (let time = 0; time < 20; time++) {
    const told = health.findings()
    await later(250)
    expect((await told).map(({ is }) => is)).toEqual(['ok'])
  }
  expect(state.looks).toBe(2)
  await later(15 * second)
  void health.findings()
  await turn()
  expect(state.looks).toBe(3)
})

it('checks by itself until it is closed, so that the log has findings that nobody requested', async () => {
  const { state, changes, health, later } = open()
  health.start()
  state.finds = async () => broken
  await later(60 * second)
  expect(changes).toEqual([{ name: 'part', ...broken }])
  health.close()
  const { looks } = state
  await later(60 * second)
  expect(state.looks).toBe(looks)
})

it('continues when the wall clock is set back', async () => {
  const { state, tell, later } = open(broken)
  await tell()
  vi.setSystemTime(0)
  state.finds = async () => fine
  await later(5 * second)
  expect(await tell()).toEqual(['ok'])
})

it('reports a check that throws once, and continues', async () => {
  const { state, errors, health, tell, later } = open()
  const bug = new Error('a bug')
  state.finds = () => Promise.reject(bug)
  for (let time = 0; time < 3; time++) {
    expect(await tell()).toEqual(['warning'])
    await later(5 * second)
  }
  expect(errors).toEqual([bug])
  state.finds = async () => fine
  await later(5 * second)
  expect(await tell()).toEqual(['ok'])
  health.close()
})
