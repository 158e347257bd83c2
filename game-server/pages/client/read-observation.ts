import { type Fields, readFields, readList, readNumber, readText } from '../../../src/browser/read-value.ts'
import { withoutMarks } from '../../core/player-words.ts'

/** An observation in sentences, for text mode. */
export interface Told {
  readonly status: string
  readonly messages: readonly string[]
  readonly inView: readonly string[]
  readonly pack: readonly string[]
  readonly map: string
  readonly keys: readonly { readonly key: string; readonly does: string }[]
}

const wayNames: Readonly<Record<string, string>> = {
  N: 'north',
  NE: 'north-east',
  E: 'east',
  SE: 'south-east',
  S: 'south',
  SW: 'south-west',
  W: 'west',
  NW: 'north-west',
  here: 'here',
}

/** Turns an `obs` message into sentences. */
export function readObservation(message: Fields): Told {
  const you = readFields(message['you'])
  const packKeys = '1234567890-='
  return {
    status: toStatus(readNumber(message['depth']), readNumber(message['turn']), you),
    messages: readList(message['messages']).map((text) => withoutMarks(readText(text))),
    inView: [
      ...readList(message['entities']).map((each) => toSomebody(readFields(each))),
      ...readList(message['items']).map((each) => toSomething(readFields(each), you)),
    ],
    pack: readList(you['pack']).map((name, at) => `${packKeys[at] ?? '?'}: ${readText(name)}`),
    map: readList(readFields(message['view'])['rows']).map(readText).join('\n'),
    keys: readList(message['keys']).map((each) => {
      const { key, does } = readFields(each)
      return { key: readText(key), does: readText(does) }
    }),
  }
}

function toStatus(depth: number, turn: number, you: Fields): string {
  const statuses = readList(you['statuses']).map((each) => readText(readFields(each)['name']))
  return [
    `Depth ${depth}, turn ${turn}.`,
    `Health ${readNumber(you['hp'])} of ${readNumber(you['maxHp'])}.`,
    `Strength ${readNumber(you['strength'])}.`,
    `Gold ${readNumber(you['gold'])}, score ${readNumber(you['score'])}.`,
    ...(statuses.length > 0 ? [`You are ${statuses.join(', ')}.`] : []),
    `In hand: ${readText(you['weapon'])}. Worn: ${readText(you['armor'])}.`,
    ...(you['hasAmulet'] === true ? ['You carry the Amulet: go up and out.'] : []),
  ].join(' ')
}

const steps = (count: number, way: string): string =>
  way === 'here' ? 'here' : `${count} ${count === 1 ? 'step' : 'steps'} ${way}`

const toWay = (dir: unknown): string => wayNames[readText(dir)] ?? readText(dir)

const toSomebody = (being: Fields): string =>
  `${withoutMarks(readText(being['name']))}, ${steps(readNumber(being['dist']), toWay(being['dir']))}, ${readText(being['st'])}, ${readNumber(being['hp'])} % of health`

function toSomething(thing: Fields, you: Fields): string {
  const across = Math.abs(readNumber(thing['x']) - readNumber(you['x']))
  const along = Math.abs(readNumber(thing['y']) - readNumber(you['y']))
  const choice = thing['isChoice'] === true ? ', one of several; you may take only one' : ''
  return `${readText(thing['name'])}, ${steps(Math.max(across, along), toWay(thing['dir']))}${choice}`
}
