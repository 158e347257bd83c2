import { findElement } from '../../../src/browser/find-element.ts'
import { makeElement } from '../../../src/browser/make-element.ts'
import type { Me } from './read-frame.ts'

/** The helpful statuses; all others are harmful. */
const blessings = new Set(['hasted', 'floating', 'telepathic', 'shielded'])

/** The line of figures above the map. */
export function makeHud(): {
  show: (me: Me, depth: number) => void
  showStatuses: (names: readonly string[]) => void
} {
  const health = findElement(HTMLElement, 'health')
  const text = findElement(HTMLElement, 'health-text', health)
  const statuses = findElement(HTMLElement, 'statuses')
  const figures = (['depth', 'gold', 'turn', 'score'] as const).map((name) => findElement(HTMLElement, name))
  return {
    show(me, depth) {
      text.textContent = `${me.hp} / ${me.maxHp}`
      health.style.setProperty('--filled', String(Math.max(0, me.hp / Math.max(1, me.maxHp))))
      health.setAttribute('aria-valuemax', String(me.maxHp))
      health.setAttribute('aria-valuenow', String(Math.max(0, me.hp)))
      const values = [depth, me.gold, me.turn, me.score]
      for (const [at, figure] of figures.entries()) figure.textContent = (values[at] ?? 0).toLocaleString('en')
    },
    showStatuses: (names) =>
      statuses.replaceChildren(...names.map((name) => makeElement('span', blessings.has(name) ? 'good' : 'bad', name))),
  }
}
