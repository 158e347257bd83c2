import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { canSpeak } from '../../src/narration/speech/can-speak.ts'
import { englishWords, functionWords } from '../../src/narration/speech/function-words.ts'
import { guessLanguages } from '../../src/narration/speech/guess-languages.ts'
import { cpuMsOf } from '../support/cpu-ms.ts'

const foreign = [
  [
    'de',
    'Die kleine Münze ist alt, und sie war einmal viel wert. Ich habe sie nicht mehr, aber mein Bruder hat noch eine.',
  ],
  ['fr', 'La petite pièce est dans le tiroir, mais elle ne vaut pas beaucoup. Nous avons gardé une autre pour vous.'],
  ['es', 'La moneda pequeña está en el cajón, pero no vale mucho. También hay una más, que era de su padre.'],
  ['pt', 'A moeda pequena está na gaveta, mas não vale muito. Também há uma outra, que ele guardou para você.'],
  ['it', 'La moneta è nel cassetto, ma non vale molto. Anche questa era di una zia, che lo diceva con orgoglio.'],
  [
    'nl',
    'De kleine munt ligt in de la, maar zij is niet veel waard. Er is ook nog een andere, die hij heeft bewaard voor het kind.',
  ],
  ['sv', 'Det lilla myntet ligger i lådan och är inte värt så mycket. Jag har också ett annat som vi fick av mormor.'],
  ['da', 'Den lille mønt ligger i skuffen, og den er ikke meget værd. Jeg har også en anden, som vi fik af bedstemor.'],
  [
    'no',
    'Den lille mynten ligger i skuffen, og den er ikke verdt så mye. Jeg har også en annen som vi fikk av bestemor.',
  ],
  [
    'pl',
    'Mała moneta leży w szufladzie i nie jest dużo warta. Mam jeszcze inną, która była od babci, ale już jej tak nie lubię.',
  ],
  ['cs', 'Malá mince je v zásuvce, ale není už moc cenná. Mám také jinou, která byla od babičky, jako jsem říkal.'],
  [
    'hu',
    'A kis érme a fiókban van, de nem ér sokat. Van még egy másik is, azt már csak én őrzöm, és ez volt a nagymamáé.',
  ],
  [
    'ro',
    'Moneda mică este în sertar, dar nu valorează mult. Mai am una din copilărie, pe care o păstrez cu drag și pentru tine.',
  ],
  [
    'tr',
    'Küçük para çekmecede duruyor ama çok değerli değil. Bir tane daha var, bu da babam için gibi sakladığım para.',
  ],
  [
    'fi',
    'Pieni kolikko on laatikossa, mutta se ei ole kovin arvokas. Minä olen säästänyt myös toisen, joka oli mummon.',
  ],
  [
    'id',
    'Koin kecil itu ada di laci, tetapi tidak berharga. Saya juga punya satu lagi yang sudah lama untuk anak saya.',
  ],
  [
    'vi',
    'Đồng xu nhỏ ở trong ngăn kéo và không có giá trị. Tôi cũng giữ một đồng khác của bà, cho những ngày sau này.',
  ],
  ['ja', 'これはテストです。短い文章を読みます。'],
  ['zh', '这是一个测试。请读出这段短文。'],
  ['ru', 'Это проверка. Прочитайте вслух короткий текст.'],
  ['ko', '이것은 시험입니다.'],
  ['ar', 'هذا نص قصير للاختبار.'],
  ['he', 'זה מבחן קצר.'],
  ['el', 'Αυτό είναι ένα μικρό κείμενο.'],
  ['hi', 'यह एक छोटा पाठ है।'],
  ['th', 'นี่คือข้อความสั้น'],
] as const

