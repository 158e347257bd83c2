import { stopWithParent } from '../src/sandbox/stop-with-parent.ts'
import { type SiteOptions, startSite } from '../tests/support/running-site.ts'
import type { Bench } from './row.ts'
import type { Server } from './server.ts'

/** Starts the whole site program as it runs in production, with a ledger of its own. */
export async function startOurSite(
  { build, money, newFolder, started }: Bench,
  settings: Readonly<Record<string, string>> = {},
  place: Pick<SiteOptions, 'program' | 'root'> = {},
): Promise<Server> {
  const env = { NODE_ENV: 'production', ...settings }
  const site = await startSite({ ...money, build, ...place, dataDir: newFolder(), env })
  const { pid } = site.child
  const callOffGuard = pid === undefined ? () => {} : stopWithParent(pid)
  started.defer(async () => {
    await site.kill('SIGTERM')
    callOffGuard()
  })
  return { origin: `http://127.0.0.1:${site.port}`, pid }
}
