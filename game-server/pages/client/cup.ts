import { findElement } from './find-element.ts'
import { makeElement } from './make-element.ts'
import { askJson } from './post-json.ts'
import { type Fields, readFields, readList, readNumber, readText } from './read-value.ts'

const status = findElement(HTMLElement, 'cup-status')
const list = findElement(HTMLElement, 'cup-list')
/** Older cups are in the JSON. */
const shownCups = 5

void load()

async function load(): Promise<void> {
  const { isOk, body } = await askJson('/api/cups')
  const cups = readList(body['cups']).map(readFields).slice(0, shownCups)
  status.textContent = ''
  if (!isOk) status.textContent = 'The list cannot be read at the moment.'
  else if (cups.length === 0) status.textContent = 'No cup has been held yet. Entries bought now count for the first.'
  for (const cup of cups) list.append(await toSection(cup))
}

const states: Readonly<Record<string, string>> = {
  open: 'open now',
  verifying: 'closed; every run is being lived again',
  over: 'over',
}

async function toSection(cup: Fields): Promise<HTMLElement> {
  const id = readText(cup['id'])
  const section = makeElement('section', 'cup', makeElement('h3', '', id.replace('cup-', 'Cup ')))
  const closes = readText(cup['closedAt']) || readText(cup['closesAt'])
  section.append(
    makeElement(
      'p',
      '',
      `${states[readText(cup['state'])] ?? ''}. ${readNumber(cup['entries'])} entries, ${readNumber(cup['runs'])} runs. ${cup['closedAt'] ? 'Closed' : 'Closes'} ${closes.slice(0, 16).replace('T', ' ')} UTC.`,
    ),
    makeElement('p', 'fine', 'Hash of the seed: ', makeElement('code', '', readText(cup['commitment']))),
  )
  const seed = readText(cup['seed'])
  if (seed) section.append(makeElement('p', 'fine', 'The seed: ', makeElement('code', '', seed)))
  if (cup['state'] === 'over') section.append(await toStandings(id))
  return section
}

async function toStandings(id: string): Promise<HTMLElement> {
  const { body } = await askJson(`/api/cups/${encodeURIComponent(id)}`)
  const rows = readList(body['standings']).map(readFields)
  if (rows.length === 0) return makeElement('p', 'faded', 'Nobody ran.')
  const head = makeElement('tr', '', ...['#', 'Name', 'How it ended', 'Depth', 'Turns', 'Score'].map(toHead))
  const table = makeElement('table', '', makeElement('thead', '', head), makeElement('tbody', '', ...rows.map(toRow)))
  return makeElement('div', 'scroll', table)
}

function toHead(name: string): HTMLElement {
  const head = makeElement('th', /Depth|Turns|Score/.test(name) ? 'number' : '', name)
  head.scope = 'col'
  return head
}

function toRow(row: Fields): HTMLElement {
  const link = makeElement('a', '', readText(row['name']))
  link.href = `/replay/${encodeURIComponent(readText(row['run']))}`
  const number = (name: string) => makeElement('td', 'number', readNumber(row[name]).toLocaleString('en'))
  const cells = [makeElement('td', '', String(readNumber(row['place']))), makeElement('td', '', link)]
  const cause = makeElement('td', '', readText(row['cause']))
  return makeElement('tr', '', ...cells, cause, number('depth'), number('turn'), number('score'))
}
