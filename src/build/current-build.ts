import { renameSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Points the symbolic link `current`, in the folder of all builds, to this build, for programs that are started by a
 * fixed command. The replacement is atomic: a program that starts meanwhile finds either the previous build or this
 * one.
 */
export function pointCurrentTo(build: string): void {
  const link = join(dirname(build), 'current')
  const fresh = `${link}.${process.pid}`
  symlinkSync(basename(build), fresh)
  renameSync(fresh, link)
}
