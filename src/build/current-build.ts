import { renameSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Lets `current`, beside all builds, lead to this one, for programs that are started by a fixed command. In one step:
 * whoever starts meanwhile finds the build of before or this one.
 */
export function pointCurrentTo(build: string): void {
  const link = join(dirname(build), 'current')
  const fresh = `${link}.${process.pid}`
  symlinkSync(basename(build), fresh)
  renameSync(fresh, link)
}
