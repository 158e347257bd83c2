import site from '../../site.config.ts'

/**
 * `lang` attributes for a site in this language. `ofProgram` marks fixed texts of the program, which are always English
 * and are aligned with the page around them; `ofSite` marks texts of the publisher inside those. On an English site
 * both are empty.
 */
export function toLanguages(language: string) {
  const isEnglish = new Intl.Locale(language).language === 'en'
  return {
    ofProgram: isEnglish ? {} : { lang: 'en', 'data-program': '' },
    ofSite: isEnglish ? {} : { lang: language },
  }
}

export const { ofProgram, ofSite } = toLanguages(site.language)
