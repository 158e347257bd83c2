import type { Voice, Voices } from '../speech/voice.ts'

type Row = readonly [id: string, gender: Voice['gender'], manner: Voice['manner'], name: string, description: string]

function toVoices(language: string, first: Row, ...others: readonly Row[]): Voices {
  const toVoice = ([id, gender, manner, name, description]: Row): Voice => {
    return { id, name, description, gender, manner, language }
  }
  return [toVoice(first), ...others.map(toVoice)]
}

/** Kokoro's names say it: `af_heart` is an American woman, `bm_george` a British man. */
const genderOf = (id: string): Voice['gender'] =>
  (({ f: 'female', m: 'male' }) as const)[/^[a-z]([fm])_/.exec(id)?.[1] ?? ''] ?? 'neutral'

/** The voices that the operator configured for a service (the first is the default); undefined without any. */
export function toNamedVoices(ids: readonly string[] = []): Voices | undefined {
  const [first, ...others] = ids.map((id): Row => [id, genderOf(id), 'plain', id, 'As the speech service has it.'])
  return first && toVoices('mul', first, ...others)
}

/**
 * System voices of MiniMax that suit reading. Voices that the owner of the account cloned are left out: they are not
 * for sale here.
 */
export const minimaxVoices = toVoices(
  'en',
  ['English_SereneWoman', 'female', 'calm', 'Serene Woman', 'Even and unhurried, for long texts.'],
  ['English_CalmWoman', 'female', 'calm', 'Calm Woman', 'Quiet and clear.'],
  ['English_ConfidentWoman', 'female', 'plain', 'Confident Woman', 'Firm, for reports and instructions.'],
  ['English_Graceful_Lady', 'female', 'bright', 'Graceful Lady', 'Light and melodious.'],
  ['English_Upbeat_Woman', 'female', 'bright', 'Upbeat Woman', 'Quick and cheerful.'],
  ['English_Wiselady', 'female', 'deep', 'Wise Lady', 'Older and darker.'],
  ['English_PatientMan', 'male', 'calm', 'Patient Man', 'Slow and friendly.'],
  ['English_Gentle-voiced_man', 'male', 'calm', 'Gentle-voiced Man', 'Soft, for quiet texts.'],
  ['English_Diligent_Man', 'male', 'plain', 'Diligent Man', 'Plain and exact.'],
  ['English_Jovialman', 'male', 'bright', 'Jovial Man', 'Warm and lively.'],
  ['English_ManWithDeepVoice', 'male', 'deep', 'Man with a Deep Voice', 'Low and heavy.'],
  ['English_CaptivatingStoryteller', 'male', 'deep', 'Captivating Storyteller', 'For stories.'],
  ['English_expressive_narrator', 'neutral', 'plain', 'Expressive Narrator', 'For books.'],
)

/** What MiniMax documents for the `language_boost` of its speech models. */
export const minimaxLanguages =
  'zh yue en ar ru es fr pt de tr nl uk vi id ja it ko th pl ro el cs fi hi bg da he ms fa sk sv hr fil hu no sl ca nn ta af'.split(
    ' ',
  )

/** Voices that OpenAI and services with the same API have in common. */
export const openaiVoices = toVoices(
  'mul',
  ['sage', 'female', 'calm', 'Sage', 'Even and quiet.'],
  ['alloy', 'neutral', 'plain', 'Alloy', 'Neither high nor low.'],
  ['ash', 'male', 'plain', 'Ash', 'Plain and clear.'],
  ['ballad', 'male', 'calm', 'Ballad', 'Soft, for stories.'],
  ['coral', 'female', 'bright', 'Coral', 'Warm and lively.'],
  ['echo', 'male', 'calm', 'Echo', 'Even and resonant.'],
  ['fable', 'male', 'bright', 'Fable', 'Lively, for stories.'],
  ['nova', 'female', 'bright', 'Nova', 'Bright and quick.'],
  ['onyx', 'male', 'deep', 'Onyx', 'Low and heavy.'],
  ['shimmer', 'female', 'plain', 'Shimmer', 'Clear and light.'],
)
