/** What fetches and keeps one skill; `:slug` as the slug gives the pattern. */
export function toInstallLinks(slug: string, baseUrl: string) {
  const installUrl = `${baseUrl}/skills/${slug}/install`
  return { installUrl, installCommand: `curl -fsSL ${installUrl} | sh` }
}
