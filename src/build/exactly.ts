/** A pattern for the filter of a bundler's hook that matches one id; a text would be read as a pattern of paths. */
export const exactly = (id: string): RegExp => new RegExp(`^${RegExp.escape(id)}$`)
