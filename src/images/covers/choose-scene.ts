/** What a text is about, as far as the scenes go. */
export type Subject = 'sea' | 'mountain' | 'forest' | 'city' | 'space'

const words: Readonly<Record<Subject, RegExp>> = {
  sea: /\b(?:sea|ocean|waves?|tide|river|water|boat|ship|coast|island|fish|surf|swim|marine|harbou?r|flood|stream)\w*/i,
  mountain: /\b(?:mountain|glacier|snow|valley|alps?\b|climb|peak|summit|winter|climate|cold|hike|rock|land)\w*/i,
  forest: /\b(?:forest|tree|wood|garden|leaf|leaves|nature|green|wild|bird|farm|plant|roots?\b)\w*/i,
  city: /\b(?:city|urban|street|town|night|traffic|building|hous|rent|market|shop|office|commut|architect|neighbou?r|money|bank|econom|financ|stock|price|pay|paid|charge|till|cents?\b)\w*/i,
  space:
    /\b(?:space|star|planet|moon|orbit|universe|physics|science|data|network|ai\b|algorithm|software|code|comput|machine|protocol|agent|internet|crypto|chain|header|signature|server)\w*/i,
}

const subjects: readonly Subject[] = ['sea', 'mountain', 'forest', 'city', 'space']

function firstIn(text: string): Subject | undefined {
  const found = subjects.map((subject) => ({ subject, place: text.search(words[subject]) }))
  return found.filter(({ place }) => place >= 0).toSorted((a, b) => a.place - b.place)[0]?.subject
}

/** The subject that is named first, in the title or else in the excerpt. English words; other languages name none. */
export const subjectOf = (title: string, excerpt = ''): Subject | undefined => firstIn(title) ?? firstIn(excerpt)
