const key = `hashtextextended('the books', 0)`

/**
 * Run by each connection of a program. While there is one, the books cannot be moved; during a move `free` is false.
 */
export const askToUseBooks = `select pg_try_advisory_lock_shared(${key}) as free`

/** Run by a command that moves the books. */
export const askToHaveBooks = `select pg_try_advisory_lock(${key}) as free`

/** Schema whose comment is the mark of the books: one for all of them, set and removed in one step. */
export const markSchema = 'farthing_move'

/** SQL for the text of the mark, null where there is none. */
export const markOfBooks = `obj_description(to_regnamespace('${markSchema}'), 'pg_namespace')`
