const rotate = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97))

/** Slurs, encoded with ROT13, so that readers of this file need not see them. */
const slurs = rotate(
  'avttre avttn snttbg xvxr puvax fcvp jrgonpx tbbx genaal envqurnq phag ergneq ercvfg xlf xvyylbhefrys encr urvyuvgyre tnfgurwrjf',
).split(' ')
/** Shorter slurs occur within harmless words, so they are matched only as whole words. */
const shortest = 6
const digits: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
/** Signs that stand for a letter. An exclamation mark counts only before a letter or digit, not after a word. */
const spelled = /[013457@$]|!(?=[\p{L}\p{N}])/gu

/** Whether a text may be shown to others: no slurs, in common disguised spellings either, and no web addresses. */
export function isDecent(text: string): boolean {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
  if (/https?:|www\.|\b[a-z0-9-]+\.(com|net|org|io|xyz|gg|ru|co|app|link)\b/.test(plain)) return false
  const letters = plain.replace(spelled, (sign) => digits[sign] ?? sign)
  const words = letters.split(/[^a-z]+/)
  const run = words.join('').replace(/(.)\1+/g, '$1')
  return slurs.every(
    (slur) => !words.includes(slur) && (slur.length < shortest || !run.includes(slur.replace(/(.)\1+/g, '$1'))),
  )
}
