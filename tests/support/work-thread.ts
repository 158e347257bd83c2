import { serveThread } from '../../src/build/threads/serve-thread.ts'

/** What the thread of the tests does: doubles a number, fails, or ends itself. */
export type TestTask = number | 'fail' | 'end'

serveThread((task: TestTask) => {
  if (task === 'fail') throw new RangeError('no such work')
  if (task === 'end') process.exit(3)
  return 2 * task
})
