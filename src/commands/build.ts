// `npm run build`: builds the site when its files or its settings changed, lets `.build/current` lead to it, and hands it
// to the sites that run on the same data folder.

import { basename, resolve } from 'node:path'
import { ensureBuild } from '../build/build.ts'
import { pointCurrentTo } from '../build/current-build.ts'
import { readConfig } from '../config/config.ts'
import { findDoubts } from '../config/find-doubts.ts'
import { toSaidText } from '../core/said-text.ts'
import { announceBuild } from '../storage/announced-build.ts'

try {
  const config = readConfig(process.env)
  for (const doubt of findDoubts(config)) console.error(`warning: ${doubt}`)
  const from = performance.now()
  let isNew = false
  const folder = await ensureBuild(config, {
    log(line) {
      isNew = true
      console.error(line)
    },
  })
  pointCurrentTo(folder)
  await announceBuild(resolve(config.dataDir), folder)
  const seconds = ((performance.now() - from) / 1000).toFixed(0)
  const what = isNew ? `built ${basename(folder)} in ${seconds} s` : `${basename(folder)} was built before`
  console.log(`${what}; sites that run on ${config.dataDir} take it over now`)
} catch (error) {
  // Sentences, not stacks: each error that can be expected names what to change.
  console.error(toSaidText(error))
  process.exit(1)
}
