/** What a browser keeps for a site; its items are fields, as those of a browser are. */
export class PageStorage {
  [name: string]: unknown
  setItem(name: string, value: string): void {
    this[name] = value
  }
  removeItem(name: string): void {
    delete this[name]
  }
}
