import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { deployWallet, fund, garbageErc6492, signForWallet } from './hostile-wallets.ts'
import type { RunningMoney } from './money.ts'
import type { RunningSite } from './running-site.ts'
import { encodeHeader, signPayment } from './signed-payments.ts'

const skill = { path: '/api/x402/agent-seo/bot-catalog', amount: 50_000n }
const narrate = { path: '/api/x402/media/narrate', amount: 50_000n }
const longText = 'Nobody had asked the lamp what it thought of the weather, and it burned all the same. '.repeat(100)

/** Requests per second of each hostile address. */
const perSecond = 1
const honestPerSecond = 2
/** How often a buyer who is told to retry does so at most. */
const patience = 5

interface Crowd {
  site: Pick<RunningSite, 'fetch'>
  money: RunningMoney
  addresses: number
  seconds: number
}

/** The results of honest buyers. */
export interface Seen {
  /** The last status of each purchase. */
  statuses: number[]
  /** Milliseconds from the first request of each purchase to its product. */
  waits: number[]
  /** The responses to hostile addresses, by status; 0 where they hung up. */
  hostile: Map<number, number>
}

/**
 * Honest buyers, two per second, beside hostile addresses that send invalid signatures, request expensive work and hang
 * up, and pay from contract wallets that burn gas. The site has to trust one proxy and to have rate limits.
 */
export async function buyBesideHostile({ site, money, addresses, seconds }: Crowd): Promise<Seen> {
  const wallets = await Promise.all(
    (['burns', 'loops', 'costly', 'reverts', 'simulated'] as const).map((manner) =>
      deployWallet(money.rpc, manner, { figure: 20_000_000n }),
    ),
  )
  const keys = await Promise.all(
    Array.from({ length: addresses }, async () => {
      const privateKey: `0x${string}` = `0x${randomBytes(32).toString('hex')}`
      await fund(money.rpc, privateKeyToAccount(privateKey).address, 10_000_000n)
      return privateKey
    }),
  )
  const headersOf = (address: string, header: string) => ({ 'payment-signature': header, 'x-forwarded-for': address })
  const until = performance.now() + seconds * 1000
  const seen: Seen = { statuses: [], waits: [], hostile: new Map() }

  const sendGarbage = async (address: string): Promise<number> => {
    const { payload } = await signPayment({ amount: skill.amount, payTo: sandboxPayTo })
    const garbage = { ...payload, payload: { ...payload.payload, signature: garbageErc6492() } }
    const answer = await site.fetch(skill.path, { headers: headersOf(address, encodeHeader(garbage)) })
    await answer.arrayBuffer()
    return answer.status
  }
  const payFromContract = async (address: string, turn: number): Promise<number> => {
    const wallet = wallets[turn % wallets.length]
    if (!wallet) throw new RangeError('no wallet')
    const { header } = await signForWallet(wallet, { amount: skill.amount, payTo: sandboxPayTo })
    const answer = await site.fetch(skill.path, { headers: headersOf(address, header) })
    await answer.arrayBuffer()
    return answer.status
  }
  const askAndHangUp = async (address: string, turn: number): Promise<number> => {
    const privateKey = keys[turn % keys.length]
    const { header } = await signPayment({
      amount: narrate.amount,
      payTo: sandboxPayTo,
      ...(privateKey && { privateKey }),
    })
    const gone = new AbortController()
    const asking = site
      .fetch(narrate.path, {
        method: 'POST',
        body: JSON.stringify({ text: `${randomBytes(4).toString('hex')} ${longText}` }),
        headers: { ...headersOf(address, header), 'content-type': 'application/json' },
        signal: gone.signal,
      })
      .then(
        ({ status }) => status,
        () => 0,
      )
    await Promise.race([asking, delay(150)])
    gone.abort()
    return asking
  }

  const beHostile = async (number: number): Promise<void> => {
    const address = `198.51.100.${number + 1}`
    await delay((number * 1000) / addresses)
    for (let turn = number; performance.now() < until; turn++) {
      const began = performance.now()
      const ways = [sendGarbage, payFromContract, askAndHangUp]
      const status = await (ways[turn % ways.length] ?? sendGarbage)(address, turn)
      seen.hostile.set(status, (seen.hostile.get(status) ?? 0) + 1)
      await delay(Math.max(0, 1000 / perSecond - (performance.now() - began)))
    }
  }

  const beHonest = async (number: number): Promise<void> => {
    await delay((number * 1000) / honestPerSecond)
    const { header } = await signPayment({ amount: skill.amount, payTo: sandboxPayTo, token: `honest-${number}` })
    const began = performance.now()
    let status = 0
    for (let attempt = 0; attempt < patience; attempt++) {
      const answer = await site.fetch(skill.path, { headers: headersOf(`203.0.113.${number % 250}`, header) })
      await answer.arrayBuffer()
      status = answer.status
      if (status < 500 && status !== 409) break
      await delay(Number(answer.headers.get('retry-after') ?? 1) * 1000)
    }
    seen.statuses.push(status)
    seen.waits.push(performance.now() - began)
  }

  await Promise.all([
    ...Array.from({ length: addresses }, (_, number) => beHostile(number)),
    ...Array.from({ length: seconds * honestPerSecond }, (_, number) => beHonest(number)),
  ])
  return seen
}
