import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { orderMentions } from '../../src/commands/order-mentions.ts'
import { Problem } from '../../src/core/problem.ts'
import { type Fetched, FetchFailed, type FetchFailure, type GuardedFetch } from '../../src/fetching/fetched.ts'
import { makeCountSubmission } from '../../src/http/count-submission.ts'
import { makeRateLimits } from '../../src/http/rate-limits.ts'
import { type MentionsSeen, makeMentionWork } from '../../src/mentions/look-at-mentions.ts'
import { fillMentions, mentionsMark } from '../../src/mentions/mention-marks.ts'
import { makeMentionStore } from '../../src/mentions/mention-store.ts'
import { openShownMentions } from '../../src/mentions/open-shown-mentions.ts'
import { readSource } from '../../src/mentions/read-source.ts'
import { makeReceiveMention } from '../../src/mentions/receive-mention.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { figure, seed } from '../support/figures.ts'
import { hostileText } from '../support/hostile-text.ts'
import { openTestLedger } from '../support/test-databases.ts'

const baseUrl = 'https://press.example'
const post = '/posts/fair-play'
const target = baseUrl + post
const page = 'https://friend.example/reply'
const minute = 60_000
const day = 24 * 60 * minute
const start = Date.UTC(2026, 10, 24)
const linking = (author = '') => `<meta name="author" content="${author}"><p>See <a href="${target}">this</a></p>`

type Answer = string | FetchFailure | { readonly status?: number; readonly type?: string; readonly body?: string }
const failures: ReadonlySet<unknown> = new Set<FetchFailure>(['refused', 'timeout', 'unreachable', 'certificate'])

/** A program that accepts webmentions, with a pretend web whose pages tests write. */
async function openTaker(db: LedgerDatabase, trustedHosts: readonly string[] = []) {
  const clock = { ms: start }
  const web = new Map<string, Answer>()
  const fetched: string[] = []
  const guardedFetch: GuardedFetch = async (url): Promise<Fetched> => {
    fetched.push(url)
    const answer = web.get(url) ?? 'unreachable'
    if (failures.has(answer)) throw new FetchFailed(answer as FetchFailure)
    const {
      status = 200,
      type = 'text/html; charset=utf-8',
      body = '',
    } = typeof answer === 'string' ? { body: answer } : answer
    const bytes = { body: new TextEncoder().encode(body), isCut: false, redirects: 0, durationMs: 1 }
    return { url, status, headers: new Map([['content-type', type]]), ...bytes }
  }
  const store = makeMentionStore(db)
  /** Former addresses of posts, and their targets. */
  const redirects = new Map([['/old', post]])
  const toPresent = (path: string): string => redirects.get(path) ?? path
  const { shown, moved, changed, close } = await openShownMentions({
    store,
    toPresent,
    report: (error) => {
      throw error
    },
  })
  const now = () => clock.ms
  const limits = makeRateLimits({ exemptsLoopback: false, now })
  const receive = makeReceiveMention({
    ...{ store, baseUrl, now, count: makeCountSubmission(limits) },
    findPost(named) {
      const path = toPresent(named)
      const formers = [...redirects].flatMap(([former, now]) => (now === path ? [former] : []))
      return path === toPresent(post) ? { path, formers } : undefined
    },
  })
  const work = makeMentionWork({ store, guardedFetch, baseUrl, toPresent, trustedHosts, now, onChange: changed })
  let asked = 0
  return {
    clock,
    web,
    fetched,
    store,
    shown,
    changed,
    close,
    /** Moves the post to another address. */
    move(path: string): void {
      for (const former of [...redirects.keys(), post]) redirects.set(former, path)
      moved()
    },
    look: (): Promise<MentionsSeen> => work(new AbortController().signal, async () => {}),
    /** Sends a webmention, each from a network address of its own unless one is given. */
    async send(fields: Readonly<Record<string, string>> = {}, address = `10.0.${asked >> 8}.${asked++ & 255}`) {
      const body = new URLSearchParams({ source: page, target, ...fields })
      const request = new Request(`${baseUrl}/api/webmention`, { method: 'POST', body })
      try {
        return (await receive(request, '', address)).status
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return `${error.kind} ${error.options.errors?.map((fault) => 'pointer' in fault && fault.pointer)}`
      }
    },
    async states(): Promise<string[]> {
      const rows = await db.selectFrom('webmention').selectAll().orderBy('received_at').orderBy('source').execute()
      return rows.map(({ state, host, author }) => `${state} ${host} ${author}`)
    },
    firstId: async () => (await db.selectFrom('webmention').select('id').executeTakeFirstOrThrow()).id,
  }
}

