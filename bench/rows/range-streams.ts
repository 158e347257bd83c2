import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openEpisodeStore } from '../../src/narration/episodes/episode-store.ts'
import { readPostsToNarrate } from '../../src/narration/episodes/posts-to-narrate.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { askRepeatedly } from '../ask-repeatedly.ts'
import { cpuMicros } from '../cpu-time.ts'
import type { Bench, Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { nginx, startNginx } from '../start-nginx.ts'
import { startOurSite } from '../start-our-site.ts'

const streams = 200
/** Half an hour of speech. */
const fileBytes = 24_000_000
const partBytes = 1024 * 1024
const range = { Range: `bytes=${partBytes}-${2 * partBytes - 1}` }
const storageKey = 'bench-0123456789abcdef'
const cost = 'server CPU per MB'

/** How much audio can be streamed to concurrent listeners. */
export const rangeStreams: Row = {
  title: 'Listening',
  meaning: `${streams} connections each ask for 1 MiB out of a recording of 24 MB, again as soon as it is there, as players that seek do. Ours is the whole site program with the recording as the narration of a post; nginx has one worker and the same file, which the kernel sends.`,
  measures: [
    { name: 'sent', unit: 'MB/s', digits: 0, better: 'more' },
    { name: cost, unit: 'µs', digits: 0 },
  ],
  goals: [{ measure: 'sent', peer: nginx, is: 'at least', ratio: 0.8 }],
  causes: ['sent', cost].map((measure) => ({
    measure,
    because:
      'nginx hands the file to the system, which sends it from its own memory (sendfile); Node.js has no such call, so that every part is read into the memory of the program and written out of it.',
    profile: {
      of: 'the site under this load, by --cpu-prof, with its start, 2026-11-25',
      percent: {
        'reading (the system)': 29,
        'sending (the system)': 28,
        'opening and closing the file': 11,
        'garbage collection': 5,
        'our HTTP': 3,
        'the rest': 24,
      },
    },
  })),
  async start(bench) {
    const dataDir = bench.newFolder()
    const folder = join(dataDir, 'audio')
    await keepRecording(bench, folder)
    const ours = await startOurSite({ ...bench, newFolder: () => dataDir })
    const files = await startNginx(bench, folder)
    const isHere = typeof files === 'object'
    const listen = (server: Server, path: string) => () => measureStreams(server, path, bench.seconds)
    return {
      ours: listen(ours, `/audio/${storageKey}.mp3`),
      peers: isHere ? { [nginx]: listen(files, `/${storageKey}.mp3`) } : {},
      missing: isHere ? {} : { [nginx]: files },
    }
  },
}

/** Stores a narration of the newest post where the site finds it. */
async function keepRecording({ build }: Bench, folder: string): Promise<void> {
  const posts = readPostsToNarrate(buildFiles(build).privateTexts, { album: 'Bench' })
  const slug = posts[0]?.slug ?? ''
  const store = await openEpisodeStore(folder, posts)
  const about = { slug, title: 'Bench', language: 'en', voiceId: 'bench', createdAt: new Date().toISOString() }
  const sound = randomBytes(fileBytes)
  await store.keep({ ...about, storageKey, durationMs: 1_800_000, sizeBytes: fileBytes, cues: [], chapters: [] }, sound)
  store.close()
}

async function measureStreams({ origin, pid }: Server, path: string, seconds: number): Promise<Sample> {
  const wish = { urls: [origin + path], status: 206, connections: streams, headers: range }
  await askRepeatedly({ ...wish, ms: 300 })
  const before = cpuMicros(pid)
  const { answers, ...measured } = await askRepeatedly({ ...wish, ms: seconds * 1000 })
  const megabytes = (answers * partBytes) / 1e6
  return { sent: megabytes / measured.seconds, [cost]: (cpuMicros(pid) - before) / megabytes }
}
