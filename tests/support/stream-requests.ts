import { request } from 'node:http'

/** One response as a client sees it. */
export interface Seen {
  readonly status: number
  readonly body: string
}

/** Sends a request over a new connection, so that no idle one can be closed under it; rejects if it breaks. */
export function askOnce(port: number, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, headers, agent: false }, (res) => {
      res
        .toArray()
        .then((chunks) => resolve({ status: res.statusCode ?? 0, body: Buffer.concat(chunks).toString() }), reject)
    })
    asking.on('error', reject).end()
  })
}

const callers = 6

/**
 * Visitors of a site, each with one request after another: pages, their files, searches, health and prices.
 *
 * @param skill slug of a skill on sale
 */
export function streamRequests(port: number, skill: string) {
  const visits: readonly (readonly [path: string, status: number])[] = [
    ['/', 200],
    ['/posts/fair-play', 200],
    ['/api/search.json?q=price', 200],
    [`/skills/${skill}/raw`, 402],
    ['/api/catalog.json', 200],
    ['/stats', 200],
    ['/rss.xml', 200],
    ['/llms-full.txt', 402],
    ['/readyz', 200],
    ['/posts/no-such-post', 404],
  ]
  const failures: string[] = []
  let asked = 0
  let isOver = false

  async function visit(from: number): Promise<void> {
    for (let turn = from; !isOver; turn++) {
      const [path, status] = visits[turn % visits.length] ?? ['/', 200]
      const seen = await askOnce(port, path).catch((error: unknown) => ({ status: 0, body: String(error) }))
      asked += 1
      if (seen.status !== status || seen.body === '')
        failures.push(`${path}: ${seen.status} ${seen.body.slice(0, 200)}`)
    }
  }

  const visitors = Array.from({ length: callers }, (_, caller) => visit(caller))
  return {
    /** The number of completed requests, whatever the response. */
    asked: (): number => asked,
    /** Stops, and returns the unexpected responses. */
    async stop(): Promise<string[]> {
      isOver = true
      await Promise.all(visitors)
      return failures
    },
  }
}
