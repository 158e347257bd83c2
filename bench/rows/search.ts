import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMicros } from '../cpu-time.ts'
import type { Row, Sample } from '../row.ts'
import { makePosts, makeQueries } from '../search-corpus.ts'
import { type Peer, startPeer } from '../start-peer.ts'

const posts = 10_000
const perSecond = 200
const connections = 8
const peers = ['MiniSearch', 'Orama', 'MiniSearch, whole words'] as const

/** How fast a search is, alone and under a steady stream of them. */
export const search: Row = {
  title: 'Search',
  meaning: `500 queries of one to three words, frequent to rare, every fourth unfinished, over ${posts.toLocaleString('en')} generated posts of 500 words; an answer is the ten best with a snippet and the total. Every engine has a process of its own behind bare \`node:http\` and asks for all terms with the weights 2, 1 and 0.3. *queries* is what ${connections} connections get; *p50* and *p99* are from the moment a query was due, at ${perSecond} a second whether or not the ones before it are answered, and a query that is not answered when the round ends counts with the time it has waited. We hold our p99 under 20 ms. MiniSearch reads every word that a prefix begins, which the index of ours has merged when it was built; *whole words* is MiniSearch without unfinished words, which is less than ours answers.`,
  measures: [
    { name: 'queries', unit: '/s', digits: 0 },
    { name: 'CPU per query', unit: 'µs', digits: 0 },
    { name: `p50 at ${perSecond}/s`, unit: 'ms', digits: 2 },
    { name: `p99 at ${perSecond}/s`, unit: 'ms', digits: 2 },
  ],
  goals: ['MiniSearch', 'Orama'].map((peer) => ({ measure: 'queries', peer, is: 'at least', ratio: 1 })),
  async open({ seconds }) {
    const paths = makeQueries(makePosts(posts), 500).map((query) => `/?q=${encodeURIComponent(query)}`)
    const start = (engine: string) =>
      startPeer(new URL('../peers/search-engine.ts', import.meta.url), { engine, posts })
    const [ours, ...others] = [await start('ours'), await start(peers[0]), await start(peers[1]), await start(peers[2])]
    const measure = (peer: Peer) => () => measureSearch(peer, paths, seconds)
    return {
      ours: measure(ours),
      peers: Object.fromEntries(others.map((peer, place) => [peers[place] ?? '', measure(peer)])),
      close: async () => void (await Promise.all([ours, ...others].map((peer) => peer.stop()))),
    }
  },
}

async function measureSearch({ origin, pid }: Peer, paths: readonly string[], seconds: number): Promise<Sample> {
  const before = cpuMicros(pid)
  const { answers, elapsedSeconds } = await askInTurns(origin, paths, seconds)
  const used = cpuMicros(pid) - before
  const waits = (await measureWaits(origin, paths, seconds)).toSorted((a, b) => a - b)
  const quantile = (part: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? Number.NaN
  return {
    queries: answers / elapsedSeconds,
    'CPU per query': used / answers,
    [`p50 at ${perSecond}/s`]: quantile(0.5),
    [`p99 at ${perSecond}/s`]: quantile(0.99),
  }
}

/** Every connection asks as soon as it is answered. What is under way at the end is waited for and counted. */
async function askInTurns(origin: string, paths: readonly string[], seconds: number) {
  const start = performance.now()
  let answers = 0
  const askOn = async (first: number): Promise<void> => {
    for (let number = first; performance.now() - start < seconds * 1000; number++) {
      await ask(origin + (paths[number % paths.length] ?? '/'))
      answers += 1
    }
  }
  // Each connection starts elsewhere, so that they do not all ask for the same at once.
  const firsts = Array.from({ length: connections }, (_, place) => Math.floor((place * paths.length) / connections))
  await Promise.all(firsts.map(askOn))
  return { answers, elapsedSeconds: (performance.now() - start) / 1000 }
}

async function ask(url: string, signal: AbortSignal | null = null): Promise<void> {
  const answer = await fetch(url, { signal })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
}

/** Milliseconds from when each query was due until it was answered, or until the round ended. */
async function measureWaits(origin: string, paths: readonly string[], seconds: number): Promise<number[]> {
  const ending = new AbortController()
  const start = performance.now() + 50
  const asked = Array.from({ length: perSecond * seconds }, async (_, number) => {
    const due = start + (number * 1000) / perSecond
    await sleep(Math.max(0, due - performance.now()))
    try {
      await ask(origin + (paths[number % paths.length] ?? '/'), ending.signal)
    } catch (error) {
      if (!ending.signal.aborted) throw error
    }
    return performance.now() - due
  })
  const end = setTimeout(() => ending.abort(), seconds * 1000 + 1000)
  try {
    return await Promise.all(asked)
  } finally {
    clearTimeout(end)
  }
}
