// `npm run build`: builds the site when its files or settings changed, makes `.build/current` point to the build, and
// hands it to the sites that run on the same data folder. `-- --as-of 2026-12-24T18:00:00Z` makes the build for that
// instant without publishing it; once the instant has come, the same command without the option finds it finished.

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

/** Parses `--as-of`; undefined when absent. */
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
  // A new narration does not require a new build; only the podcast file is written again.
  await writePodcastFile(folder, config)
  const seconds = ((performance.now() - from) / 1000).toFixed(0)
  // Prints address and mode, so that an operator notices a build with the wrong settings, on which the site would not
  // start later.
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
  // Prints the message without its stack: each expected error says what to change.
  console.error(toSaidText(error))
  process.exit(1)
}
