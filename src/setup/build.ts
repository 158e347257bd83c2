import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { network } from '../chain-constants.ts'
import type { Config } from '../config.ts'
import { type BuildFacts, buildFiles } from '../server/build-folder.ts'
import { toBuildEnvironment } from './build-environment.ts'
import { toBuildKey } from './build-key.ts'
import { withBuildLock } from './build-lock.ts'
import { pinBuild, pruneBuilds } from './build-pins.ts'
import { runAstroBuild } from './run-astro-build.ts'

interface Options {
  /** One line for people, when there is something to wait for. */
  readonly log: (line: string) => void
  /** Of the repository. */
  readonly root?: string
}

const repository = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Makes sure that the site is built from this code, content and configuration, and pins the build for this process.
 * A finished build is used at once; builds of other configurations are left alone, so a running server
 * keeps what it serves.
 *
 * @returns the build's folder
 * @throws BuildError when the site does not build
 */
export async function ensureBuild(config: Config, { log, root = repository }: Options): Promise<string> {
  const key = toBuildKey(root, config)
  const builds = join(root, '.build')
  const folder = join(builds, key)
  const isFinished = () => existsSync(buildFiles(folder).facts)
  pinBuild(folder)
  if (isFinished()) return folder
  const onWait = () => log('waiting for another build of this folder to finish')
  return withBuildLock(join(builds, 'lock.db'), onWait, async () => {
    if (isFinished()) return folder
    log('building the site (about 15 seconds)')
    const fresh = `${folder}.tmp-${process.pid}`
    try {
      await runAstroBuild({ root, outDir: fresh, env: toBuildEnvironment(config, process.env) })
      writeFileSync(buildFiles(fresh).facts, JSON.stringify(toFacts(key, config), null, 2))
      // What lies there under the name is not finished, so nobody serves it.
      rmSync(folder, { recursive: true, force: true })
      renameSync(fresh, folder)
    } finally {
      rmSync(fresh, { recursive: true, force: true })
    }
    pruneBuilds(builds)
    return folder
  })
}

const toFacts = (key: string, { baseUrl, payTo, asset, mode }: Config): BuildFacts => ({
  key,
  baseUrl,
  payTo,
  network,
  asset,
  mode,
  createdAt: new Date().toISOString(),
})
