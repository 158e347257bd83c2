import type { LineState } from './connection.ts'

const takenOver = 4001

/** What the player reads about the connection; empty while it is open, and when the player has left. */
export function toLineText(state: LineState, code: number | undefined): string {
  switch (state) {
    case 'open':
      return ''
    case 'connecting':
      return 'connecting…'
    case 'waiting':
      return 'The connection is down; trying again. Nothing happens to you meanwhile.'
    case 'closed':
      if (code === takenOver) return 'You play on in another window. Reload to come back here.'
      return code === undefined
        ? ''
        : 'Too much was sent at once, so the host closed the connection. Reload to come back.'
  }
}

/** The same for the first screen, with the advice that there is. */
export function toDoorText(state: LineState, advice: string): string {
  if (state !== 'waiting') return ''
  return advice === '' ? 'The dungeon does not answer; trying again.' : `${advice} Trying again.`
}
