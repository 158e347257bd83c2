// A process that does the work of one module, started by start-worker.ts: `node worker-main.ts <url of the module>`.
import type { WorkerReply, WorkerTask } from './worker-messages.ts'

const [url = ''] = process.argv.slice(2)
// Terminals and supervisors send signals to each process of a group. The current work may be paid for, so the signals
// are ignored: the parent process decides when this one ends, and then closes the channel.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// The channel also closes when the parent dies, even by `kill -9`.
process.on('disconnect', () => process.exit())

const tell = (what: string): void => void process.send?.({ is: 'doing', what } satisfies WorkerReply)
const loading: Promise<Readonly<Record<string, unknown>>> = import(url)

async function work({ name, task }: WorkerTask): Promise<WorkerReply> {
  try {
    const make = (await loading)[name]
    if (typeof make !== 'function') throw new Error(`${url} makes no ${name}`)
    return { is: 'made', made: await make(task, tell) }
  } catch (error) {
    return { is: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
  }
}

process.on('message', (task: WorkerTask) => {
  void work(task).then((reply) => process.send?.(reply))
})
