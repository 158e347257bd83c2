import { cardinal, ordinal } from './number-words.ts'

type Rule = readonly [RegExp, (...parts: string[]) => string]

/** A superscript digit that marks a note and is not an exponent: after a sentence, a word or a year. */
const raised = '[¹²³⁰⁴-⁹]+(?![\\p{L}\\d])'
const yearBefore =
  '(?:[Ii]n|[Ss]ince|[Bb]y|[Ff]rom|[Uu]ntil|[Tt]ill|[Oo]f|[Bb]efore|[Aa]fter|[Dd]uring|[Aa]round|year|(?:uar|r)y|March|April|May|June|July|August|ber)'
/** Words after which a superscript digit is an exponent nevertheless. */
const powered =
  '(?:a?(?:sin|cos|tan)h?|log|exp|chi|inch|inches|feet|foot|yards?|(?:kilo|centi|milli|micro|nano)?(?:metres?|meters?)|miles?|(?:milli|micro|nano)?seconds?|pixels?)'

/**
 * An exponent nevertheless, by what follows: measured things (`of 1920² pixels`), or a number with the same exponent.
 */
const measured =
  '([²³])(?= ?[=×*+<>≈·/]| (?:and|or|to|by) [\\d,]+\\1| (?:[a-z]+ )?(?:pixels?|px|cells?|points?|dots?|tiles?|blocks?|squares?|voxels?|texels?|samples?|values?|entries|elements?|numbers?|bytes?|images?|metres?|meters?|[ckm]?m)(?!\\p{L}))'

/**
 * Words for round numbers before a plural (`100s of people`). Before other nouns (`10s of time`) the `s` means seconds.
 */
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
/** What follows "the 90s" where it means years, not a duration. */
const afterDecade = '(?=[,.;:!?)]|$| (?:and|or|to|was|were|when|there|it|he|she|we|they|people|as|but|with|on)\\b)'

/** Denominators of fractions of measures: 1 1/2, 2 3/8. */
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
  // Decades listed after one that was recognized: the sixties, 70s and 80s.
  [
    new RegExp(`(?<=\\b(?:${decades.slice(2).join('|')}))(?:, [2-9]0s)*,? (?:and|or|to) (?:the )?[2-9]0s\\b`, 'gi'),
    (others) => others.replace(/([2-9])0s/gi, decade),
  ],
  [/(?<=(?<![\d/.,])\d{1,3}) (\d{1,2})\/(\d{1,2})(?![\d/])/g, mixed],
]

/**
 * Words numbers of an English text that need their context: marks of notes are dropped, 100s of people are hundreds,
 * the '90s are the nineties, and 1 1/2 is one and one half. To be called before `spokenNumbers` words the others.
 */
export const spokenCounts = (text: string): string =>
  rules.reduce((spoken, [pattern, say]) => spoken.replace(pattern, say), text)
