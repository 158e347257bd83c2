import type { LineState } from './connection.ts'
import { findElement } from './find-element.ts'

const takenOver = 4001

/** Says on the page how it stands with the line; nothing while all is well. */
export function showLine(state: LineState, code?: number): void {
  const place = findElement(HTMLElement, 'line')
  place.textContent = textOf(state, code)
}

function textOf(state: LineState, code: number | undefined): string {
  switch (state) {
    case 'open':
      return ''
    case 'connecting':
      return 'connecting…'
    case 'waiting':
      return 'The line is down; trying again. Nothing happens to you meanwhile.'
    case 'closed':
      return code === takenOver ? 'You play on in another window. Reload to come back here.' : ''
  }
}
