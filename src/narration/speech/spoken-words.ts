type Rule = readonly [RegExp, string | ((...parts: string[]) => string)]

/** A URL is spoken as its host; the rest can be read on the page. */
const address = (_whole: string, host = ''): string => host.replace(/^www\./, '').replaceAll('.', ' dot ')

/** URLs and e-mail addresses. They come first, before parts of them are taken for numbers or abbreviations. */
const addresses: readonly Rule[] = [
  [/\bhttps?:\/\/(?:[^\s/@]*@)?([\w-]+(?:\.[\w-]+)*)(?::\d+)?(?:[/?#][^\s<>"')\]]*[^\s<>"')\].,;:!?])?\/?/gi, address],
  [
    /\b([\w.+-]{1,64})@([\w-]{1,63}(?:\.[\w-]{1,63})+)\b/g,
    (_, user = '', host = '') => `${user} at ${host}`.replaceAll('.', ' dot '),
  ],
]

/** Abbreviations that are spoken in full. */
const abbreviations: readonly Rule[] = [
  [/\be\.g\.,?/gi, 'for example,'],
  [/\bi\.e\.,?/gi, 'that is,'],
  [/\betc\.(?=\s*$)/gi, 'et cetera.'],
  [/\betc\./gi, 'et cetera'],
  [/\bvs?\.(?=\s)/g, 'versus'],
  [/\bcf\.(?=\s)/g, 'compare'],
  [/\bapprox\.(?=\s)/gi, 'approximately'],
  [/\bNo\.(?= ?\d)/g, 'number'],
  [/\bpp?\. ?(?=\d)/g, 'page '],
  [/\bDr\.(?=\s)/g, 'Doctor'],
  [/\bMrs\.(?=\s)/g, 'Missus'],
  [/\bMr\.(?=\s)/g, 'Mister'],
  [/\bProf\.(?=\s)/g, 'Professor'],
  [/\bSt\.(?=\s\p{Lu})/gu, 'Saint'],
  [/\bFigs?\.(?=\s)/g, 'figure'],
  [/\bet al\./g, 'and others'],
  [/\bw\/o\b/g, 'without'],
]

/** Symbols that are spoken by name; arithmetic symbols only between operands. */
const signs: readonly Rule[] = [
  [/&/g, ' and '],
  [/²/g, ' squared'],
  [/³/g, ' cubed'],
  [/(?<=\d) ?× ?(?=\d)/g, ' by '],
  [/×|(?<=[\p{L}\d)]\s?)\*(?=\s?[\p{L}\d(])/gu, ' times '],
  [/÷/g, ' divided by '],
  [/±/g, ' plus or minus '],
  [/≈/g, ' approximately '],
  [/≤/g, ' at most '],
  [/≥/g, ' at least '],
  [/≠/g, ' is not '],
  [/∞/g, ' infinity '],
  [/√/g, ' the square root of '],
  [/§/g, ' section '],
  [/[→⇒]/g, ' to '],
  [/===?|:=|=/g, ' equals '],
  [/!==?/g, ' is not '],
  [/(?<=[\p{L}\d)]\s?)\+(?=\s?[\p{L}\d(])/gu, ' plus '],
  [/(?<=\s)<=(?=\s)/g, 'at most'],
  [/(?<=\s)>=(?=\s)/g, 'at least'],
  [/(?<=\s)<(?=\s)/g, 'less than'],
  [/(?<=\s)>(?=\s)/g, 'greater than'],
  [/(?<=\p{L}|\d)°/gu, ' degrees '],
  [/[©®™℠]/g, ''],
]

/** Acronyms that are spoken as a word; of all others, those without a vowel or with up to three letters are spelled. */
const saidAs: Readonly<Record<string, string>> = {
  JSON: 'jason',
  YAML: 'yammel',
  JPEG: 'jay peg',
  MPEG: 'em peg',
  ASCII: 'askey',
  CORS: 'cores',
  WASM: 'wazzum',
  GUI: 'gooey',
  IEEE: 'I triple E',
  RAM: 'ram',
  ROM: 'rom',
  GIF: 'gif',
  NASA: 'nasa',
  LUFS: 'luffs',
  CRUD: 'crud',
  REST: 'rest',
}
const spelled =
  /^(?:AI|API|IP|ID|UI|UX|UUID|URI|URL|USDC|USD|EUR|GBP|UTC|IANA|IETF|EIP|ERC|EVM|CLI|CI|CD|OS|IO|EU|USA|UK|US|UN|AWS|IBM|IDE|SEO|ESM|AST|ACID|CPU|GPU|OAI|EOF|ETA|FAQ|IRC|ISO|SLA|SKU|TTS|USB|VAT|NAT)$/
const ordinaryWord =
  /^(?:GET|PUT|HEAD|POST|THE|AND|NOT|ALL|ANY|ARE|BUT|CAN|FOR|HAS|HAD|HER|HIM|HIS|HOW|ITS|LET|MAY|NEW|NO|NOW|OFF|OLD|ONE|ONLY|OR|OUR|OUT|OWN|SAY|SEE|SHE|SO|TOO|TWO|TO|USE|WAS|WAY|WE|WHO|WHY|YES|YOU|YET|IF|IN|IS|IT|OF|ON|AN|AS|AT|BE|BY|DO|GO|HE|ME|MY|OK|UP|BIG|END|DAY|TOP|RUN|SET|ADD|ASK|BUY|PAY|TRY|NEVER)$/
const hasVowel = /[AEIOUY]/

/** Acronyms that are often written in lower case. */
const smallAcronyms =
  /(?<![\p{L}\d])(?:npm|npx|https?|html|css|urls?|apis?|json|sql|ssh|tls|ssr|tsx|jsx|ts|js|mjs|mdx|md|svg|rss|cdn|dns|ip|ui|png|pdf|xml|csv|wasm|yaml|vtt|id|ids|usdc|cli|cpu|sdk|tcp|udp|ws)(?![\p{L}\d])/gu

const spellOut = (letters: string): string => [...letters].join(' ')

function capitals(_whole: string, letters = '', plural = ''): string {
  const ending = plural === '' ? '' : "'s"
  const said = saidAs[letters]
  if (said !== undefined) return said + plural
  if (spelled.test(letters)) return spellOut(letters) + ending
  if (ordinaryWord.test(letters)) return letters.toLowerCase() + plural
  if (letters.length <= 3 || !hasVowel.test(letters)) return spellOut(letters) + ending
  return letters.toLowerCase() + plural
}

const small = (name: string): string =>
  /s$/.test(name) && /^(?:urls|apis|ids)$/.test(name)
    ? capitals('', name.slice(0, -1).toUpperCase(), 's')
    : capitals('', name.toUpperCase())

/** Splits identifiers from code into the words they consist of. */
const names: readonly Rule[] = [
  [/\band\/or\b/gi, 'and or'],
  [/(?<=^|\s)@(?=\p{L})/gu, ''],
  [/(?<=\p{L}{2}|\d|\))\.(?=\p{L})/gu, ' dot '],
  [/(?<=\p{L})\.(?=\p{L}{2})/gu, ' dot '],
  [/(?<=^|\s)\.(?=\p{L})/gu, 'dot '],
  [/\b((?:\p{L}\.){2,})/gu, (_, letters = '') => `${spellOut(letters.replaceAll('.', ''))} `],
  [/(?<=\p{Ll})(?=\p{Lu})/gu, ' '],
  [/(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/gu, ' '],
  [/(?<=\p{L}|\d)[_]+(?=\p{L}|\d)/gu, ' '],
  [/(?<=\p{L}|\d)\/(?=\p{L}|\d)/gu, ' '],
  [/(?<=^|\s)\/(?=\p{L})/gu, 'slash '],
  [/(?<=\p{L})-(?=\p{L})/gu, ' '],
]

const acronyms: readonly Rule[] = [
  [/(?<![\p{L}])(\p{Lu}{2,})(s?)(?![\p{L}])/gu, capitals],
  [smallAcronyms, small],
]

const apply = (text: string, rules: readonly Rule[]): string =>
  rules.reduce(
    (spoken, [pattern, say]) =>
      typeof say === 'string' ? spoken.replace(pattern, say) : spoken.replace(pattern, (...parts) => say(...parts)),
    text,
  )

/** Words abbreviations and addresses; to be called before numbers are worded. */
export const spokenAbbreviations = (text: string): string => apply(text, [...addresses, ...abbreviations])

/** Words identifiers from code, symbols and acronyms. */
export const spokenWords = (text: string): string => apply(text, [...names, ...signs, ...acronyms])
