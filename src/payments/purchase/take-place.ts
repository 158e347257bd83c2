/**
 * Takes one of `count` places under a name, counted over all programs on one database. A program that ends or freezes
 * loses its places.
 *
 * @returns a function that gives the place back; undefined when no place is free
 * @throws Error when the database cannot be asked
 */
export type TakePlace = (name: string, count: number) => Promise<(() => void) | undefined>
