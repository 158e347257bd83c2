// Does one piece of work in a thread, and ends by itself once that is done.
import { openThreads } from '../../src/build/threads/open-threads.ts'
import type { TestTask } from './work-thread.ts'

const { run } = openThreads<TestTask, number>(new URL('work-thread.ts', import.meta.url), 1)
void run(21).then(console.log)
