import type { Episode } from './episode.ts'

/** Who speaks. Shown wherever an episode is offered, so that nobody takes a synthetic voice for a person. */
export const toSpeaker = ({ isRecorded }: Pick<Episode, 'isRecorded'>): string =>
  isRecorded ? 'the author' : 'a synthetic voice'

/** The same as a sentence, without a full stop. */
export const toVoiceText = (episode: Pick<Episode, 'isRecorded'>): string => `Read by ${toSpeaker(episode)}`
