import { makeElement } from './make-element.ts'
import { askJson } from './post-json.ts'
import { type Fields, readFields, readList, readNumber, readText } from './read-value.ts'

const everyMs = 10_000

/** Keeps a list of who is down there, each a button that follows them; empty while nobody is. */
export function showLivePlayers(list: HTMLElement, follow: (name: string) => void): void {
  let shown = ''

  const show = async (): Promise<void> => {
    const { isOk, body } = await askJson('/api/live')
    if (!isOk) return
    const players = readList(body['players']).map(readFields)
    const now = JSON.stringify(players)
    // A list that is the same is left alone, so that nobody loses the button they stand on.
    if (now === shown) return
    shown = now
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['player'] : undefined
    list.replaceChildren(...players.map((player) => makeElement('li', '', toButton(player))))
    if (focused !== undefined) list.querySelector<HTMLElement>(`[data-player="${CSS.escape(focused)}"]`)?.focus()
  }

  function toButton(player: Fields): HTMLButtonElement {
    const name = readText(player['name'])
    const kind = player['kind'] === 'agent' ? 'an agent' : 'a person'
    const watchers = readNumber(player['watchers'])
    const about = `, ${kind}, depth ${readNumber(player['depth'])}${watchers > 0 ? `, watched by ${watchers}` : ''}`
    const button = makeElement('button', '', name, makeElement('span', 'faded', about))
    button.type = 'button'
    button.dataset['player'] = name
    button.addEventListener('click', () => follow(name))
    return button
  }

  const tick = () => {
    if (!document.hidden) void show()
  }
  tick()
  setInterval(tick, everyMs)
}
