// The site program alone: `node src/server/main.ts <build folder>`. `npm start` runs it with everything else.
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { log } from '../log.ts'
import { keepPrivate } from '../private-files.ts'
import { listen } from './listen.ts'
import { openSite } from './open-site.ts'
import { stopOnSignal } from './shutdown.ts'

const [buildFolder] = process.argv.slice(2)
try {
  if (!buildFolder) throw new Error('usage: node src/server/main.ts <build folder>')
  const config = readConfig(process.env)
  await keepPrivate(resolve(config.dataDir), (note) => log('server.note', { note }))
  const site = await openSite(config, buildFolder, log)
  const { port }: AddressInfo = await listen(site.server, config)
  stopOnSignal({ servers: [site.server], begin: site.beginClose, late: site.settleNoMore, settle: site.close })
  console.log(`listening ${port}`)
  if (config.runsJobs) site.startJobs()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
