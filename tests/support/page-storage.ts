/** A stand-in for localStorage; its items are properties, as in a browser. */
export class PageStorage {
  [name: string]: unknown
  setItem(name: string, value: string): void {
    this[name] = value
  }
  removeItem(name: string): void {
    delete this[name]
  }
}
