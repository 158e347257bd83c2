import site from '../../site.config.ts'

/**
 * Attributes that say in which language words are, on a site in this one: those of the program are English everywhere and
 * run where the page around them begins; those of the publisher, among them, are of the site. A site in English needs none.
 */
export function toLanguages(language: string) {
  const isEnglish = new Intl.Locale(language).language === 'en'
  return {
    ofProgram: isEnglish ? {} : { lang: 'en', 'data-program': '' },
    ofSite: isEnglish ? {} : { lang: language },
  }
}

export const { ofProgram, ofSite } = toLanguages(site.language)
