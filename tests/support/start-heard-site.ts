import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeEpisode } from './make-episode.ts'
import { startSite, testBuild } from './running-site.ts'

/** The site with the beginning of one post narrated, for tests of players in its pages. */
export async function startHeardSite(slug: string, env: Readonly<Record<string, string>> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-heard-'))
  const episode = await makeEpisode({ build: testBuild(), folder: join(dataDir, 'audio'), slug })
  const site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9', dataDir, env })
  return { site, episode }
}
