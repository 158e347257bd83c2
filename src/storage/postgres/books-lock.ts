const key = `hashtextextended('the books', 0)`

/** Every connection of a program says it: as long as there is one, nobody moves the books; while somebody does, none. */
export const askToUseBooks = `select pg_try_advisory_lock_shared(${key}) as free`

/** What moves the books says it. */
export const askToHaveBooks = `select pg_try_advisory_lock(${key}) as free`

/** Its comment is the mark of the books: one for all of them, which comes and goes in one step. */
export const markSchema = 'farthing_move'

/** The text of the mark, null where there is none. */
export const markOfBooks = `obj_description(to_regnamespace('${markSchema}'), 'pg_namespace')`
