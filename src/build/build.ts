import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/config.ts'
import { alsoTaken } from '../config/other-networks.ts'
import { listPosts } from '../content/waiting-posts.ts'
import { toLogText } from '../core/log.ts'
import { toBuildBytes, toMemoryWarning } from '../core/small-memory.ts'
import { buildFiles, toBuildFacts } from '../storage/build-folder.ts'
import { pinBuild, pruneBuilds } from '../storage/build-pins.ts'
import { toBuildEnvironment } from './build-environment.ts'
import { BuildError } from './build-error.ts'
import { type BuildInputs, readBuildInputs } from './build-inputs.ts'
import { withBuildLock } from './build-lock.ts'
import { checkSiteConfig } from './check-site-config.ts'
import { findEarlierBuild } from './earlier-build.ts'
import { makePrograms } from './programs/make-programs.ts'
import { runRepeatedBuild } from './repeated/run-repeated-build.ts'
import { type AstroBuild, runAstroBuild } from './run-astro-build.ts'
import { takeOver } from './take-over.ts'
import { throwMistakes } from './throw-mistakes.ts'

interface Options {
  /** One line for people, when there is something to wait for. */
  readonly log: (line: string) => void
  /** When the build will be served, if that is not now: posts that are due by then are in it. */
  readonly asOf?: Date
  /** The folder of the repository; this one by default. */
  readonly root?: string
  /** Writes the whole build into a folder; tests put a double here. */
  readonly runBuild?: (build: AstroBuild) => Promise<void>
}

/** Builds the site and, at the same time, the game host's files and the programs, which do not depend on posts. */
async function runWholeBuild(build: AstroBuild): Promise<void> {
  const { root, outDir } = build
  await checkSiteConfig(root)
  // Beside the folder of the build, which Astro empties when it begins.
  const beside = `${outDir}-beside`
  // Left by a killed process with the same id.
  rmSync(beside, { recursive: true, force: true })
  try {
    const ended = await Promise.allSettled([makeSite(build), makePrograms({ ...build, outDir: beside })])
    for (const part of ended) if (part.status === 'rejected') throw part.reason
    for (const name of readdirSync(beside)) renameSync(join(beside, name), join(outDir, name))
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}

/** Builds pages and endpoints, from the bundle of an earlier build where it can be reused, otherwise with Astro. */
async function makeSite(build: AstroBuild): Promise<void> {
  const repeated = await runRepeatedBuild(build)
  const endpointsOf = (folder: string) => dirname(buildFiles(folder).entry)
  if (repeated.is === 'built') {
    await takeOver(endpointsOf(repeated.from), endpointsOf(build.outDir))
    return
  }
  // Mistakes in the content would make Astro's build fail, too.
  if (repeated.is === 'failed') await throwMistakes(build)
  await runAstroBuild(build, buildFiles(build.outDir).manifest)
  if (repeated.is === 'failed') build.log?.(`built from nothing, because a quicker build failed:\n${repeated.tail}`)
}

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** When files keep changing during builds, the build ends with an error, not with a build under a wrong key. */
const maxAttempts = 3

/**
 * Makes sure that the site is built from this code, content and configuration, and pins the build for this process.
 * A finished build is used at once; builds of other configurations are left alone, so a running server
 * keeps what it serves.
 *
 * @returns the build's folder
 * @throws BuildError when the site does not build
 */
export async function ensureBuild(config: Config, options: Options): Promise<string> {
  const { log, root = repository, asOf } = options
  const read = () => readBuildInputs(root, config, asOf)
  const builds = join(root, '.build')
  let inputs = read()
  const ready = findBuild(builds, inputs.key)
  if (ready) return ready
  let hasWaited = false
  const onWait = () => {
    hasWaited = true
    log('waiting for another build of this folder to finish')
  }
  return withBuildLock(join(builds, 'lock.db'), onWait, async () => {
    if (hasWaited) inputs = read()
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const built = findBuild(builds, inputs.key) ?? (await build(config, inputs, builds, options))
      if (built) return built
      log('files changed while the site was being built')
      inputs = read()
    }
    throw new BuildError(
      `the site's files changed during each of ${maxAttempts} builds; try again once they stop changing`,
    )
  })
}

/** The finished build with this key. It is pinned before the check, so that no other process removes it in between. */
function findBuild(builds: string, key: string): string | undefined {
  const folder = join(builds, key)
  pinBuild(folder)
  return existsSync(buildFiles(folder).facts) ? folder : undefined
}

/** Builds in a temporary folder and renames it atomically; undefined when the inputs no longer match the key. */
async function build(
  config: Config,
  inputs: BuildInputs,
  builds: string,
  options: Options,
): Promise<string | undefined> {
  const { key, ground, program } = inputs
  const { log, root = repository, runBuild = runWholeBuild, asOf } = options
  log('building the site (about 15 seconds)')
  const warning = toMemoryWarning('the build', toBuildBytes(listPosts(root).length), process.availableMemory())
  if (warning) log(warning)
  const folder = join(builds, key)
  const fresh = `${folder}.tmp-${process.pid}`
  // Left by a killed process with the same id, as happens in containers; its files may be links into an earlier build.
  rmSync(fresh, { recursive: true, force: true })
  try {
    const earlier = findEarlierBuild(builds, ground)
    const env = toBuildEnvironment(config, process.env, asOf)
    await runBuild({ root, outDir: fresh, env, log, ...(earlier !== undefined && { earlier }) })
    const after = readBuildInputs(root, config, asOf)
    if (after.key !== key) return undefined
    const [next] = after.waiting
    const made = { key, program, ground, ...(next && { nextPostAt: next.publishedAt.toISOString() }) }
    writeFileSync(
      buildFiles(fresh).facts,
      JSON.stringify(toBuildFacts(made, { ...config, alsoAccepts: alsoTaken(config) }), null, 2),
    )
    // A folder without build.json was never finished, so nobody serves it.
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
    // Not awaited: what could not be removed is removed after the next build.
    pruneBuilds(builds).catch((error: unknown) => log(`an old build could not be removed: ${toLogText(error)}`))
    return folder
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
