// One of several schedulers over one ledger: `node tests/crash/job-racer.ts <data folder>`, with a channel to its
// parent. When the parent sends a time, it looks for due jobs at that time, and replies with how many runs it began.
import { makeScheduler } from '../../src/jobs/scheduler.ts'
import { makeOwner } from '../../src/storage/lease-owner.ts'
import { openTestLedger } from '../support/test-databases.ts'

const [dataDir = ''] = process.argv.slice(2)
const db = await openTestLedger(dataDir)
let ms = 0
let runs = 0
const scheduler = makeScheduler({
  db,
  jobs: [{ name: 'job', cron: '* * * * *', windowMs: 60_000, work: async () => ({ run: ++runs }) }],
  owner: makeOwner(),
  now: () => ms,
  log: () => {},
  signal: new AbortController().signal,
})
async function lookAt(time: number): Promise<void> {
  ms = time
  runs = 0
  await scheduler.look()
  await scheduler.idle()
  process.send?.(runs)
}
process.on('message', (time) => void lookAt(Number(time)))
process.send?.('ready')
