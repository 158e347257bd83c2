import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { EngineChoice } from '../config/engine-settings.ts'
import { type Log, toLogText } from '../core/log.ts'
import { openSpeechEngine } from '../narration/engines/open-speech-engine.ts'
import { toVoiceList, type VoiceList } from '../narration/engines/voice-list.ts'
import { type FinishedNarrations, openFinishedNarrations } from '../narration/narrator/finished-narrations.ts'
import { makeNarrator } from '../narration/narrator/narrate.ts'
import { memoryPcmCache } from '../narration/narrator/pcm-cache.ts'
import { canSpeakUnits, makeSpeakText } from '../narration/narrator/speak-text.ts'
import { makeVoiceSamples, type VoiceSamples } from '../narration/narrator/voice-samples.ts'
import type { SpeechService } from '../narration/speech-service.ts'
import type { ShopStorage } from './open-storage.ts'

/** Each thread uses up to 150 MB while it speaks. */
const mostThreads = 4
/** The nice value: lower priority than pages, higher than the narration of posts in the background. */
const speechNiceness = 5
/** The nice value of free samples, which have lower priority than paid work. */
const sampleNiceness = 15
const atATime = 2
/** Longer narrations are refused. At half speed, a text of the greatest length takes 25 minutes. */
const maxSeconds = 30 * 60
const maxFinishedBytes = 512 * 1024 * 1024
/** The size of the cache of sentences from aborted narrations, for when they are requested again. */
const maxSentenceBytes = 64 * 1024 * 1024

interface Options {
  readonly dataDir: string
  readonly storage?: ShopStorage | undefined
  readonly baseUrl: string
  readonly log: Log
  readonly niceness: Config['niceness']
}

/** The service that reads aloud for buyers, with the free list and samples of its voices. */
interface PaidVoice extends SpeechService {
  readonly list: VoiceList
  readonly samples: VoiceSamples
  close(): Promise<void>
}

/** Shares finished narrations through the storage; the module is loaded only where there is one. */
async function share(
  near: FinishedNarrations,
  { quick }: ShopStorage,
  report: (error: unknown) => void,
): Promise<FinishedNarrations> {
  const { shareNarrations } = await import('../narration/narrator/shared-narrations.ts')
  return shareNarrations({ near, objects: quick, report })
}

/** Opens the narrator of the paid product, which starts processes only when there is work. */
export async function openVoice(
  choice: EngineChoice,
  { dataDir, storage, baseUrl, log, niceness }: Options,
): Promise<PaidVoice> {
  const engine = openSpeechEngine(choice)
  const narrator = makeNarrator({
    ...(engine && { engine }),
    threads: Math.min(mostThreads, availableParallelism()),
    cache: memoryPcmCache(maxSentenceBytes),
    maxSeconds,
    niceness: niceness(speechNiceness),
  })
  const sampler = makeNarrator({ threads: 1, niceness: niceness(sampleNiceness) })
  const noteLoss = (error: unknown) =>
    log('server.note', { note: `a narration was not kept or not read: ${toLogText(error)}` })
  const near = await openFinishedNarrations(join(dataDir, 'narrations'), maxFinishedBytes)
  const finished = storage ? await share(near, storage, noteLoss) : near
  return {
    speakText: makeSpeakText({ narrator, finished, atATime, report: noteLoss }),
    canSpeak: (units) => canSpeakUnits(units, narrator.engine.speaks),
    report: (failure) =>
      log('media.failed', { product: 'narrate', engine: choice.is, kind: failure.kind, error: toLogText(failure) }),
    list: toVoiceList(narrator.engine, baseUrl),
    samples: makeVoiceSamples(join(dataDir, 'voices'), sampler.narrate),
    async close() {
      await Promise.all([narrator.close(), sampler.close()])
    },
  }
}
