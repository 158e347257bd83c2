const most = 200

/**
 * Remembers recent pictures and their requests. A provider that sends one picture for different requests has sent a
 * placeholder, whatever its quality.
 */
export function makeRecentPictures() {
  const requests = new Map<string, string>()
  return {
    /** Fingerprints of pictures that were made for other requests. */
    ofOthers: (request: string): string[] =>
      [...requests].flatMap(([fingerprint, other]) => (other === request ? [] : [fingerprint])),
    keep(request: string, fingerprint: string): void {
      requests.delete(fingerprint)
      requests.set(fingerprint, request)
      const [oldest] = requests.keys()
      if (oldest !== undefined && requests.size > most) requests.delete(oldest)
    },
  }
}
