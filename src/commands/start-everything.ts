import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { ensureBuild } from '../build/build.ts'
import type { Config } from '../config/config.ts'
import { findDoubts } from '../config/find-doubts.ts'
import { log } from '../core/log.ts'
import { neededBytes, toMemoryWarning } from '../core/small-memory.ts'
import { listen } from '../http/listen.ts'
import { stopOnSignal } from '../http/shutdown.ts'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { openSite } from '../site/open-site.ts'
import { startOwnFacilitator } from '../site/start-own-facilitator.ts'
import { announceBuild } from '../storage/announced-build.ts'
import { buildFiles } from '../storage/build-folder.ts'
import { keepPrivate } from '../storage/private-files.ts'
import { toGreeting } from './greeting.ts'
import { holdFolder } from './hold-folder.ts'
import { runGameHost } from './run-game-host.ts'

const say = (line: string): void => console.log(line)

const readSkillSlugs = (buildFolder: string): string[] =>
  z
    .array(z.object({ slug: z.string() }))
    .parse(JSON.parse(readFileSync(join(buildFiles(buildFolder).privateTexts, 'skills.json'), 'utf8')))
    .map(({ slug }) => slug)

/** Builds if necessary, starts everything and prints the addresses. @throws Error when a part does not start */
export async function startEverything(config: Config): Promise<void> {
  const dataDir = resolve(config.dataDir)
  holdFolder(dataDir)
  for (const doubt of findDoubts(config, process.env)) say(`warning: ${doubt}`)
  const warning = toMemoryWarning('selling, one item at a time,', neededBytes.programs, process.availableMemory())
  if (warning) say(warning)
  const [buildFolder, money] = await Promise.all([
    ensureBuild(config, { log: say }),
    config.mode === 'sandbox' ? startSandbox(config, dataDir, say) : startOwnFacilitator(config),
  ])
  let stopStarted = money.stop
  try {
    // Called after the build, whose files may be public; files that are written from now on are private.
    await keepPrivate(dataDir, (note) => log('server.note', { note }))
    await announceBuild(dataDir, buildFolder)
    const site = await openSite(config, buildFolder, log)
    const game = runGameHost({ config, buildFolder, env: process.env, say })
    const begin = () => {
      game.stop()
      site.beginClose()
    }
    const settle = async () => {
      await Promise.all([site.close(), game.ended()])
      await money.stop()
    }
    stopStarted = async () => {
      begin()
      await settle()
    }
    // Registered before anything can be sold, so that whatever is paid for gets finished.
    stopOnSignal({ servers: [site.server], begin, late: site.settleNoMore, settle })
    await game.ready
    await listen(site.server, config)
    for (const line of toGreeting(config, readSkillSlugs(buildFolder))) say(line)
    say(`ready ${config.baseUrl}`)
    if (config.runsJobs) site.startJobs()
  } catch (error) {
    await stopStarted()
    throw error
  }
}
