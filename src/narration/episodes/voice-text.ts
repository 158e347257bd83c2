import type { Episode } from './episode.ts'

/** Who speaks, wherever an episode is offered: nobody should take a machine for a person. */
export const toSpeaker = ({ isRecorded }: Pick<Episode, 'isRecorded'>): string =>
  isRecorded ? 'the author' : 'a synthetic voice'

/** The same as a sentence without its end. */
export const toVoiceText = (episode: Pick<Episode, 'isRecorded'>): string => `Read by ${toSpeaker(episode)}`
