// `npm run narrate`: narrates every published post that has no narration of its current text, newest first.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import siteConfig from '../../site.config.ts'
import { ensureBuild } from '../build/build.ts'
import { readConfig } from '../config/config.ts'
import { toSaidText } from '../core/said-text.ts'
import { validate } from '../core/validate.ts'
import { openSpeechEngine } from '../narration/engines/open-speech-engine.ts'
import { readPostsToNarrate } from '../narration/episodes/posts-to-narrate.ts'
import { buildFiles } from '../storage/build-folder.ts'
import { narrateHere } from './narrate-here.ts'
import { narrateToFolder } from './narrate-to-folder.ts'

const help = `npm run narrate -- [options]

Narrates every published post that has no narration of its current text, newest first. A running site
does the same by itself, more slowly, and plays what this makes within seconds.

  --post SLUG     only this post
  --help          this text

Files for yourself, which the site does not play:

  --out FOLDER    write MP3, WebVTT and JSON transcripts here
  --voice ID      the first of the engine (English_CalmMan), English_SereneWoman, English_DeepMan, …
  --speed N       0.5 to 2 (default: 1)`

const optionsSchema = z
  .object({
    post: z.string().optional(),
    out: z.string().optional(),
    voice: z.string().optional(),
    speed: z.coerce.number().min(0.5).max(2).optional(),
    help: z.boolean().default(false),
  })
  .refine(({ out, voice, speed }) => out !== undefined || (voice === undefined && speed === undefined), {
    path: ['voice'],
    error: 'and --speed need --out: the site plays one voice at one pace',
  })
type Options = z.output<typeof optionsSchema>

function say(line: string): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  console.log(line)
}

/** Shows the progress in one line that is overwritten, on a terminal only. */
function showProgress(slug: string, done: number, of: number): void {
  if (!process.stderr.isTTY) return
  const filled = Math.round((done / Math.max(of, 1)) * 24)
  process.stderr.write(`\r${'█'.repeat(filled)}${'░'.repeat(24 - filled)} ${done}/${of} sentences  ${slug}\u001b[K`)
}

async function narrate({ post: only, out, voice, speed }: Options): Promise<void> {
  const config = readConfig(process.env)
  const privateFolder = buildFiles(await ensureBuild(config, { log: say })).privateTexts
  const reading = {
    album: siteConfig.name,
    engine: openSpeechEngine(config.engines.voice),
    ...(voice !== undefined && { voiceId: voice }),
    ...(speed !== undefined && { speed }),
  }
  if (only !== undefined && !readPostsToNarrate(privateFolder, reading).some(({ slug }) => slug === only))
    throw new Error(`there is no published post named ${only}`)
  const shared = { privateFolder, only, say, onProgress: showProgress }
  if (out !== undefined) {
    await narrateToFolder({ ...shared, folder: resolve(out), reading })
    return
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())
  await narrateHere({ ...shared, config, signal: stop.signal })
}

try {
  const { values } = parseArgs({
    options: {
      post: { type: 'string' },
      out: { type: 'string' },
      voice: { type: 'string' },
      speed: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const options = validate(optionsSchema, values)
  if (options.is === 'wrong')
    throw new Error(options.faults.map(({ path, detail }) => `--${path.join('.')} ${detail}`).join('\n'))
  if (options.value.help) console.log(help)
  else await narrate(options.value)
} catch (error) {
  console.error(toSaidText(error))
  process.exit(1)
}
