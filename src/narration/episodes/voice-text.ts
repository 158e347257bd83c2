import type { Episode } from './episode.ts'

/** Who speaks, wherever an episode is offered: nobody should take a machine for a person. */
export const toVoiceText = ({ isRecorded }: Pick<Episode, 'isRecorded'>): string =>
  isRecorded ? 'Read by the author' : 'Read by a synthetic voice'
