import { describe, expect, it } from 'vitest'
import { canSpeak } from '../../src/narration/speech/can-speak.ts'
import { toSpeechText } from '../../src/narration/speech/to-speech-text.ts'
import { cpuMsOf } from '../support/cpu-ms.ts'

describe('the text for the speech engine', () => {
  it.each([
    ['It costs $0.05.', 'It costs five cents.'],
    [
      'It costs $1.01, then €5 and £3.50.',
      'It costs one dollar and one cent, then five euros and three pounds and fifty pence.',
    ],
    ['A loss of -$5, not −€3.', 'A loss of minus five dollars, not minus three euros.'],
    [
      'It costs $5m, $1.5B, €3K or US$2T.',
      'It costs five million dollars, one point five billion dollars, three thousand euros or U S two trillion dollars.',
    ],
    [
      'For $5–10, $1-$2, $.50, 10¢ or 1¢.',
      'For five dollars to ten, one dollar to two dollars, fifty cents, ten cents or one cent.',
    ],
    ['They want $62 million.', 'They want sixty two million dollars.'],
    ['On 2026-11-20 at 14:05.', 'On November twentieth, twenty twenty six at fourteen oh five.'],
    ['Since 1987, in 2005 and in 1900.', 'Since nineteen eighty seven, in two thousand five and in nineteen hundred.'],
    ['The 1990s were long.', 'The nineteen nineties were long.'],
    ['About 41% fell to −3 °C.', 'About forty one percent fell to minus three degrees Celsius.'],
    [
      'It takes 1,250 ms for 10–20 KB.',
      'It takes one thousand two hundred fifty milliseconds for ten to twenty kilobytes.',
    ],
    ['0.05 + 0.01 × n is wrong.', 'zero point zero five plus zero point zero one times n is wrong.'],
    ['Exact up to 2^53.', 'Exact up to two to the power of fifty three.'],
    ['The 1,000th and 12,345th.', 'The one thousandth and twelve thousand three hundred forty fifth.'],
    ['The 10,000,000th and 10000000th.', 'The ten millionth and ten millionth.'],
    ['At 12½ % or ½%.', 'At twelve and one half percent or one half percent.'],
    [
      '5\u202f000 m, 1\u00a0250\u00a0000 people and 2\u2009000 €.',
      'five thousand metres, one million two hundred fifty thousand people and two thousand euros.',
    ],
    ['In 2026\u00a0500 of them came.', 'In twenty twenty six five hundred of them came.'],
    [
      'It has 1,000 of them, 2,048 at most, 10,050,007 in all, and agent 007 had 1,000.05.',
      'It has one thousand of them, two thousand forty eight at most, ten million fifty thousand seven in all, and agent zero zero seven had one thousand point zero five.',
    ],
    ['The codes 001,002 and 010,200.', 'The codes zero zero one, zero zero two and zero one zero, two hundred.'],
    ['The 3rd of 21st.', 'The third of twenty first.'],
    ['An HTTP 402, a 404 and x402 v2.', 'An H T T P four oh two, a four oh four and x four oh two version two.'],
    ['JSON APIs over HTTPS, NEVER twice.', "jason A P I's over H T T P S, never twice."],
    ['See https://www.example.com:8080/a/b-1?c=2#d.', 'See example dot com.'],
    ['Write to a.b@example.org.', 'Write to a dot b at example dot org.'],
    ['Use maxTimeoutSeconds in package.json.', 'Use max Timeout Seconds in package dot jason.'],
    [
      'Dr. Marsh, e.g., and Mr. Gray vs. the rest etc.',
      'Doctor Marsh, for example, and Mister Gray versus the rest et cetera.',
    ],
    ['“Naïve café” — it’s fine… really', "Naive cafe, it's fine, really"],
    [
      'Take 2½ cups, ⅓ of it, and ¾ or ⅜ more.',
      'Take two and one half cups, one third of it, and three quarters or three eighths more.',
    ],
    [
      'About 10⁶ of 5⁻³, m², H₂O and ①.',
      'About ten to the power of six of five to the power of minus three, m squared, H two O and one.',
    ],
    [
      '100s of people and 1,000s of tiny files, not 10s of waiting.',
      'hundreds of people and thousands of tiny files, not ten seconds of waiting.',
    ],
    [
      'In the ’90s, her 20s, the mid-80s and the 60s; it takes 90s, the 30s timeout.',
      'In the nineties, her twenties, the mid eighties and the sixties; it takes ninety seconds, the thirty seconds timeout.',
    ],
    [
      'Songs of the 80s and 90s, of the 60s, 70s, and 80s, in her 20s or 30s; our 30s timeout.',
      'Songs of the eighties and nineties, of the sixties, seventies, and eighties, in her twenties or thirties; our thirty seconds timeout.',
    ],
    [
      'Take 1 1/2 cups, 2 3/4 or 3 5/8, or 1/2.',
      'Take one and one half cups, two and three quarters or three and five eighths, or one half.',
    ],
    [
      'Since 2019² it, in May 2020,¹ a word³ and “more.”⁴ But 2048², 10², x², sin² and km².',
      'Since twenty nineteen it, in May twenty twenty, a word and more. But two thousand forty eight squared, ten squared, x squared, sin squared and km squared.',
    ],
    [
      'A chi² test of cosh² x on 5 kilometers² and 40 pixels².',
      'A chi squared test of cosh squared x on five kilometers squared and forty pixels squared.',
    ],
    [
      'An image of 1920² pixels, a sum of 1200² and 1300², of 1024² = 1048576; the war of 1914² and the peace of 1919³.',
      'An image of one thousand nine hundred twenty squared pixels, a sum of one thousand two hundred squared and one thousand three hundred squared, of one thousand twenty four squared equals one million forty eight thousand five hundred seventy six; the war of nineteen fourteen and the peace of nineteen nineteen.',
    ],
    [
      'An x⁴, 5 cm⁴, 2ⁿ, 2^n, 2^10 and s⁻¹; but a plan B⁴, a word⁵ and so⁶.',
      'An x to the power of four, five centimetres to the power of four, two to the power of n, two to the power of n, two to the power of ten and s to the power of minus one; but a plan B four, a word and so six.',
    ],
    ['Call １２３ now.', 'Call one hundred twenty three now.'],
    ['A co\u00adoperative pay\u00adment.', 'A cooperative payment.'],
    ['Wallet 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913.', 'Wallet a long hexadecimal number.'],
  ])('is what a person would say for %j', (written, said) => {
    expect(toSpeechText(written)).toBe(said)
  })

  it.each(['', '…', '😀', '東京', '---', '\u0000\u0007', '\ud800'])('is empty for %j', (text) => {
    expect(toSpeechText(text)).toBe('')
  })

  it('has only words and punctuation, whatever the input', () => {
    const hostile = [
      '-o /etc/passwd --setf x=1 -voice http://evil',
      '<speak><break time="9s"/>&lt;hi&gt;</speak>',
      '\u202eevil\u2066 \u0000 -t `rm -rf` $(id) | tee',
      '1'.repeat(9000),
      `a${'１'.repeat(9000)}`,
      `a${'𝟙①⒈⑴⅓⁵₅㎡'.repeat(900)}`,
      'A'.repeat(9000),
      '('.repeat(5000),
      '.,'.repeat(5000),
      'a.'.repeat(4000),
      '@'.repeat(3000) + 'a@'.repeat(3000),
      '9,'.repeat(4000),
      '0x'.repeat(4000),
      'http://'.repeat(1000),
      '\ud800\udfff\u{1f600}x'.repeat(500),
    ]
    for (const text of hostile) {
      expect(cpuMsOf(() => toSpeechText(text))).toBeLessThan(2000)
      expect(toSpeechText(text)).toMatch(/^(?:[A-Za-z][A-Za-z ,.;:!?'-]*)?$/)
    }
  })
})

describe('canSpeak', () => {
  it.each(['en', 'en-GB', 'EN-us'])('speaks %s', (language) => {
    expect(canSpeak('Hello there.', undefined, language)).toEqual({ is: 'speakable' })
  })

  it.each([
    ['de', 'Guten Tag', /English/],
    ['ja', 'これはテストです。', /English/],
    ['en', 'これはテストです。 Hello', /Latin/],
    ['en', '… !', /no words/],
    ['enx', 'Hello', /English/],
  ])('does not speak %s %j, and gives a reason', (language, text, reason) => {
    expect(canSpeak(text, undefined, language)).toEqual({ is: 'unspeakable', reason: expect.stringMatching(reason) })
  })
})
