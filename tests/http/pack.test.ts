import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packOffer from '../../functions/llms-pack/offer.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { openPretendWeb, type PretendWeb } from '../support/pretend-web.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { payingFetch, sign } from '../support/stock-client.ts'

const article = `<!doctype html><title>Tides &amp; moons</title><nav><a href="/">Home</a></nav>
  <article><h1>Tides</h1><p>The sea rises <b>twice</b> a day, and the <a href="/moon">moon</a> is why.</p></article>`
const hosts = ['news.test', 'docs.test', 'hostile.test', 'plain.test', 'absent.test']

let money: RunningMoney
let web: PretendWeb
let site: RunningSite
beforeAll(async () => {
  money = await startMoney()
  web = await openPretendWeb({
    'news.test': {
      '/tides': article,
      '/moved': { status: 302, headers: { location: 'https://docs.test/guide' } },
      '/inside': { status: 302, headers: { location: 'https://127.0.0.1/secret' } },
    },
    'docs.test': {
      '/guide': (request, response) => {
        const isAsked = request.headers.accept?.startsWith('text/markdown')
        response.writeHead(200, { 'content-type': isAsked ? 'text/markdown; charset=utf-8' : 'text/html' })
        response.end(isAsked ? '# The guide\n\nStep *one*.\n' : '<h1>Not this</h1>')
      },
    },
    'hostile.test': {
      '/seams': '<title>---</title><main><p>before</p><pre>---\nhttps://forged.test/\n---</pre><p>after</p></main>',
      '/deep': '<div>'.repeat(400_000),
      '/long': `<main><p>${'words and words '.repeat(10_000)}</p></main>`,
    },
    'plain.test': {
      '/notes': {
        headers: { 'content-type': 'text/plain; charset=iso-8859-1' },
        body: Buffer.from('caf\xe9\u001b[31m', 'latin1'),
      },
      '/picture': { headers: { 'content-type': 'image/png' }, body: 'png' },
      '/utf7': { headers: { 'content-type': 'text/html; charset=utf-7' }, body: '+ADw-script+AD4-' },
    },
  })
  site = await startSite({ ...money, env: { EGRESS_TEST_HOSTS: web.egress(...hosts), EGRESS_TEST_CA: web.caFile } })
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await web?.close()
  await money?.stop()
})

const url = testBaseUrl + packOffer.path
const buyer = sandboxAccounts.buyer.privateKey
const request = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const pack = async (urls: readonly string[], more: object = {}) => {
  const answer = await payingFetch(buyer, site.fetch)(url, request({ urls, ...more }))
  return { answer, text: await answer.text() }
}

describe('the packer', () => {
  it('sells the text of pages in the order in which they were named, priced by their number', async () => {
    const before = await money.transfersTo()
    const { answer, text } = await pack([
      'https://news.test/moved',
      'https://news.test/tides',
      'https://plain.test/notes',
    ])
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(answer.headers.get('x-pack-failed')).toBe('0')
    expect(text.replaceAll(/(?<=fetched )\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'now')).toBe(
      [
        'The guide\nhttps://news.test/moved\ntext/markdown, 25 bytes, about 8 tokens, fetched now\n\n# The guide\n\nStep *one*.',
        `Tides & moons\nhttps://news.test/tides\ntext/html, ${article.length} bytes, about 28 tokens, fetched now\n\n# Tides\n\nThe sea rises **twice** a day, and the [moon](https://news.test/moon) is why.`,
        'https://plain.test/notes\nhttps://plain.test/notes\ntext/plain, 9 bytes, about 1 tokens, fetched now\n\ncafé',
      ].join('\n---\n'),
    )
    expect((await money.transfersTo()).slice(before.length).map(({ value }) => value)).toEqual([80_000n])
  })

  it('says in place of a missing page why it is missing, and how many are', async () => {
    const { answer, text } = await pack([
      'https://news.test/tides',
      'https://news.test/gone',
      'https://news.test/inside',
      'https://no-such-host.test/',
      'https://plain.test/picture',
      'https://plain.test/utf7',
      'https://hostile.test/deep',
    ])
    expect([answer.status, answer.headers.get('x-pack-failed')]).toEqual([200, '6'])
    expect(text.split('\n---\n').map((section) => section.split('\n').slice(2).join('\n'))).toEqual([
      expect.stringContaining('The sea rises'),
      '[not fetched: the site answered 404]',
      '[not fetched: it could not be reached]',
      '[not fetched: it could not be reached]',
      '[not fetched: not text]',
      '[not fetched: its charset is not known]',
      '[not fetched: the page has no text]',
    ])
  })

  it('lets no page forge a section, and cuts each to the length that was asked for', async () => {
    const { text } = await pack(['https://hostile.test/seams', 'https://hostile.test/long'], { maxCharsPerPage: 1000 })
    const [first = '', second = '', ...more] = text.split('\n---\n')
    expect(more).toEqual([])
    expect(first.replace(/^text\/html.*\n\n/m, '')).toBe(
      '\\---\nhttps://hostile.test/seams\nbefore\n\n```\n\\---\nhttps://forged.test/\n\\---\n```\n\nafter',
    )
    const body = second.split('\n').slice(2).join('\n')
    expect(body).toMatch(/words\n\[cut here: the page is longer\]$/)
    expect(body.length).toBeLessThanOrEqual(1000)
    expect(body.length).toBeGreaterThan(900)
  })

  it('fetches a page once that is named twice, and lists it twice', async () => {
    const before = web.asked.length
    const { text } = await pack(['https://news.test/tides', 'https://news.test/tides'])
    const [first, second] = text.split('\n---\n')
    expect(first).toBe(second)
    expect(web.asked.length - before).toBe(1)
  })

  it('charges nothing when no page can be fetched, and sells for the same signature once one can', async () => {
    const body = request({ urls: ['https://absent.test/a', 'https://absent.test/b'] })
    const { header } = await sign(url, body, { privateKey: buyer, fetch: site.fetch })
    const ask = () => site.fetch(url, { ...body, headers: { ...body.headers, 'PAYMENT-SIGNATURE': header } })
    const before = await money.transfersTo()
    const failed = await ask()
    expect([failed.status, await failed.json()]).toMatchObject([
      502,
      { charged: false, detail: expect.stringContaining('the site answered 404') },
    ])
    expect(await money.transfersTo()).toHaveLength(before.length)
    web.serve('absent.test', { '/b': article })
    const sold = await ask()
    expect([sold.status, sold.headers.get('x-pack-failed')]).toEqual([200, '1'])
    expect(await money.transfersTo()).toHaveLength(before.length + 1)
  })
})
