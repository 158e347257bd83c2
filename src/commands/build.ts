// `npm run build`: builds the site when its files or its settings changed, lets `.build/current` lead to it, and hands it
// to the sites that run on the same data folder. `-- --as-of 2026-12-24T18:00:00Z` makes the build that will be right at
// that instant, and leaves it lying: once the instant has come, the same command without it finds it finished.

import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { ensureBuild } from '../build/build.ts'
import { pointCurrentTo } from '../build/current-build.ts'
import { writePodcastFile } from '../build/write-podcast-file.ts'
import { readConfig } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { findDoubts } from '../config/find-doubts.ts'
import { toSaidText } from '../core/said-text.ts'
import { announceBuild } from '../storage/announced-build.ts'

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

const help = `npm run build

Builds the site if its files or settings have changed, makes .build/current point to the build, and hands it to
the sites that run on the same data folder.

  --as-of INSTANT  makes the build for that time, such as 2026-12-24T18:00:00Z, without handing it over
  --help           this text`

/** The instant that is asked for, if one is. */
function readAsOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const { data } = instant.safeParse(text)
  if (!data) throw new ConfigError(`--as-of must be an instant like 2026-12-24T18:00:00Z, not ${text}`)
  return data
}

async function build(asOf: Date | undefined): Promise<void> {
  const config = readConfig(process.env)
  for (const doubt of findDoubts(config)) console.error(`warning: ${doubt}`)
  const from = performance.now()
  let isNew = false
  const folder = await ensureBuild(config, {
    ...(asOf && { asOf }),
    log(line) {
      isNew = true
      console.error(line)
    },
  })
  // What has been read aloud since it was built is no reason to build anew.
  await writePodcastFile(folder, config)
  const seconds = ((performance.now() - from) / 1000).toFixed(0)
  // Where it was run without the settings of the site, this shows it: later that site does not start on the build.
  const made = `${basename(folder)} for ${config.baseUrl} (${config.mode})`
  const what = isNew ? `built ${made} in ${seconds} s` : `${made} was built before`
  if (asOf) console.log(`${what}, as of ${asOf.toISOString()}`)
  else {
    pointCurrentTo(folder)
    await announceBuild(resolve(config.dataDir), folder)
    console.log(
      `${what}; sites that run on ${config.dataDir} serve it now, or after a restart if the code or site.config.ts has changed`,
    )
  }
}

try {
  const { values } = parseArgs({ options: { 'as-of': { type: 'string' }, help: { type: 'boolean' } } })
  if (values.help === true) console.log(help)
  else await build(readAsOf(values['as-of']))
} catch (error) {
  // Sentences, not stacks: each error that can be expected names what to change.
  console.error(toSaidText(error))
  process.exit(1)
}
