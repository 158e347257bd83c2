// A program on a machine whose clock is wrong: `node tests/postgres/wrong-clock.ts <place> <ms ahead> <owner>`, with a
// channel to its parent. It says when it is ready. At the next message it takes a payment and a job, renews neither
// lease, and reports what it sees of the leases of others.
import { once } from 'node:events'
import { makeJobRuns } from '../../src/jobs/job-runs.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { ledgerOf, nextSale } from '../support/two-programs.ts'

const [place = '', aheadMs = '0', owner = ''] = process.argv.slice(2)
const right = Date.now
Date.now = () => right() + Number(aheadMs)

const db = await openTestLedger(place)
const ledger = ledgerOf(db, owner)
await ledger.unattended()
process.send?.('ready')
await once(process, 'message')
const unattended = (await ledger.unattended()).map(({ key }) => key)
const runs = makeJobRuns({ db, owner, now: () => Date.now() })
const due = await runs.begin({ job: 'of the other', dueAt: 1 })
const { claim } = nextSale({ key: `held by ${owner}`, nonce: owner, identifier_hash: null })
await ledger.claim(claim)
await runs.begin({ job: `of ${owner}`, dueAt: 1 })
process.send?.({ unattended, isOthersHeld: 'heldBy' in due })
