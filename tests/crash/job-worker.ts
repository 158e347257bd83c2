// Runs one job as often as it can: `node tests/crash/job-worker.ts <data folder> <log>`. Each run logs its beginning
// and its end, so that the test can see two runs at once.
import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { runJob } from '../../src/jobs/run-job.ts'
import { openTestLedger } from '../support/test-databases.ts'

const [dataDir = '', log = ''] = process.argv.slice(2)
const db = await openTestLedger(dataDir)
for (;;) {
  await runJob({
    db,
    name: 'job',
    dueAt: 0,
    async work() {
      appendFileSync(log, `begin ${process.pid}\n`)
      await wait(Math.random() * 20)
      appendFileSync(log, `end ${process.pid}\n`)
    },
  })
  await wait(Math.random() * 10)
}
