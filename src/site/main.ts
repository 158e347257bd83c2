// The site program alone: `node src/site/main.ts <build folder>`. `npm start` runs it with everything else.

import { realpathSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { readConfig } from '../config/config.ts'
import { findDoubts } from '../config/find-doubts.ts'
import { log } from '../core/log.ts'
import { toSaidText } from '../core/said-text.ts'
import { listen } from '../http/listen.ts'
import { stopOnSignal } from '../http/shutdown.ts'
import { tryToPinBuild } from '../storage/build-pins.ts'
import { keepPrivate } from '../storage/private-files.ts'
import { openSite } from './open-site.ts'
import { startOwnFacilitator } from './start-own-facilitator.ts'

const [buildFolder] = process.argv.slice(2)
try {
  if (!buildFolder) throw new Error('usage: node src/site/main.ts <build folder>')
  const config = readConfig(process.env)
  const say = (note: string): void => log('server.note', { note })
  for (const doubt of findDoubts(config, process.env)) say(doubt)
  // `buildFolder` may be a symbolic link that points to another build while this one is served.
  const folder = realpathSync(buildFolder)
  // Pins the build, because workers and further code are loaded from it when they are first needed.
  tryToPinBuild(folder, say)
  await keepPrivate(resolve(config.dataDir), say)
  // The facilitator starts first: the site asks it about payments that were open when the last process ended.
  const money = await startOwnFacilitator(config)
  const site = await openSite(config, folder, log)
  const { port }: AddressInfo = await listen(site.server, config)
  const settle = async () => {
    await site.close()
    await money.stop()
  }
  stopOnSignal({ servers: [site.server], begin: site.beginClose, late: site.settleNoMore, settle })
  console.log(`listening ${port}`)
  if (config.runsJobs) site.startJobs()
} catch (error) {
  console.error(toSaidText(error))
  process.exit(1)
}