describe('webmentions of posts', () => {
  let db: LedgerDatabase
  let taker: Awaited<ReturnType<typeof openTaker>>
  beforeEach(async () => {
    db = await openTestLedger()
    taker = await openTaker(db)
  })
  afterEach(async () => {
    await taker.close()
    await db.destroy()
  })

  it('are accepted, verified later, and shown once they are approved', async () => {
    taker.web.set(page, linking('Ada'))
    expect([await taker.send(), await taker.states()]).toEqual([202, ['waiting friend.example null']])
    expect(taker.fetched).toEqual([])
    expect(await taker.look()).toEqual({ seen: 1, found: 1 })
    expect(await taker.states()).toEqual(['pending friend.example Ada'])
    expect(taker.shown.find(post)).toEqual([])
    const before = taker.shown.version()
    expect(await orderMentions({ db, words: [] })).toContain(`pending\t${await taker.firstId()}\t${post}\t${page}\tAda`)
    await orderMentions({ db, words: ['approve', await taker.firstId()] })
    await taker.changed()
    expect(taker.shown.find(post)).toMatchObject([{ source: page, host: 'friend.example', author: 'Ada' }])
    expect(taker.shown.version()).toBeGreaterThan(before)
    // No page is fetched again without a new webmention.
    expect(await taker.look()).toEqual({ seen: 0, found: 0 })
    await expect(orderMentions({ db, words: ['approve', 'nothing'] })).rejects.toThrow('no mention nothing')
  })

  it('are shown at once from hosts that the publisher trusts, and from no others', async () => {
    await taker.close()
    taker = await openTaker(db, ['friend.example'])
    const other = 'https://evil-friend.example/'
    for (const source of [page, other]) {
      taker.web.set(source, linking())
      await taker.send({ source })
    }
    await taker.look()
    expect(await taker.states()).toEqual(['pending evil-friend.example null', 'approved friend.example null'])
    expect(taker.shown.find(post)).toHaveLength(1)
  })

  it.each<[string, Answer]>([
    ['does not link to the post', `<p>${target}</p><!-- <a href="${target}">x</a> --><a href="/">y</a>`],
    ['links to another page of ours', `<a href="${baseUrl}/posts/other">x</a>`],
    ['is no page', { type: 'application/pdf', body: linking() }],
    ['is gone', { status: 410, body: linking() }],
    ['is not there', { status: 404, body: linking() }],
    ['is at an address that we never ask', 'refused'],
  ])('are dropped if the page %s', async (_, answer) => {
    taker.web.set(page, answer)
    await taker.send()
    await taker.look()
    expect(await taker.states()).toEqual([])
  })

  it('that are sent again are verified again: updated or removed', async () => {
    taker.web.set(page, linking('Ada'))
    await taker.send()
    await taker.look()
    await taker.store.decide(await taker.firstId(), 'approved')
    await taker.changed()
    await taker.send()
    await taker.look()
    expect(await taker.states()).toEqual(['approved friend.example Ada'])
    // The approval was for this author name and no other.
    taker.web.set(page, linking('Buy pills'))
    await taker.send()
    await taker.look()
    expect([await taker.states(), taker.shown.find(post)]).toEqual([['pending friend.example Buy pills'], []])
    await taker.store.decide(await taker.firstId(), 'approved')
    await taker.changed()
    taker.web.set(page, { status: 410 })
    await taker.send()
    expect(taker.shown.find(post)).toHaveLength(1)
    await taker.look()
    expect([await taker.states(), taker.shown.find(post)]).toEqual([[], []])
  })

  it('that were rejected stay rejected, and their page is not fetched again', async () => {
    taker.web.set(page, linking())
    await taker.send()
    await taker.look()
    await orderMentions({ db, words: ['refuse', await taker.firstId()] })
    expect([await taker.send(), await taker.look()]).toEqual([202, { seen: 0, found: 0 }])
    expect(await taker.states()).toEqual(['refused friend.example null'])
  })

  it('whose page does not respond are verified again with growing delays, and then given up', async () => {
    taker.web.set(page, 'timeout')
    await taker.send()
    await taker.look()
    expect(await taker.look()).toEqual({ seen: 0, found: 0 })
    for (let times = 1; times < 5; times++) {
      expect(await taker.states()).toEqual(['waiting friend.example null'])
      taker.clock.ms += day
      taker.web.set(page, { status: 503 })
      await taker.look()
    }
    expect([taker.fetched.length, await taker.states()]).toEqual([5, []])
  })

  it('are verified even if a clock that was ahead has set their times, before or after a failure', async () => {
    taker.clock.ms += 365 * day
    await taker.send()
    await taker.look()
    await taker.send({ source: 'https://other.example/' })
    taker.clock.ms = start
    expect(await taker.look()).toEqual({ seen: 2, found: 0 })
  })

  it('that are shown stay while their page does not respond', async () => {
    taker.web.set(page, linking())
    await taker.send()
    await taker.look()
    await taker.store.decide(await taker.firstId(), 'approved')
    taker.web.set(page, 'unreachable')
    await taker.send()
    for (let times = 0; times < 6; times++) {
      await taker.look()
      taker.clock.ms += day
    }
    expect([taker.fetched.length, await taker.states()]).toEqual([6, ['approved friend.example null']])
  })

  it.each([
    [{ target: `${baseUrl}/posts/nothing` }, '/target'],
    [{ target: `https://other.example${post}` }, '/target'],
    [{ target: 'fair-play' }, '/target'],
    [{ source: 'http://friend.example/' }, '/source'],
    [{ source: 'https://127.0.0.1/' }, '/source'],
    [{ source: 'https://localhost/' }, '/source'],
    [{ source: 'https://a:b@friend.example/' }, '/source'],
    [{ source: 'https://friend.example:8443/' }, '/source'],
    [{ source: `${baseUrl}/posts/other` }, '/source'],
    [{ source: `https://friend.example/${'a'.repeat(2048)}` }, '/source'],
  ])('with %j are refused', async (fields, pointer) => {
    expect(await taker.send(fields)).toBe(`invalid-input ${pointer}`)
    expect(await taker.states()).toEqual([])
  })

  it('may name a post with a fragment, a trailing slash, or a former address', async () => {
    for (const named of [`${target}#part`, `${target}/`, `${baseUrl}/old`, target.replace('https', 'http')])
      expect(await taker.send({ target: named })).toBe(202)
    expect(await taker.states()).toHaveLength(1)
  })

  it('are found on pages that link to a former address of the post', async () => {
    taker.web.set(page, `<a href="${baseUrl}/old/">this</a>`)
    await taker.send({ target: `${baseUrl}/old/` })
    expect(await taker.look()).toEqual({ seen: 1, found: 1 })
    expect(await taker.states()).toEqual(['pending friend.example null'])
  })

  it('stay with a post that moves: shown, updated and removed at its new address', async () => {
    const now = '/posts/fair-game'
    taker.web.set(page, linking('Ada'))
    await taker.send()
    await taker.look()
    await taker.store.decide(await taker.firstId(), 'approved')
    await taker.changed()
    const before = taker.shown.version()
    taker.move(now)
    expect([taker.shown.find(post), taker.shown.version() > before]).toEqual([[], true])
    expect(taker.shown.find(now)).toMatchObject([{ source: page, author: 'Ada' }])
    taker.web.set(page, `<meta name="author" content="Ada"><a href="${baseUrl}${now}">this</a>`)
    await taker.send({ target: baseUrl + now })
    expect([await taker.look(), await taker.states()]).toEqual([{ seen: 1, found: 1 }, ['approved friend.example Ada']])
    taker.web.set(page, { status: 410 })
    await taker.send({ target: baseUrl + now })
    await taker.look()
    expect([await taker.states(), taker.shown.find(now)]).toEqual([[], []])
  })

  it('are limited per network address, per host, and in all that are undecided', async () => {
    const sent = []
    for (let at = 0; at < 4; at++) sent.push(await taker.send({ source: `${page}/${at}` }, '203.0.113.7'))
    expect(sent).toEqual([202, 202, 'rate-limited undefined', 'rate-limited undefined'])
    const ofHost = []
    for (let at = 0; at < 22; at++) ofHost.push(await taker.send({ source: `https://many.example/${at}` }))
    expect(ofHost.filter((status) => status === 202)).toHaveLength(20)
    // A repeated webmention does not count as new.
    expect(await taker.send({ source: 'https://many.example/1' })).toBe(202)
    const row = { target: post, state: 'pending', attempts: 0, next_at: null, received_at: start } as const
    const rows = Array.from({ length: 1978 }, (_, at) => ({ ...row, id: `i${at}`, source: `${at}`, host: `${at}` }))
    for (let at = 0; at < rows.length; at += 500)
      await db
        .insertInto('webmention')
        .values(rows.slice(at, at + 500))
        .execute()
    expect(await taker.send({ source: 'https://late.example/' })).toBe('rate-limited undefined')
  })
})

