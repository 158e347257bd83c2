import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { compiled } from '../support/run-program.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'farthing-mistyped-'))
const taken = join(dataDir, 'taken.csv')
writeFileSync(taken, 'mine')
beforeAll(async () => (await openLedgerDatabase(join(dataDir, 'ledger.db'))).destroy())
afterAll(() => rmSync(dataDir, { recursive: true }))

const run = (command: string, args: readonly string[], folder = dataDir) =>
  new Promise<{ status: number | string | null | undefined; said: string }>((resolve) => {
    const env = { ...compiled(), PATH: process.env['PATH'] ?? '', DATA_DIR: folder, RPC_URL: 'http://127.0.0.1:9' }
    execFile(process.execPath, [command, ...args], { env }, (error, out, err) =>
      resolve({ status: error?.code ?? 0, said: `${out}${err}`.trim() }),
    )
  })

const wallet = `0x${'ab'.repeat(20)}`
const operator = 'src/commands/operator.ts'
const restore = 'src/commands/restore.ts'
const recover = 'src/commands/recover.ts'
const move = 'src/commands/move.ts'
const buy = 'src/buyer/main.ts'
const cup = 'src/commands/cup.ts'

const mistakes: readonly (readonly [string, string, readonly string[], string | RegExp])[] = [
  ['an option that no order has', operator, ['sales', '--day', '3'], "Unknown option '--day'; --help shows how"],
  ['an option of another order', operator, ['block', wallet, '--days', '3'], 'block does not take --days'],
  ['an option of another order of the game', operator, ['kick', 'Ada', '--days', '3'], 'kick does not take --days'],
  ['days where it writes from one day to another', operator, ['csv', '--days', '90'], 'csv does not take --days'],
  ['an option where there is none', operator, ['sign-in', '--minutes', '5'], 'sign-in does not take --minutes'],
  ['nobody to let buy again', operator, ['unblock'], 'unblock needs a wallet or an IP address'],
  ['nobody to send away', operator, ['kick'], 'kick needs the name of a player'],
  ['nothing to announce', operator, ['announce'], 'announce needs a text'],
  ['no job', operator, ['run'], 'run needs the name of a job; npm run job -- --help lists them'],
  ['a job that there is not', operator, ['run', 'foo'], 'there is no job foo; npm run job -- --help lists them'],
  ['no mention', operator, ['mentions', 'approve'], 'write mentions, mentions approve ID or mentions refuse ID'],
  ['less than an hour for a cup', cup, ['open', '--hours', '0.5'], '--hours must be a number from 1 to 8760'],
  ['hours without the name of the option', cup, ['open', '24'], 'open takes nothing beside its options, not 24'],
  ['a file that is there', operator, ['csv', '--out', taken], `${taken} exists already; name another file`],
  [
    'a file in no folder',
    operator,
    ['readers', '--out', join(dataDir, 'none', 'a.csv')],
    `${join(dataDir, 'none', 'a.csv')} cannot be written: is there a folder ${join(dataDir, 'none')}?`,
  ],
  [
    'a backup that there is not',
    restore,
    ['hourly/2026-11-22T090000Z', '--dry-run'],
    'there is no backup hourly/2026-11-22T090000Z. It was not restored; npm run restore lists the backups',
  ],
  [
    'a day to come',
    recover,
    ['from-chain', '--since', '2999-01-01'],
    '--since must not be in the future, as 2999-01-01 is',
  ],
  [
    'an address where nothing answers',
    move,
    ['--to', 'postgres://ada:secret@127.0.0.1:9/x'],
    'the database x at 127.0.0.1:9 cannot be used: the server cannot be reached; is it running, and is the address after --to right?',
  ],
  [
    'a body that is no JSON',
    buy,
    ['http://127.0.0.1:9/x', '-d', 'url=x'],
    'buy: the text after -d is not JSON; --help shows how',
  ],
  [
    'a chain that is not reached',
    recover,
    ['from-chain'],
    /the chain's RPC does not answer: HTTP request failed\. Is it running, and is RPC_URL right\?/,
  ],
]

it.each(mistakes)('explains the mistake in %s', async (_, command, args, said) => {
  const answer = await run(command, args)
  const status = command === buy ? 64 : 1
  expect(answer).toEqual({ status, said: said instanceof RegExp ? expect.stringMatching(said) : said })
})

it.each([
  [operator, ['csv']],
  [operator, ['sign-in']],
  ['src/commands/job.ts', ['hourly-backup']],
  [cup, ['open']],
] as const)('%s makes no empty ledger in a wrong folder, to speak of that', async (command, args) => {
  const wrong = mkdtempSync(join(tmpdir(), 'farthing-wrong-'))
  const answer = await run(command, args, wrong)
  expect(answer).toEqual({ status: 1, said: `no shop has run with the data folder ${wrong}; is DATA_DIR right?` })
  expect(readdirSync(wrong)).toEqual([])
  rmSync(wrong, { recursive: true })
})
