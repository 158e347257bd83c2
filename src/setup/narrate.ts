// `npm run narrate`: every published post as an MP3 with transcript, made by the embedded voice, newest first.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import siteConfig from '../../site.config.ts'
import { readConfig } from '../config.ts'
import { makeNarrator, type Narration } from '../media/narrate.ts'
import { canSpeak } from '../media/speech/can-speak.ts'
import { engineVersion } from '../media/speech/flite.ts'
import { toSpokenUnits } from '../publishing/spoken-text.ts'
import { toTranscriptJson } from '../publishing/transcript-json.ts'
import { toWebVtt } from '../publishing/webvtt.ts'
import { buildFiles } from '../server/build-folder.ts'
import { sha256 } from '../sha256.ts'
import { ensureBuild } from './build.ts'

const help = `npm run narrate -- [options]

Reads every published post aloud into MP3 files, newest first, with WebVTT and JSON transcripts beside them.
A post whose text has not changed is left alone.

  --post SLUG     only this post
  --out FOLDER    where the files go (default: audio/ in the data folder)
  --voice ID      English_SereneWoman (default), English_CalmMan, English_DeepMan, English_GracefulLady, …
  --speed N       0.5 to 2 (default: 1)
  --help          this text`

const exportSchema = z.object({
  posts: z.array(
    z.object({
      slug: z.string(),
      title: z.string(),
      author: z.string(),
      language: z.string(),
      contentMarkdown: z.string(),
    }),
  ),
})
type Post = z.output<typeof exportSchema>['posts'][number]

const optionsSchema = z.object({
  post: z.string().optional(),
  out: z.string().optional(),
  voice: z.string().default('English_SereneWoman'),
  speed: z.coerce.number().min(0.5, '--speed must be from 0.5 to 2').max(2, '--speed must be from 0.5 to 2').default(1),
  help: z.boolean().default(false),
})
type Options = z.output<typeof optionsSchema>

/** What is heard depends on this alone, so it names the file: a changed post gets a new one, for ever cacheable. */
const toStorageKey = (post: Post, { voice, speed }: Options): string => {
  const hash = sha256(post.title, post.contentMarkdown, post.author, voice, String(speed), engineVersion)
  return `${post.slug}-${hash.slice(0, 16)}`
}

/** Whole files or none: the MP3 last, because it is what says that a post is done. */
function keep(folder: string, key: string, { mp3, cues }: Narration): void {
  const files: [string, string | Uint8Array][] = [
    [`${key}.vtt`, toWebVtt(cues)],
    [`${key}.json`, JSON.stringify(toTranscriptJson(cues))],
    [`${key}.mp3`, mp3],
  ]
  for (const [name, content] of files) {
    const temporary = join(folder, `.${name}.${process.pid}`)
    writeFileSync(temporary, content)
    renameSync(temporary, join(folder, name))
  }
}

/** One line that is written over while a terminal watches; nothing otherwise. */
function showProgress(slug: string, done: number, of: number): void {
  if (!process.stderr.isTTY) return
  const filled = Math.round((done / Math.max(of, 1)) * 24)
  process.stderr.write(`\r${'█'.repeat(filled)}${'░'.repeat(24 - filled)} ${done}/${of} sentences  ${slug}\u001b[K`)
}

async function narratePosts(options: Options): Promise<void> {
  const config = readConfig(process.env)
  const build = await ensureBuild(config, { log: console.log })
  const { posts } = exportSchema.parse(
    JSON.parse(readFileSync(join(buildFiles(build).privateTexts, 'posts-export.json'), 'utf8')),
  )
  const wanted = options.post === undefined ? posts : posts.filter(({ slug }) => slug === options.post)
  if (wanted.length === 0) throw new Error(`there is no published post named ${options.post}`)
  const folder = resolve(options.out ?? join(config.dataDir, 'audio'))
  mkdirSync(folder, { recursive: true })

  const narrator = makeNarrator()
  try {
    for (const post of wanted) {
      const key = toStorageKey(post, options)
      const speakable = canSpeak(post.language, post.contentMarkdown)
      if (speakable.is === 'unspeakable') console.log(`skipped    ${post.slug}: ${speakable.reason}`)
      else if (existsSync(join(folder, `${key}.mp3`))) console.log(`unchanged  ${key}.mp3`)
      else {
        const narration = await narrator.narrate(
          {
            units: toSpokenUnits(post.contentMarkdown, { title: post.title }),
            voiceId: options.voice,
            speed: options.speed,
            model: 'hd',
            title: post.title,
            artist: post.author,
            album: siteConfig.name,
          },
          { onProgress: (done, of) => showProgress(post.slug, done, of) },
        )
        keep(folder, key, narration)
        if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
        console.log(
          `narrated   ${key}.mp3 (${Math.round(narration.durationMs / 1000)} s, ${narration.mp3.byteLength} bytes)`,
        )
      }
    }
  } finally {
    await narrator.close()
  }
  console.log(`the files are in ${folder}`)
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
  const options = optionsSchema.parse(values)
  if (options.help) console.log(help)
  else await narratePosts(options)
} catch (error) {
  const reason = error instanceof z.ZodError ? error.issues[0]?.message : error instanceof Error ? error.message : error
  console.error(reason)
  process.exit(1)
}
