import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { type Ask, insist, type Purchase, signForCatalog } from './patient-buyer.ts'
import { signPayment } from './signed-payments.ts'
import { askForTip, signForTip } from './tip-purchase.ts'

/** The ports of the two programs. */
export interface Places {
  readonly site: number
  readonly game: number
}

/** One action of visitors, its frequency per thousand, and its error, if any. */
export interface Visit {
  readonly of: 'site' | 'game'
  readonly weight: number
  readonly run: () => Promise<string | undefined>
}

interface Request {
  readonly method?: string
  readonly body?: string
  readonly payment?: string
}

const json = (body: object): Request => ({ method: 'POST', body: JSON.stringify(body) })
const toCall = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})
const pack = '/api/x402/llms/pack'
const unlock = '/api/store/unlock'
const words = ['agents', 'payment', 'feed', 'the', 'zebra', 'mark', 'x402', '"', 'éé']

/** Sends one request, and describes the response if it differs from what is expected. */
async function ask(port: number, path: string, expected: number, request: Request = {}): Promise<string | undefined> {
  const { method = 'GET', body, payment } = request
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(payment !== undefined && { 'payment-signature': payment }),
    },
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  return answer.status === expected ? undefined : `${method} ${path}: ${answer.status} ${text.slice(0, 300)}`
}

/**
 * The visits of a long day: readers, searches, requests for prices, invalid requests, underpayments, purchases, and
 * repeated downloads. Purchases are added to `bought`.
 */
export function makeVisits({ site, game }: Places, bought: { skills: Purchase[]; tips: Purchase[] }): Visit[] {
  let turn = 0
  const any = <T>(list: readonly [T, ...T[]]): T => list[turn++ % list.length] ?? list[0]
  const word = () => words[turn++ % words.length] ?? ''
  const onSite = (weight: number, run: Visit['run']): Visit => ({ of: 'site', weight, run })
  const onGame = (weight: number, run: Visit['run']): Visit => ({ of: 'game', weight, run })
  const fetchAgain = async (list: Purchase[], port: number, way?: Ask): Promise<string | undefined> => {
    const purchase = list[turn++ % Math.max(1, list.length)]
    const sent = purchase && (await insist(purchase, port, way && { ask: way }))
    return sent === 'cut' ? 'a redelivery was cut' : undefined
  }
  const buy = async (list: Purchase[], sign: () => Promise<Purchase>, port: number, way?: Ask) => {
    const purchase = await sign()
    const sent = await insist(purchase, port, way && { ask: way })
    list.push(purchase)
    return sent === 'cut' ? 'a sale was cut' : undefined
  }
  return [
    onSite(150, () => ask(site, any(['/', '/posts', '/skills/x402-seller', '/apis/llms-pack', '/index.md']), 200)),
    onSite(100, () => ask(site, any(['/api/catalog.json', '/skills.json', '/openapi.json', '/rss.xml']), 200)),
    onSite(150, () => ask(site, `/api/search.json?q=${encodeURIComponent(`${word()} ${word()}`)}`, 200)),
    onSite(20, () => ask(site, any(['/api/search.json', '/api/search.json?q=ab&limit=0']), 400)),
    onSite(40, () => ask(site, '/api/transcripts/search.json?q=agents', 200)),
    onSite(30, () => ask(site, any(['/api/stats.json', '/api/cron-health.json', '/healthz', '/readyz']), 200)),
    onSite(40, () => ask(site, any(['/nothing', '/posts/nothing', '/receipts/r_nothing', '/audio/no.mp3']), 404)),
    onSite(20, () => ask(site, any(['/api/catalog.json', '/api/search.json']), 405, { method: 'DELETE' })),
    onSite(100, () => ask(site, any(['/llms-full.txt', '/skills/x402-buyer/raw', '/api/export/posts']), 402)),
    onSite(40, () => ask(site, '/llms-full.txt', 402, { method: 'HEAD' })),
    onSite(40, () => ask(site, pack, 402, json({ urls: ['https://example.com/', 'https://example.org/'] }))),
    onSite(30, () => ask(site, pack, 402, { method: 'POST', body: any(['{"urls":', '[]', '{"urls":["ftp://x"]}']) })),
    onSite(20, () => ask(site, '/llms-full.txt', 402, { payment: any(['nonsense', 'bm9uc2Vuc2U=', 'e30=']) })),
    onSite(10, async () => {
      const { header } = await signPayment({ amount: 1n, payTo: sandboxPayTo })
      return ask(site, '/llms-full.txt', 402, { payment: header })
    }),
    onSite(10, async () => {
      const { header } = await signPayment({ amount: 60_000n, payTo: sandboxPayTo })
      return ask(site, pack, 400, { ...json({ urls: ['https://example.com/'], colour: 'red' }), payment: header })
    }),
    onSite(30, () => ask(site, '/api/mcp', 200, json(toCall('search_posts', { query: 'agents' })))),
    onSite(10, () => ask(site, '/api/mcp', 200, json(toCall('get_all_posts_as_text', {})))),
    onSite(10, () => buy(bought.skills, signForCatalog, site)),
    onSite(20, () => fetchAgain(bought.skills, site)),
    onGame(200, () => ask(game, any(['/', '/store.html', '/watch', '/api/leaderboard', '/api/deaths']), 200)),
    onGame(150, () => ask(game, any(['/api/store', '/api/store/entitlements?player=Donor']), 200)),
    onGame(80, () => ask(game, unlock, 402, json({ sku: any(['tip_3', 'death_frames_pro']), playerName: 'Ada' }))),
    onGame(30, () => ask(game, unlock, 404, json({ sku: 'a-crown', playerName: 'Ada' }))),
    onGame(40, () => ask(game, any(['/nothing', '/api/replays/d_nobody']), 404)),
    onGame(20, () => ask(game, unlock, 402, { ...json({ sku: 'tip_3', playerName: '<b>' }), payment: 'wrong' })),
    onGame(2, () => buy(bought.tips, signForTip, game, askForTip)),
    onGame(10, () => fetchAgain(bought.tips, game, askForTip)),
  ]
}
