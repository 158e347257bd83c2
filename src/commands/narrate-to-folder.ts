import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { canHear, narratePost } from '../narration/episodes/narrate-post.ts'
import { type PostVoice, readPostsToNarrate } from '../narration/episodes/posts-to-narrate.ts'
import { toTranscriptJson } from '../narration/episodes/transcript-json.ts'
import { toWebVtt } from '../narration/episodes/webvtt.ts'
import { makeNarrator } from '../narration/narrator/narrate.ts'
import { writeAtomically } from '../storage/write-atomically.ts'

interface Options {
  readonly privateFolder: string
  readonly folder: string
  readonly reading: PostVoice
  /** The slug of the only post to narrate. */
  readonly only: string | undefined
  readonly say: (line: string) => void
  readonly onProgress: (slug: string, done: number, of: number) => void
}

/** Writes narrations as files for people: an MP3 of each post, with its transcripts. Existing ones are left alone. */
export async function narrateToFolder(options: Options): Promise<void> {
  const { privateFolder, folder, reading, only, say, onProgress } = options
  mkdirSync(folder, { recursive: true })
  const { engine } = reading
  const narrator = makeNarrator(engine ? { engine } : {})
  try {
    for (const post of readPostsToNarrate(privateFolder, reading)) {
      const { slug, storageKey } = post
      if (only !== undefined && only !== slug) continue
      const path = join(folder, storageKey)
      const speakable = canHear(post, narrator.engine.speaks)
      if (speakable.is === 'unspeakable') say(`skipped    ${slug}: ${speakable.reason}`)
      else if (existsSync(`${path}.mp3`)) say(`unchanged  ${storageKey}.mp3`)
      else {
        const reader = { narrate: narrator.narrate, reading, privateFolder }
        const { mp3, cues } = await narratePost(post, reader, {
          onProgress: (done, of) => onProgress(slug, done, of),
        })
        await writeAtomically(`${path}.vtt`, toWebVtt(cues), { mode: 0o666 })
        await writeAtomically(`${path}.json`, JSON.stringify(toTranscriptJson(cues)), { mode: 0o666 })
        // Written last, because the MP3 marks a post as done.
        await writeAtomically(`${path}.mp3`, mp3, { mode: 0o666 })
        say(`narrated   ${storageKey}.mp3`)
      }
    }
  } finally {
    await narrator.close()
  }
  say(`the files are in ${folder}`)
}
