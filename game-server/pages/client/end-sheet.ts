import { findElement } from '../../../src/browser/find-element.ts'
import { makeElement } from '../../../src/browser/make-element.ts'
import { type Fields, readNumber, readText } from '../../../src/browser/read-value.ts'
import { epitaph } from '../../core/epitaph.ts'
import { copyOnClick } from './copy-on-click.ts'

/**
 * The dialog at the end of a life: the card, its link, and a button to play again. The link leads to the page of the
 * cup for a life in a cup, which has no page of its own.
 */
export function makeEndSheet(onAgain: () => void): { show: (death: Fields) => void; close: () => void } {
  const sheet = findElement(HTMLDialogElement, 'end')
  const link = findElement(HTMLAnchorElement, 'end-link', sheet)
  const told = findElement(HTMLElement, 'end-told', sheet)
  const again = findElement(HTMLButtonElement, 'end-again', sheet)
  again.addEventListener('click', () => sheet.close())
  sheet.addEventListener('close', onAgain)
  copyOnClick(
    findElement(HTMLButtonElement, 'end-copy', sheet),
    () => link.href,
    (isCopied) => (told.textContent = isCopied ? 'Copied.' : link.href),
  )
  return {
    show(death) {
      const hasWon = death['hasWon'] === true
      findElement(HTMLElement, 'end-title', sheet).textContent = hasWon ? 'You are out' : 'You die'
      findElement(HTMLElement, 'end-card', sheet).replaceWith(makeCard(death, hasWon))
      const credits = readNumber(death['credits'])
      findElement(HTMLElement, 'end-credits', sheet).textContent =
        credits > 0 ? `This life earned ${credits} ${credits === 1 ? 'credit' : 'credits'} for the store.` : ''
      const isCup = death['mode'] === 'cup'
      link.href = isCup ? '/cup' : `/death/${encodeURIComponent(readText(death['id']))}`
      link.textContent = isCup ? 'The cup' : 'The card'
      told.textContent = ''
      if (!sheet.open) sheet.showModal()
      again.focus()
    },
    close: () => sheet.close(),
  }
}

function makeCard(death: Fields, hasWon: boolean): HTMLElement {
  const [cause, where, deeds] = epitaph({
    cause: readText(death['cause']),
    depth: readNumber(death['depth']),
    turn: readNumber(death['turn']),
    gold: readNumber(death['gold']),
    kills: readNumber(death['kills']),
    hasWon,
  })
  const frame = readText(death['frame']).replace('frame_', '') || 'plain'
  const score = makeElement(
    'p',
    'death-score',
    makeElement('b', '', readNumber(death['score']).toLocaleString('en')),
    ' points',
  )
  const card = makeElement(
    'div',
    `death-card death-${frame}`,
    makeElement('p', 'death-mark', hasWon ? 'A' : '†'),
    makeElement('p', 'death-name', readText(death['name'])),
    makeElement('p', 'death-cause', cause),
    makeElement('p', '', where),
    makeElement('p', '', deeds),
    score,
  )
  card.dataset['endCard'] = ''
  return card
}
