// A process that does the work of one module, started by start-worker.ts: `node worker-main.ts <url of the module>`.
import type { WorkerReply, WorkerTask } from './worker-messages.ts'

const [url = ''] = process.argv.slice(2)
// A terminal and supervisors send their signals to each process of a group. What is under way may be paid for: the
// program that started this one finishes it, and says when it is over.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// It also says so by being gone, after `kill -9` too.
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
