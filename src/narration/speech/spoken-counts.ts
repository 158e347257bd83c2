import { cardinal, ordinal } from './number-words.ts'

type Rule = readonly [RegExp, (...parts: string[]) => string]

/** A raised digit that leads to a note, and is no power: behind the end of words, a word or a year that is spoken of. */
const raised = '[¹²³⁰⁴-⁹]+(?![\\p{L}\\d])'
const yearBefore =
  '(?:[Ii]n|[Ss]ince|[Bb]y|[Ff]rom|[Uu]ntil|[Tt]ill|[Oo]f|[Bb]efore|[Aa]fter|[Dd]uring|[Aa]round|year|(?:uar|r)y|March|April|May|June|July|August|ber)'
/** What has powers all the same. */
const powered =
  '(?:a?(?:sin|cos|tan)h?|log|exp|chi|inch|inches|feet|foot|yards?|(?:kilo|centi|milli|micro|nano)?(?:metres?|meters?)|miles?|(?:milli|micro|nano)?seconds?|pixels?)'

/** A power all the same, by what follows: things that are measured (`of 1920² pixels`), or a number to the same power. */
const measured =
  '([²³])(?= ?[=×*+<>≈·/]| (?:and|or|to|by) [\\d,]+\\1| (?:[a-z]+ )?(?:pixels?|px|cells?|points?|dots?|tiles?|blocks?|squares?|voxels?|texels?|samples?|values?|entries|elements?|numbers?|bytes?|images?|metres?|meters?|[ckm]?m)(?!\\p{L}))'

/** Tens and their like, of what can be counted: ten seconds are of time, of which there is none in the plural. */
const counts: Readonly<Record<string, string>> = {
  '10': 'tens',
  '100': 'hundreds',
  '1000': 'thousands',
  '10000': 'tens of thousands',
  '100000': 'hundreds of thousands',
  '1000000': 'millions',
}
const counted =
  '(?= of (?:[\\p{L}-]+ )?(?!(?:this|its|was|has|ours|yours|theirs|hers)\\b)(?:[\\p{L}-]{2,}(?<!s)s|people|men|women|children)(?!\\p{L}))'

const decades = ['', '', 'twenties', 'thirties', 'forties', 'fifties', 'sixties', 'seventies', 'eighties', 'nineties']
const decade = (_: string, tens = ''): string => decades[Number(tens)] ?? ''
/** Behind "the 90s" where those are years, and no time that something takes. */
const afterDecade = '(?=[,.;:!?)]|$| (?:and|or|to|was|were|when|there|it|he|she|we|they|people|as|but|with|on)\\b)'

/** Parts of what is measured: 1 1/2, 2 3/8. */
const parted: ReadonlySet<string> = new Set(['2', '3', '4', '5', '6', '8', '10', '12', '16', '32', '64'])
function mixed(whole: string, over = '', under = ''): string {
  if (!parted.has(under) || Number(over) < 1 || Number(over) >= Number(under)) return whole
  const part = { '2': 'half', '4': 'quarter' }[under] ?? ordinal(under)
  return ` and ${cardinal(over)} ${part}${over === '1' ? '' : 's'}`
}

const rules: readonly Rule[] = [
  [new RegExp(`(?<=[\\p{L}\\d)][.,;:!?]["”’']?)${raised}`, 'gu'), () => ''],
  [new RegExp(`(?<=\\p{L}{3})(?<!(?<!\\p{L})${powered})${raised}`, 'gu'), () => ''],
  [new RegExp(`(?<=${yearBefore},? (?:\\d{1,2},? )?(?:1[1-9]|20)\\d\\d)(?!${measured})${raised}`, 'gu'), () => ''],
  [
    new RegExp(`(?<![\\d.,])(10{1,6}|10{0,2}(?:,000){1,2})s${counted}`, 'gu'),
    (whole, count = '') => counts[count.replaceAll(',', '')] ?? whole,
  ],
  [/(?<![\p{L}\d])['’‘]([2-9])0s\b/gu, decade],
  [/(?<=\b(?:early|mid|late)[ -])([2-9])0s\b/gi, decade],
  [new RegExp(`(?<=\\b(?:the|his|her|their|my|your|our) )([2-9])0s\\b${afterDecade}`, 'gi'), decade],
  // What is listed with one: the sixties, 70s and 80s.
  [
    new RegExp(`(?<=\\b(?:${decades.slice(2).join('|')}))(?:, [2-9]0s)*,? (?:and|or|to) (?:the )?[2-9]0s\\b`, 'gi'),
    (others) => others.replace(/([2-9])0s/gi, decade),
  ],
  [/(?<=(?<![\d/.,])\d{1,3}) (\d{1,2})\/(\d{1,2})(?![\d/])/g, mixed],
]

/**
 * What of the numbers of an English text is no plain number: signs of notes are not said, 100s of people are hundreds,
 * the '90s are the nineties, and 1 1/2 is one and one half. To be done before numbers are worded.
 */
export const spokenCounts = (text: string): string =>
  rules.reduce((spoken, [pattern, say]) => spoken.replace(pattern, say), text)