describe('a page that mentions a post', () => {
  const isTarget = (url: URL): boolean => url.href === target
  const read = (html: string) => readSource(html, page, isTarget)

  it.each([
    [`<a href="${target}">`, true],
    [`<base href="${baseUrl}/posts/"><a href=" fair-play ">`, true],
    [`<blockquote cite="${target}">`, true],
    [`<img src=${target}>`, true],
    [`<template><a href="${target}"></a></template>`, false],
    [`<script>"<a href='${target}'>"</script>`, false],
    [`<textarea><a href="${target}"></textarea>`, false],
    [`<a data-href="${target}" title="${target}">`, false],
    ['<a href="https://[">', false],
  ])('links by %s: %s', (html, links) => {
    expect(read(html).links).toBe(links)
  })

  it('names its author by microformats, or else in its head, on one short line', () => {
    const marked = '<p class="h-card p-author"><a href="/"> Ada\n<b>Lovelace</b></a></p><p>More</p>'
    expect(read(`<meta name="Author" content="Head">${marked}`).author).toBe('Ada Lovelace')
    expect(read('<meta name=author content=" Head ">').author).toBe('Head')
    expect(read('<p>none</p>').author).toBeUndefined()
    expect(read(`<meta name="author" content="${'a'.repeat(500)}">`).author).toHaveLength(80)
    expect(read('<p class=p-author>x\u202Ey').author).toBe('x y')
  })
})

