import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { smallMemory, smallYoungGeneration } from '../src/core/small-memory.ts'
import { stopWithParent } from '../src/sandbox/stop-with-parent.ts'
import { type SiteOptions, startSite } from '../tests/support/running-site.ts'
import type { Bench } from './row.ts'
import type { Server } from './server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Options that run the site from its sources, so that the profile has readable names; the built program is minified.
 */
const toProfiled = (folder: string) => ({
  settings: { NODE_OPTIONS: `${smallYoungGeneration} --cpu-prof --cpu-prof-dir=${folder}` },
  place: { root: resolve(root), program: 'src/site/main.ts' },
})

/** Starts the whole site program in the environment of our units of systemd, with a ledger of its own. */
export async function startOurSite(
  { build, money, newFolder, started, profiles }: Bench,
  settings: Readonly<Record<string, string>> = {},
  place: Pick<SiteOptions, 'program' | 'root'> = {},
): Promise<Server> {
  const profiled = profiles === undefined ? undefined : toProfiled(profiles)
  const asDeployed = { NODE_ENV: 'production', ...smallMemory, NODE_OPTIONS: smallYoungGeneration }
  const env = { ...asDeployed, ...settings, ...profiled?.settings }
  const site = await startSite({ ...money, build, ...profiled?.place, ...place, dataDir: newFolder(), env })
  const { pid } = site.child
  const callOffGuard = pid === undefined ? () => {} : stopWithParent(pid)
  started.defer(async () => {
    await site.kill('SIGTERM')
    callOffGuard()
  })
  return { origin: `http://127.0.0.1:${site.port}`, pid }
}
