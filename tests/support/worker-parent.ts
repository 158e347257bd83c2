// A program with a worker at work: prints the worker's process id, once more when the work is done, and at `close` a
// word when the worker is gone.
import { openWorkers } from '../../src/workers/open-workers.ts'

// What a supervisor sends to the whole group is the program's to obey, and work goes on until it has.
process.on('SIGTERM', () => {})
const workers = openWorkers(new URL('sample-work.ts', import.meta.url).href, { threads: 1, niceness: 0 })
console.log(await workers.run<undefined, number>('pid', undefined))
console.log(await workers.run<number, number>('sleep', Number(process.argv[2])))
if (process.argv[3] === 'close') {
  await workers.close()
  console.log('closed')
}
