import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forgetLetters } from '../../src/backups/forget-letters.ts'
import { orderReaders } from '../../src/commands/order-readers.ts'
import { readConfig } from '../../src/config/config.ts'
import { Problem } from '../../src/core/problem.ts'
import { makeCountSubmission } from '../../src/http/count-submission.ts'
import { makeRateLimits } from '../../src/http/rate-limits.ts'
import { makeLetters, type NewPost } from '../../src/newsletter/letters.ts'
import { makeNewsletterRoutes } from '../../src/newsletter/newsletter-routes.ts'
import { type LettersSent, makeNewsletterWork } from '../../src/newsletter/newsletter-work.ts'
import { makeReaders } from '../../src/newsletter/readers.ts'
import { writeLetter } from '../../src/newsletter/write-letter.ts'
import { toReadersCsv } from '../../src/newsletter/write-readers-csv.ts'
import { type LedgerDatabase, openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { type MailServer, openMailServer } from '../support/mail-server.ts'
import { openTestLedger } from '../support/test-databases.ts'

const baseUrl = 'https://press.example'
const minute = 60_000
const hour = 60 * minute
const start = Date.UTC(2026, 10, 24)
const ada = 'ada@readers.example'
const bob = 'bob@readers.example'
const nothing: LettersSent = { letters: 0, confirmations: 0, refused: 0, unknown: 0 }
const toPost = (slug: string, at = start): NewPost => ({
  ...{ slug, title: `About ${slug}`, excerpt: `What ${slug} is.`, url: `${baseUrl}/posts/${slug}` },
  publishedAt: new Date(at),
})

let server: MailServer
let db: LedgerDatabase
beforeAll(async () => {
  server = await openMailServer({ tls: 'none' })
})
afterAll(() => server.close())
beforeEach(async () => {
  server.got.length = 0
  server.faults.length = 0
  db = await openTestLedger()
})
afterEach(() => db.destroy())

/** A program that sends the newsletter, with the database of the test. */
function open(clock = { ms: start }) {
  const { email: mail } = readConfig({
    SMTP_URL: server.url,
    EMAIL_FROM: 'press@press.example',
    EMAIL_TO: 'me@x.example',
  })
  if (!mail) throw new Error('no mail server')
  const now = () => clock.ms
  const posts: NewPost[] = [toPost('before')]
  const readers = makeReaders(db)
  const shared = { readers, now }
  const { work } = makeNewsletterWork({
    ...{ ...shared, letters: makeLetters(db), name: 'Press', baseUrl, mail, posts: () => posts },
  })
  const count = makeCountSubmission(makeRateLimits({ exemptsLoopback: false, now }))
  const routes = makeNewsletterRoutes({ ...shared, count, onAsked: () => {} })
  let asked = 0
  const ask = async (path: string, body: URLSearchParams | FormData | undefined, address?: string) => {
    const { pathname } = new URL(path, baseUrl)
    const handlers = routes.find((route) => route.path === pathname)?.handlers
    const handle = body ? handlers?.POST : handlers?.GET
    const request = new Request(new URL(path, baseUrl), body ? { method: 'POST', body } : {})
    try {
      const answer = await handle?.(request, '', address ?? `10.0.0.${asked++ % 250}`)
      return `${answer?.status} ${answer?.headers.get('location') ?? (await answer?.text())}`
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return error.kind
    }
  }
  return {
    clock,
    posts,
    readers,
    ask,
    subscribe: (email: string, address?: string) => ask('/api/newsletter', new URLSearchParams({ email }), address),
    run: () => work(new AbortController().signal, async () => {}),
    /** The last e-mail to an address. */
    mailTo: (email: string) => server.got.filter(({ to }) => to.includes(email)).at(-1),
  }
}
type Program = ReturnType<typeof open>

const tokenIn = (text = ''): string => /\?(?:confirm|leave|token)=([\w.-]+)/.exec(text)?.[1] ?? ''

/** Subscribes and confirms with the link in the first e-mail. */
async function join(program: Program, ...emails: readonly string[]): Promise<void> {
  for (const email of emails) {
    await program.subscribe(email)
    await program.run()
    const token = tokenIn(program.mailTo(email)?.text)
    expect(await program.ask('/api/newsletter/confirm', new URLSearchParams({ token }))).toBe(
      '303 /follow?said=confirmed',
    )
  }
  server.got.length = 0
}
const emailsOf = async (state: 'asked' | 'confirmed') =>
  (await db.selectFrom('reader').select('email').where('state', '=', state).orderBy('email').execute()).map(
    ({ email }) => email,
  )

describe('a reader', () => {
  it('subscribes, confirms by the link in the first e-mail, and gets each new post once', async () => {
    const program = open()
    expect(await program.subscribe('Ada@Readers.example')).toBe('303 /follow?said=asked')
    expect(await program.run()).toEqual({ ...nothing, confirmations: 1 })
    expect(program.mailTo(ada)).toMatchObject({ subject: 'Please confirm: new posts of Press', to: [ada] })
    const token = tokenIn(program.mailTo(ada)?.text)
    expect(program.mailTo(ada)?.text).toContain(`${baseUrl}/follow?confirm=${token}\n`)
    program.posts.push(toPost('unasked'))
    expect(await program.run()).toEqual(nothing)
    await program.ask('/api/newsletter/confirm', new URLSearchParams({ token }))
    program.posts.push(toPost('lantern'))
    expect(await program.run()).toEqual({ ...nothing, letters: 1 })
    expect(program.mailTo(ada)?.subject).toBe('About lantern')
    expect(program.mailTo(ada)?.text).toContain(`What lantern is.\n\nRead it: ${baseUrl}/posts/lantern\n`)
    // Neither this program nor another one sends it again.
    const another = open()
    another.posts.push(...program.posts)
    expect([await program.run(), await another.run()]).toEqual([nothing, nothing])
    expect(server.got).toHaveLength(2)
  })

  it('gets no letter about posts from before the newsletter, old posts that moved here, or withdrawn posts', async () => {
    const program = open()
    await join(program, ada)
    program.posts.push(toPost('moved', start - 8 * 24 * hour), toPost('new'))
    server.faults.push({ is: 'recipient', status: 451 })
    expect(await program.run()).toEqual({ ...nothing, refused: 1 })
    program.posts.length = 0
    program.clock.ms += 10 * minute
    expect([await program.run(), server.got]).toEqual([nothing, []])
    // It is published again when it is too old to be news.
    program.clock.ms += 8 * 24 * hour
    await program.run()
    program.posts.push(toPost('new'))
    expect([await program.run(), server.got]).toEqual([nothing, []])
  })

  it('unsubscribes by one click in a mail program, in either form, or on a page, and is erased with all queued letters', async () => {
    const program = open()
    await join(program, ada, bob)
    program.posts.push(toPost('one'))
    await program.run()
    const header = (email: string, name: string) =>
      program
        .mailTo(email)
        ?.headers.find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    expect(header(ada, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    const link = header(ada, 'List-Unsubscribe') ?? ''
    expect(link).toMatch(/^<https:\/\/press\.example\/api\/newsletter\/leave\?token=[\w.-]+>$/)
    // Queued letters of a reader are erased with the reader.
    program.posts.push(toPost('two'))
    server.faults.push({ is: 'recipient', status: 451 }, { is: 'recipient', status: 451 })
    await program.run()
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    expect(await program.ask(link.slice(1, -1), form)).toMatch(/^200 You will get no more e-mails/)
    expect(await emailsOf('confirmed')).toEqual([bob])
    expect(await db.selectFrom('letter').selectAll().execute()).toHaveLength(1)
    // A second click does no harm and reveals nothing.
    const click = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect(await program.ask(link.slice(1, -1), click)).toMatch(/^200 You will get no more e-mails/)
    // A mail program without one-click support opens the address.
    const token = tokenIn(header(bob, 'List-Unsubscribe'))
    expect(await program.ask(`/api/newsletter/leave?token=${token}`, undefined)).toBe(`303 /follow?leave=${token}`)
    expect(await emailsOf('confirmed')).toEqual([bob])
    expect(await program.ask(`/api/newsletter/leave?token=${token}`, new URLSearchParams())).toBe(
      '303 /follow?said=left',
    )
    expect(await emailsOf('confirmed')).toEqual([])
    program.clock.ms += hour
    server.got.length = 0
    expect([await program.run(), server.got]).toEqual([nothing, []])
  })

  it('who does not confirm within two days is erased, and the link becomes invalid', async () => {
    const program = open()
    await program.subscribe(ada)
    await program.run()
    const token = tokenIn(program.mailTo(ada)?.text)
    program.clock.ms += 48 * hour
    expect(await program.ask('/api/newsletter/confirm', new URLSearchParams({ token }))).toBe(
      '303 /follow?said=expired',
    )
    await program.subscribe(bob)
    program.clock.ms += 48 * hour
    await program.run()
    expect(await emailsOf('asked')).toEqual([])
    expect(server.got).toHaveLength(1)
  })

  it('gets the confirmation e-mail again after five minutes if the mail server refused it, five times in all', async () => {
    const program = open()
    await program.subscribe(ada)
    for (let times = 0; times < 5; times++) {
      server.faults.push({ is: 'recipient', status: 451 })
      expect(await program.run()).toEqual({ ...nothing, refused: 1 })
      expect(await program.run()).toEqual(nothing)
      program.clock.ms += 5 * minute
    }
    expect(await program.run()).toEqual(nothing)
    await program.subscribe(ada)
    expect(await program.run()).toEqual({ ...nothing, confirmations: 1 })
  })

  it('gets it again after five minutes if the program ended while sending, but not after it was sent', async () => {
    const program = open()
    await program.subscribe(ada)
    await program.readers.takeDue(program.clock.ms)
    expect(await program.run()).toEqual(nothing)
    program.clock.ms += 5 * minute
    expect(await program.run()).toEqual({ ...nothing, confirmations: 1 })
    program.clock.ms += 5 * minute
    expect(await program.run()).toEqual(nothing)
  })

  it('does not wait for times that a fast clock has set: for the e-mail, a second one, a letter, or erasure', async () => {
    const program = open({ ms: start + 365 * 24 * hour })
    await join(program, ada)
    program.posts.push(toPost('new', program.clock.ms))
    server.faults.push({ is: 'recipient', status: 451 })
    await program.run()
    await program.subscribe(bob)
    program.clock.ms = start
    expect(await program.run()).toEqual({ ...nothing, confirmations: 1, letters: 1 })
    program.clock.ms += 10 * minute
    await program.subscribe(bob)
    expect(await program.run()).toEqual({ ...nothing, confirmations: 1 })
    program.clock.ms += 48 * hour
    await program.run()
    expect(await emailsOf('asked')).toEqual([])
  })

  it('is not found by a guessed link, and each key works for its own purpose only', async () => {
    const program = open()
    await join(program, ada)
    const reader = await program.readers.find(ada)
    for (const token of ['', reader?.id.slice(0, -1) ?? '', `${reader?.id}x`, ada])
      expect(await program.ask(`/api/newsletter/leave?token=${token}`, new URLSearchParams())).toBe('invalid-input')
    const guessed = [reader?.confirm_key ?? '', '00000000-0000-4000-8000-000000000000']
    for (const token of guessed)
      expect(await program.ask(`/api/newsletter/leave?token=${token}`, new URLSearchParams())).toBe(
        '303 /follow?said=left',
      )
    expect(await emailsOf('confirmed')).toEqual([ada])
    await program.subscribe(bob)
    for (const token of [(await program.readers.find(bob))?.id ?? '', ''])
      expect(await program.ask('/api/newsletter/confirm', new URLSearchParams({ token }))).toBe(
        '303 /follow?said=expired',
      )
    expect(await emailsOf('confirmed')).toEqual([ada])
  })

  it('gets e-mails whose ids reveal no key', async () => {
    const program = open()
    await program.subscribe(ada)
    await program.run()
    const reader = await program.readers.find(ada)
    await program.readers.confirm(reader?.confirm_key ?? '', start)
    program.posts.push(toPost('new'))
    await program.run()
    expect(server.got).toHaveLength(2)
    for (const { messageId } of server.got) {
      expect(messageId).toMatch(/^<[0-9a-f]{32}@press\.example>$/)
      for (const key of [reader?.id, reader?.confirm_key]) expect(messageId).not.toContain(key?.slice(0, 8))
    }
  })
})

describe('the form of the newsletter', () => {
  it('answers the same for every address, and sends each at most three e-mails, ten minutes apart', async () => {
    const program = open()
    await join(program, ada)
    const answers = new Set<string>()
    const sentAt: number[] = []
    for (let times = 0; times < 12; times++) {
      for (const email of [ada, bob]) answers.add(await program.subscribe(email))
      if ((await program.run()).confirmations === 1) sentAt.push((program.clock.ms - start) / minute)
      program.clock.ms += 5 * minute
    }
    expect([...answers]).toEqual(['303 /follow?said=asked'])
    expect(server.got.map(({ to }) => to[0])).toEqual([bob, bob, bob])
    expect(sentAt).toEqual([0, 10, 20])
  })

  it('limits the requests of one network address, and new readers per hour', async () => {
    const program = open()
    const ofOne = []
    for (let at = 0; at < 4; at++) ofOne.push(await program.subscribe(`r${at}@readers.example`, '203.0.113.7'))
    expect(ofOne.map((answer) => answer.slice(0, 3))).toEqual(['303', '303', 'rat', 'rat'])
    const row = { state: 'asked', asked_at: start, asks: 1, attempts: 0 } as const
    for (let at = 0; at < 198; at++)
      await db
        .insertInto('reader')
        .values({ email: `m${at}@x.example`, id: `m${at}`, confirm_key: `m${at}`, ...row })
        .execute()
    expect(await program.subscribe(ada)).toBe('rate-limited')
    // A known reader gets the same answer.
    expect(await program.subscribe('m1@x.example')).toBe('rate-limited')
    program.clock.ms += hour
    expect(await program.subscribe(ada)).toBe('303 /follow?said=asked')
  })

  it.each(['', 'ada', 'ada@localhost', 'ada@readers.example\r\nBcc: x@y.example', `${'a'.repeat(250)}@x.example`])(
    'refuses %j',
    async (email) => {
      expect(await open().subscribe(email)).toBe('invalid-input')
      expect(await emailsOf('asked')).toEqual([])
    },
  )

  it('refuses a request that is not a form, and a large one', async () => {
    expect(await open().ask('/api/newsletter', new FormData())).toBe('invalid-input')
    expect(await open().subscribe('a'.repeat(5000))).toBe('body-too-large')
  })

  it('does not exist without a mail server', async () => {
    for (const { handlers } of makeNewsletterRoutes(undefined))
      await expect(async () =>
        handlers.POST?.(
          new Request(`${baseUrl}/`, { method: 'POST', body: new URLSearchParams({ email: ada }) }),
          '',
          '',
        ),
      ).rejects.toThrow('sends no newsletter')
  })
})

describe('a letter', () => {
  it('that the server refused is retried later, sent once, and given up after days', async () => {
    const program = open()
    await join(program, ada, bob)
    program.posts.push(toPost('new'))
    server.faults.push({ is: 'recipient', status: 451 })
    expect(await program.run()).toEqual({ ...nothing, letters: 1, refused: 1 })
    program.clock.ms += 9 * minute
    expect(await program.run()).toEqual(nothing)
    program.clock.ms += minute
    expect(await program.run()).toEqual({ ...nothing, letters: 1 })
    expect(server.got.flatMap(({ to }) => to).toSorted()).toEqual([ada, bob])
    program.posts.push(toPost('other'))
    for (let times = 0; times < 5; times++) {
      server.faults.push({ is: 'recipient', status: 550 }, { is: 'recipient', status: 550 })
      expect((await program.run()).refused).toBe(2)
      program.clock.ms += 24 * hour
    }
    server.faults.length = 0
    expect(await program.run()).toEqual(nothing)
  })

  it('that was cut off while being sent may have arrived and is not repeated, nor is one whose program ended', async () => {
    const program = open()
    await join(program, ada, bob)
    program.posts.push(toPost('new'))
    server.faults.push({ is: 'cut' })
    expect(await program.run()).toEqual({ ...nothing, letters: 1, unknown: 1 })
    program.posts.push(toPost('other'))
    await makeLetters(db).note(program.posts, start)
    // The program takes a letter, and ends before it knows the outcome.
    const taken = await makeLetters(db).take(start, ['other'])
    // The next program serves an earlier build.
    expect(await open(program.clock).run()).toEqual({ ...nothing, unknown: 1 })
    expect(await program.run()).toEqual({ ...nothing, letters: 1 })
    const got = server.got.map(({ to, subject }) => `${to} ${subject}`)
    expect(new Set(got).size).toBe(got.length)
    expect(got).not.toContain(`${taken?.email} About other`)
  })

  it('is not sent twice for a renamed post, and is still sent once if it was waiting', async () => {
    const program = open()
    await join(program, ada, bob)
    program.posts.push(toPost('lantrn'))
    server.faults.push({ is: 'greeting', status: 421 })
    expect(await program.run()).toEqual({ ...nothing, letters: 1, refused: 1 })
    program.posts[1] = { ...toPost('lantern'), formers: ['lamp', 'lantrn'] }
    program.clock.ms += hour
    expect(await program.run()).toEqual({ ...nothing, letters: 1 })
    expect(server.got.map(({ to }) => String(to)).toSorted()).toEqual([ada, bob])
    expect(server.got.at(-1)?.text).toContain(`${baseUrl}/posts/lantern\n`)
    expect(await program.run()).toEqual(nothing)
  })

  it('waits without a server, which is tried at most three times per run', async () => {
    const program = open()
    const many = [ada, bob, 'c@readers.example', 'd@readers.example']
    await join(program, ...many)
    program.posts.push(toPost('new'))
    server.faults.push(...many.map(() => ({ is: 'greeting', status: 421 }) as const))
    expect(await program.run()).toEqual({ ...nothing, refused: 3 })
    server.faults.length = 0
    program.clock.ms += hour
    expect(await program.run()).toEqual({ ...nothing, letters: 4 })
  })

  it('keeps the title of a post on one line, whatever it contains', () => {
    const post = { ...toPost('x'), title: 'A\r\nBcc: v@evil.example', excerpt: 'B\u2028C\u202ED' }
    const { subject, text } = writeLetter({ name: 'Press', baseUrl }, post, 'token')
    expect(subject).toBe('A Bcc: v@evil.example')
    expect(text.split('\n')).toHaveLength(10)
    expect(text).not.toMatch(/[\r\u2028\u202E]/)
  })
})

describe('the operator', () => {
  it('restores a backup without sending anybody a letter twice', async () => {
    const folder = mkdtempSync(`${tmpdir()}/farthing-letters-`)
    const file = `${folder}/ledger.db`
    const restored = await openLedgerDatabase(file)
    const letters = makeLetters(restored)
    const reader = { email: ada, id: 'a', confirm_key: 'b', asked_at: 1, asks: 1, attempts: 1, confirmed_at: 1 }
    await restored
      .insertInto('reader')
      .values({ ...reader, state: 'confirmed' })
      .execute()
    await letters.note([], start)
    await letters.note([toPost('waiting')], start)
    forgetLetters(file)
    const posts = [toPost('waiting'), toPost('sent-since')]
    await letters.note(posts, start)
    expect(await letters.findPosts(start)).toEqual([])
    await letters.note([...posts, toPost('new')], start)
    expect(await letters.findPosts(start)).toEqual(['new'])
    await restored.destroy()
    rmSync(folder, { recursive: true })
  })

  it('can export confirmed readers as CSV, and erase one', async () => {
    const program = open()
    await join(program, ada)
    await program.subscribe(bob)
    const csv = toReadersCsv(await program.readers.list())
    expect(csv).toBe(`email,confirmed_utc\r\n${ada},2026-11-24T00:00:00.000Z\r\n`)
    const order = (...words: string[]) => orderReaders({ db, words, said: {} })
    await expect(order('erase', 'nobody@x.example')).rejects.toThrow('there is no reader nobody@x.example')
    expect(await order('erase', 'Ada@readers.example')).toBe('Ada@readers.example is deleted')
    expect(toReadersCsv(await program.readers.list())).toBe('email,confirmed_utc\r\n')
  })
})
