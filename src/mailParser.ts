// The bundle of what runs in threads beside everything else; loaded with the first mail or answer that is no common one, or
// the first search in texts.
export { jsonAnswerer } from './base/farJson.ts';
export { mailAnswerer } from './engine/mail/mailThread.ts';
export { readMail } from './engine/mail/readMail.ts';
export { searchAnswerer } from './engine/search/texts/searchText.ts';
