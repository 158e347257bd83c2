/** Longer formulas are not read out: listeners cannot follow them. */
const maxCharacters = 120

const commands: Readonly<Record<string, string>> = {
  times: ' times ',
  cdot: ' times ',
  div: ' divided by ',
  pm: ' plus or minus ',
  le: ' is at most ',
  leq: ' is at most ',
  ge: ' is at least ',
  geq: ' is at least ',
  lt: ' is less than ',
  gt: ' is greater than ',
  ne: ' is not ',
  neq: ' is not ',
  approx: ' is about ',
  sim: ' is about ',
  to: ' to ',
  rightarrow: ' to ',
  in: ' in ',
  sum: ' the sum of ',
  prod: ' the product of ',
  int: ' the integral of ',
  infty: ' infinity ',
  dots: ' and so on ',
  ldots: ' and so on ',
  cdots: ' and so on ',
  lfloor: ' the floor of ',
  lceil: ' the ceiling of ',
  quad: ' ',
  qquad: ' ',
  left: ' ',
  right: ' ',
}

const replacements: readonly (readonly [RegExp, string])[] = [
  [/\\(?:text|mathrm|mathbf|mathit|operatorname)\{([^{}]*)\}/g, ' $1 '],
  [/\\frac\{([^{}]*)\}\{([^{}]*)\}/g, ' $1 over $2 '],
  [/\\sqrt\{([^{}]*)\}/g, ' the square root of $1 '],
  [/\^\{?2\}?(?!\d)/g, ' squared '],
  [/\^\{?3\}?(?!\d)/g, ' cubed '],
  [/\^\{([^{}]*)\}|\^(\w)/g, ' to the power of $1$2 '],
  [/_\{([^{}]*)\}|_(\w)/g, ' sub $1$2 '],
  [/=/g, ' equals '],
  [/</g, ' is less than '],
  [/>/g, ' is greater than '],
  [/\+/g, ' plus '],
  [/(?<=[\w)}]\s*)-/g, ' minus '],
  [/(?<=[\w)])\s*\/\s*(?=[\w(])/g, ' over '],
]

/** A TeX formula in words; a long one is only mentioned. */
export function spokenMath(tex: string): string {
  const formula = tex.replace(/\\([{}])/g, '$1').trim()
  if (formula.length > maxCharacters || /\\begin|\\\\|&/.test(formula)) return 'a formula, which is in the text'
  return replacements
    .reduce((words, [pattern, say]) => words.replace(pattern, say), formula)
    .replace(/\\([A-Za-z]+)/g, (_, name: string) => commands[name] ?? ` ${name} `)
    .replace(/[\\{}$]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
