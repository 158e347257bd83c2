import { toMarkSentence } from '../books-mark.ts'
import type { Books, Place } from './books.ts'
import { copyTables, type MovedTable } from './copy-tables.ts'

interface Move {
  readonly from: Place
  readonly to: Place
  readonly say: (line: string) => void
  /** Work that has to be done before programs may use the books at the target. */
  readonly beforeSwitch?: () => Promise<void>
}

/** Whether no table has a row. */
export async function isEmpty(books: Books): Promise<boolean> {
  for (const table of await books.tables()) if ((await books.count(table)) > 0n) return false
  return true
}

/**
 * Checks that the books of one place can be moved to the other.
 *
 * @returns whether an interrupted move has left rows at the target that have to be cleared first
 * @throws Error of one sentence when they cannot be moved
 */
export async function assertMovable({ from, to }: Pick<Move, 'from' | 'to'>, source: Books, target: Books) {
  const [gone, begun] = [await source.mark(), await target.mark()]
  const isCutOff = begun?.is === 'unfinished'
  if ((await source.tables()).length === 0) throw new Error(`there are no books in ${from.name}`)
  // A move was interrupted between its last two steps: the source is complete, and only marked as moved.
  const isMarkedEarly = isCutOff && gone?.is === 'moved' && gone.to === to.name
  if (gone && !isMarkedEarly) throw new Error(`${from.name}: ${toMarkSentence(gone)}`)
  if (begun && !isCutOff) throw new Error(`${to.name}: ${toMarkSentence(begun)}`)
  if (!isCutOff && !(await isEmpty(target)))
    throw new Error(`there are books in ${to.name} already; they can only be moved to an empty place`)
  return isCutOff
}

/** Runs `work` while no program uses either place. */
async function holding<Result>(
  { from, to }: Pick<Move, 'from' | 'to'>,
  work: (source: Books, target: Books) => Promise<Result>,
): Promise<Result> {
  const source = await from.hold()
  try {
    const target = await to.hold()
    try {
      return await work(source, target)
    } finally {
      await target.release()
    }
  } finally {
    await source.release()
  }
}

/**
 * Moves all books from one engine to the other, while no program uses them.
 *
 *     target empty ──► target unfinished ──► source moved, target unfinished ──► source moved, target in use
 *
 * A program starts only on a place without a mark, so there is never more than one place where programs start. An
 * interrupted move is begun again from the start: until the last step, the source is what counts.
 *
 * @returns what each table held, compared on both sides
 * @throws Error of one sentence; then programs may go on using the source, unless it says otherwise
 */
export async function moveBooks(move: Move): Promise<readonly MovedTable[]> {
  const { from, to, say, beforeSwitch = async () => {} } = move
  await holding(move, async (source, target) => {
    if (!(await assertMovable(move, source, target))) return
    say(`deleting what an interrupted move left in ${to.name}`)
    await source.setMark(undefined)
    await target.clear()
  })
  say('bringing the tables of both sides up to date')
  await from.migrate()
  await to.migrate()
  return holding(move, async (source, target) => {
    if (await assertMovable(move, source, target)) throw new Error(`another move to ${to.name} has begun meanwhile`)
    const otherwise = `programs were not switched over, and nothing was changed in ${from.name}`
    const moved = await copyTables({ source, target, say, otherwise }, () => target.setMark({ is: 'unfinished' }))
    await beforeSwitch()
    await source.setMark({ is: 'moved', to: to.name })
    await target.setMark(undefined)
    return moved
  })
}

/**
 * Lets programs use the books at a place again from which they were moved elsewhere.
 *
 * @throws Error of one sentence when they were not moved from there
 */
export async function undoMark(place: Place): Promise<void> {
  const books = await place.hold()
  try {
    const mark = await books.mark()
    if (mark?.is !== 'moved')
      throw new Error(
        mark
          ? `${place.name}: ${toMarkSentence(mark)}`
          : `nothing was moved away from ${place.name}, so there is nothing to undo`,
      )
    await books.setMark(undefined)
  } finally {
    await books.release()
  }
}
