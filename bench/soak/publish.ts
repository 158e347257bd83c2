import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from './ask.ts'
import type { OpenRecord } from './record.ts'
import type { Shop } from './shop.ts'

/** A short post, because each of its versions is narrated anew. */
const slug = 'anzen-na-saishikou'
const patienceMs = 300_000

/**
 * Publishes as an operator does: changes a post, builds the site, and waits until both site programs show the change.
 */
export function makePublisher(shop: Shop, { record, second }: OpenRecord) {
  const file = join(shop.root, 'content/posts', `${slug}.mdx`)
  const before = readFileSync(file, 'utf8')
  let edition = 0

  async function shows(port: number, mark: string): Promise<boolean> {
    // A site that is restarting is asked again.
    const answer = await ask(port, { path: `/posts/${slug}` }).catch(() => undefined)
    return answer?.status === 200 && answer.body.toString().includes(mark)
  }

  return async (): Promise<void> => {
    edition += 1
    const mark = `Soak edition ${edition}.`
    writeFileSync(file, `${before}\n${mark}\n`)
    const from = performance.now()
    await shop.build()
    const built = performance.now()
    for (const at of [0, 1])
      while (!(await shows(shop.sitePorts()[at] ?? 0, mark))) {
        if (performance.now() - built > patienceMs) throw new Error(`site ${at + 1} does not show "${mark}"`)
        await delay(500)
      }
    const times = { buildMs: Math.round(built - from), shownMs: Math.round(performance.now() - built) }
    record.builds.push({ second: second(), ...times })
  }
}
