// `npm run build`: builds the site when its files or its settings changed, and lets `.build/current` lead to it.

import { ensureBuild } from '../build/build.ts'
import { pointCurrentTo } from '../build/current-build.ts'
import { readConfig } from '../config/config.ts'

try {
  const folder = await ensureBuild(readConfig(process.env), { log: (line) => console.log(line) })
  pointCurrentTo(folder)
  console.log(`built ${folder}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
