import { findElement } from '../../../src/browser/find-element.ts'
import { makeElement } from '../../../src/browser/make-element.ts'
import { type Fields, readList, readNumber, readText } from '../../../src/browser/read-value.ts'
import { type PlayerKey, readPlayerKey } from './player-key.ts'
import { askJson, postJson } from './post-json.ts'
import { toSentence } from './to-sentence.ts'

const place = findElement(HTMLElement, 'own')
const frame = findElement(HTMLSelectElement, 'own-frame', place)
const shoutForm = findElement(HTMLFormElement, 'own-shout-form', place)
const shout = findElement(HTMLInputElement, 'own-shout', place)
const status = findElement(HTMLElement, 'own-status', place)

findElement(HTMLFormElement, 'own-frame-form', place).addEventListener('submit', (event) => {
  event.preventDefault()
  void tell('/api/store/frame', { frame: frame.value }, 'Your next gravestone will have it.')
})
shoutForm.addEventListener('submit', (event) => {
  event.preventDefault()
  void tell('/api/wall', { text: shout.value }, 'Your line is on the wall.')
})

/** Shows what the player of this browser owns; nothing if nobody has played in it. */
export async function showOwnThings(): Promise<void> {
  const key = readPlayerKey()
  if (!key) return
  const answer = await askJson(`/api/store/entitlements?player=${encodeURIComponent(key.name)}`, {
    headers: { authorization: `Bearer ${key.token}` },
  })
  if (answer.isOk) fill(key, answer.body)
}

function fill({ name }: PlayerKey, held: Fields): void {
  const entitlements = readList(held['entitlements']).map(readText)
  const active = readText(held['activeFrame'])
  findElement(HTMLElement, 'own-name', place).textContent = name
  findElement(HTMLElement, 'own-credits', place).textContent = readNumber(held['credits']).toLocaleString('en')
  findElement(HTMLElement, 'own-things', place).textContent =
    entitlements.length === 0 ? 'nothing from the store yet' : entitlements.map(toWords).join(', ')
  frame.replaceChildren(
    ...readList(held['frames']).map((id) => {
      const option = makeElement('option', '', readText(id).replace('frame_', ''))
      option.value = readText(id)
      option.selected = option.value === active
      return option
    }),
  )
  shoutForm.hidden = !entitlements.includes('wall_shout')
  place.hidden = false
}

const toWords = (entitlement: string): string => entitlement.replaceAll('_', ' ')

async function tell(path: string, request: Fields, done: string): Promise<void> {
  const key = readPlayerKey()
  if (!key) return
  const answer = await postJson(path, { playerName: key.name, resumeToken: key.token, ...request })
  status.textContent = answer.isOk ? done : answer.detail ? toSentence(answer.detail) : 'The host does not answer.'
}
