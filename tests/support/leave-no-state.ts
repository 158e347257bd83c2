import { afterAll, expect, vi } from 'vitest'

/** What the test files of one worker share, because they run one after the other in the same process. */
const readState = () => ({
  umask: process.umask(),
  folder: process.cwd(),
  hasFakeTimers: vi.isFakeTimers(),
  isClockMocked: vi.isMockFunction(Date.now),
  fetch: globalThis.fetch,
  stubs: ['localStorage', 'navigator', 'window'].filter(
    (name) => Object.getOwnPropertyDescriptor(globalThis, name)?.value !== undefined,
  ),
})
const before = readState()
const variables = { ...process.env }

/** The names only, because the values may be secret. sharp sets `VIPSHOME` when it is loaded. */
const findChangedVariables = (): string[] =>
  Object.keys({ ...variables, ...process.env }).filter(
    (name) => name !== 'VIPSHOME' && process.env[name] !== variables[name],
  )

// Hooks run in reverse order, so that this one comes after all hooks of the file.
afterAll(() => {
  const after = { ...readState(), changedVariables: findChangedVariables() }
  expect(after, 'what this file leaves to the next ones').toEqual({ ...before, changedVariables: [] })
})