const english = [
  'Hello.',
  'OK',
  '42',
  'Tea.',
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.',
  'Que sera, sera. C’est la vie. Carpe diem!',
  'Los Angeles, San Francisco, Santa Cruz, El Paso, Las Vegas, La Jolla',
  'Rio de la Plata, Plaza de los Reyes, Casa del Sol',
  'Dvořák, Janáček, Smetana, Martinů, Suk, Fibich',
  'Ludwig van Beethoven, Johann Sebastian Bach, Herbert von Karajan',
  'He said “ich bin ein Berliner und das ist gut” and went home.',
  'She whispered: "no sé qué es esto, pero está muy bien".',
  'He said ich bin ein Berliner und das ist gut.',
  'Schadenfreude, Zeitgeist und Weltschmerz walk into a bar.',
  'Men die. An old man hat so in: was war?',
  'npm install --save-dev vitest && node src/main.ts --port 4321',
  'Buy milk, eggs, bread, jam. Walk dog. Pay rent. Call mum.',
  'Aaaa bbbb cccc dddd eeee ffff gggg hhhh',
  'la la la la la la la la la la',
  'do re mi fa sol la ti do',
  'Me gustas tu',
  'Tea 🍵 is called ocha, お茶, in Japan.',
  'π ≈ 3.14 and Δ is a difference.',
]

describe('the language of a text', () => {
  it.each(foreign)('is guessed as %s', (language, text) => {
    expect(guessLanguages(text).languages[0]).toBe(language)
  })

  it.each(english)('is never guessed as another one than English for %j', (text) => {
    expect(canSpeak(text)).toEqual({ is: 'speakable' })
  })

  it('is English for every English text of this repository', () => {
    const texts = ['content/posts', 'content/pages', 'docs'].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /\.mdx?$/.test(name))
        .map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') })),
    )
    const paragraphs = texts.flatMap(({ text }) => text.split(/\n{2,}/)).filter((part) => /\p{L}/u.test(part))
    const isLatin = (text: string) => guessLanguages(text).isLatin
    expect(paragraphs.filter((text) => isLatin(text) && guessLanguages(text).languages.length > 0)).toEqual([])
    expect(paragraphs.length).toBeGreaterThan(500)
  })

  it('is guessed from words that are not English, names or single letters', () => {
    const words = Object.values(functionWords).flatMap((known) => [...known])
    expect(words.filter((word) => /^[a-z]$/.test(word))).toEqual([])
    const namesToo = 'die men man war hat par plus son sin door pro care den de la le los el van von der os'.split(' ')
    expect(words.filter((word) => namesToo.includes(word) || englishWords.has(word))).toEqual([])
  })
})

it.each(['\u201c', '\u201e', '\u00ab', '"', "'"])(
  'the language of a text of nothing but opening %s is guessed in linear time',
  (quote) => {
    const flood = `a ${quote}`.repeat(20_000)
    expect(cpuMsOf(() => guessLanguages(flood))).toBeLessThan(300)
  },
)

describe('a refusal', () => {
  it('names the language of the text, and those that can be spoken', () => {
    expect(canSpeak(foreign[0][1])).toEqual({
      is: 'unspeakable',
      reason: 'the text seems to be German, and the embedded engine speaks English',
    })
    expect(canSpeak('これはテストです。 OK')).toMatchObject({
      reason: expect.stringMatching(/Japanese.*not Latin.*speaks English/),
    })
  })

  it('depends on the languages of the engine, in any region', () => {
    const speaks = { who: 'the service', languages: ['de-AT', 'ja'] }
    for (const text of [foreign[0][1], 'これはテストです。', 'An English text is in doubt not refused.'])
      expect(canSpeak(text, speaks)).toEqual({ is: 'speakable' })
    expect(canSpeak(foreign[1][1], speaks)).toMatchObject({
      reason: 'the text seems to be French, and the service speaks Austrian German and Japanese',
    })
    for (const [, text] of foreign) expect(canSpeak(text, { who: 'any' })).toEqual({ is: 'speakable' })
    expect(canSpeak('Hei.', { who: 'it', languages: ['no'] }, 'nb-NO')).toEqual({ is: 'speakable' })
  })
})
