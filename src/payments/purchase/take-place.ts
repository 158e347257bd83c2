/**
 * Takes one of so many places under a name, counted over all programs on one database; undefined when none is free. A
 * program that ends or freezes loses its places.
 *
 * @returns a function that gives the place back
 * @throws Error when nobody can say
 */
export type TakePlace = (name: string, count: number) => Promise<(() => void) | undefined>
