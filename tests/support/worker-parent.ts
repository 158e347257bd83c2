// A program with a busy worker: it prints the worker's process id, prints it again when the work is done, and on
// `close` prints a word when the worker is gone.
import { openWorkers } from '../../src/workers/open-workers.ts'

// Supervisors and terminals signal the whole group. The program handles the signal itself, and its work goes on until
// then.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
const workers = openWorkers(new URL('sample-work.ts', import.meta.url).href, { threads: 1, niceness: 0 })
console.log(await workers.run<undefined, number>('pid', undefined))
console.log(await workers.run<number, number>('sleep', Number(process.argv[2])))
if (process.argv[3] === 'close') {
  await workers.close()
  console.log('closed')
}
