/** Words a reader reads, in any script that separates them; code counts too. */
export const wordCount = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu)?.length ?? 0