describe('the mentions below a post', () => {
  it('are text and a link with rel=nofollow ugc, whatever strangers call themselves', () => {
    fc.assert(
      fc.property(hostileText, (author) => {
        const html = fillMentions(`<p>${mentionsMark}</p>`, [
          { source: 'https://a.example/?a="&b=<', host: 'a.example', author },
        ])
        const tags = html.match(/<[^>]*>/g) ?? []
        expect(tags.filter((tag) => /^<\/?(?:p|section|h2|ul|li|a|span)\b/.test(tag))).toHaveLength(tags.length)
        expect(tags).toHaveLength(14)
        expect(html).toContain('<a href="https://a.example/?a=&quot;&amp;b=&lt;" rel="nofollow ugc">')
      }),
      { numRuns: figure(50, 2000), ...seed },
    )
  })

  it('are none without mentions, and otherwise the newest hundred', () => {
    expect(fillMentions(`<p>${mentionsMark}</p>`, [])).toBe('<p></p>')
    const many = Array.from({ length: 120 }, (_, at) => ({
      source: `https://${at}.example/`,
      host: `h${at}`,
      author: null,
    }))
    const html = fillMentions(mentionsMark, many)
    expect([html.includes('h19<'), html.includes('h20<'), html.includes('h119<')]).toEqual([false, true, true])
  })
})
